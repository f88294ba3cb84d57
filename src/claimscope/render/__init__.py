"""Files made of one checked claim: the same writers for the command line and the page."""
