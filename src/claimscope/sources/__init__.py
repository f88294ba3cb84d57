"""Where papers, and what became of them, come from: Retraction Watch, Zotero, PubMed, Crossref."""

__all__: list[str] = []
