"""The web pages, one file per page: its routes and what its template shows."""
