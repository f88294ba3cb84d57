"""Training of the stages of the papers, and of the verifier on your own claims."""

__all__: list[str] = []
