"""Work in the background, and the tables that the service adds to a library.

All SQL of the service is in this package.
"""
