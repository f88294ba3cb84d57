"""The web pages: check a claim or a text, batches, the library, and saved claims."""
