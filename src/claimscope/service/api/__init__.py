"""The addresses of the API, one file for each thing they are about."""
