"""Follows the library of a running Zotero through its local API."""
