"""The recipe of the shipped verifiers, from pretrained encoders to the shipped folders."""
