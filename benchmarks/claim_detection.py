"""How well checkable claims are found: precision and recall on sentences that people marked.

    python benchmarks/claim_detection.py DATA/claim_sentences/dev.jsonl.gz

The set marks what a paper itself concludes. A text may hold other statements that can be checked
(background, single results); found ones count as errors here.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter
from pathlib import Path

from claimscope.claims import judge


def main(path: Path) -> None:
    """Print the table."""
    counts: Counter[tuple[bool, bool]] = Counter()
    missed: Counter[str] = Counter()
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            found = judge(record["sentences"])
            for (is_claim, _, reason), label in zip(found, record["labels"], strict=True):
                counts[is_claim, bool(label)] += 1
                if label and not is_claim:
                    missed[reason] += 1
    right = counts[True, True]
    precision = right / (right + counts[True, False])
    recall = right / (right + counts[False, True])
    print(f"sentences {counts.total():,}, claims {right + counts[False, True]:,}")
    print(f"precision {precision:.3f}, recall {recall:.3f}")
    print(f"F1        {2 * precision * recall / (precision + recall):.3f}")
    always = (right + counts[False, True]) / counts.total()
    print(f"F1 if every sentence were one {2 * always / (always + 1):.3f}")
    print("missed:", ", ".join(f"{reason} {count}" for reason, count in missed.most_common(6)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    main(parser.parse_args().file)
