"""The routes of the REST API, one file per resource."""
