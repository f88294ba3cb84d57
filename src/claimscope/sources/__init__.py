"""Where papers, and what became of them, come from: Retraction Watch, Zotero, PubMed, Crossref."""
