"""The web page: rooms to check claims and texts, and for the library, batches and history."""
