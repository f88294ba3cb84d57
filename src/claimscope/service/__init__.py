"""Claimscope over HTTP: a REST API in `api/`, web pages in `web/`, background work in `jobs/`."""
