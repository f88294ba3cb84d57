"""The service: Claimscope over HTTP, for programs and for the web page."""
