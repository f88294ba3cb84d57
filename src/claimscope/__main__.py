"""Runs the command line as `python -m claimscope`."""

from claimscope.cli.app import main

main()
