"""Compare the PDF engines pypdf and PDFium (pypdfium2) on a folder of English PDFs.

Both read the first two pages of each file. Shares of words are taken before and after
`pdf_words.readable`, which mends ligatures and divided words. A broken word is a pair of
neighbouring words that are one word of the dictionary, and not both words by themselves. Run

    python benchmarks/pdf_engines.py FOLDER [--dictionary /usr/share/dict/words]
"""

from __future__ import annotations

import argparse
import logging
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pypdf

from claimscope.ingest import pdf_text
from claimscope.ingest.pdf import Line, find_abstract, largest_print
from claimscope.ingest.pdf_text import readable

WORD = re.compile(r"[^\W\d_]+")
LIGATURE = re.compile("[\ufb00-\ufb06]")

Extract = Callable[[Path], tuple[str, list[Line]]]


def with_pypdf(path: Path) -> tuple[str, list[Line]]:
    """Extract with pypdf."""
    runs: list[Line] = []

    def visit(text: str, _user: object, matrix: list[float], _font: object, size: float) -> None:
        if text.strip():
            runs.append((round(abs(size * (matrix[3] or matrix[1] or 1.0)), 1), text))

    with pypdf.PdfReader(path) as reader:
        pages = list(reader.pages[: pdf_text.FRONT_PAGES])
        text = "\n".join(page.extract_text() for page in pages)
        pages[0].extract_text(visitor_text=visit)
    return text, runs


def with_pdfium(path: Path) -> tuple[str, list[Line]]:
    """Extract with PDFium, in this process."""
    content = pdf_text.extract(path)
    return "\n".join(content.pages[: pdf_text.FRONT_PAGES]), content.lines


@dataclass
class Figures:
    """What one engine showed."""

    failed: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    words: int = 0
    known: int = 0
    mended_words: int = 0
    mended_known: int = 0
    ligatures: int = 0
    broken: int = 0
    titles: int = 0
    abstracts: int = 0

    def take(self, text: str, lines: list[Line], dictionary: frozenset[str]) -> None:
        """Count one file."""
        words, mended = WORD.findall(text.lower()), WORD.findall(readable(text).lower())
        self.words, self.known = self.words + len(words), self.known + known(words, dictionary)
        self.mended_words += len(mended)
        self.mended_known += known(mended, dictionary)
        self.ligatures += len(LIGATURE.findall(text))
        self.broken += sum(is_broken(*pair, dictionary) for pair in pairwise(mended))
        self.titles += bool(WORD.search(largest_print(lines)))
        self.abstracts += bool(find_abstract(readable(text)))


def known(words: list[str], dictionary: frozenset[str]) -> int:
    """Count the words of the dictionary."""
    return sum(word in dictionary for word in words)


def is_broken(one: str, other: str, dictionary: frozenset[str]) -> bool:
    """Say whether two neighbours are one word."""
    return one + other in dictionary and not (one in dictionary and other in dictionary)


def measure(files: list[Path], extract: Extract, dictionary: frozenset[str]) -> Figures:
    """Read every file with one engine."""
    figures = Figures()
    for path in files:
        started = time.process_time()
        try:
            text, lines = extract(path)
        except Exception as error:  # noqa: BLE001 - what an engine raises is what is measured
            print(f"{path.name}: {type(error).__name__}: {error}")
            figures.failed += 1
            continue
        spent = time.process_time() - started
        figures.seconds += spent
        figures.slowest = max(figures.slowest, spent)
        figures.take(text, lines, dictionary)
    return figures


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--dictionary", type=Path, default=Path("/usr/share/dict/words"))
    options = parser.parse_args()
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    entries = frozenset(options.dictionary.read_text("utf-8").lower().split())
    files = sorted(options.folder.rglob("*.pdf"))
    print(f"{len(files)} files")
    for name, extract in (("pypdf", with_pypdf), ("PDFium", with_pdfium)):
        row = measure(files, extract, entries)
        print(
            f"{name:<8} failed {row.failed}, CPU s {row.seconds:.1f} (slowest {row.slowest:.1f}), "
            f"words {row.words:,}, known {row.known / row.words:.1%}, "
            f"mended {row.mended_known / row.mended_words:.1%}, ligatures {row.ligatures}, "
            f"broken {row.broken}, titles {row.titles}, abstracts {row.abstracts}"
        )


if __name__ == "__main__":
    main()
