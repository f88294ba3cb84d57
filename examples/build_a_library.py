"""How do I make a library of my own papers, and search it?"""

import tempfile
from pathlib import Path

from claimscope import import_files, open_library

EXPORT = """TY  - JOUR
TI  - Zinc lozenges and the common cold
AB  - We gave zinc lozenges to adults with colds. Colds were shorter with zinc.
PY  - 2011
DO  - 10.1000/zinc
ER  -
"""

with tempfile.TemporaryDirectory() as folder:
    file = Path(folder) / "export.ris"
    file.write_text(EXPORT)
    with open_library(f"{folder}/library", create=True) as library:
        print(import_files(library, [file]).sentence)
        [hits] = library.search(["does zinc shorten colds?"], k=3)
        for document in library.get([hit.document_id for hit in hits]):
            print(document.id, document.title, document.meta.year)
