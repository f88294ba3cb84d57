"""The parts of `out_of_domain.py`: how a verifier does on data sets it was not made for."""
