"""How do I check a claim from Python, and read the evidence?"""

from claimscope import Checker, open_library

with open_library("demo") as library:
    case = Checker(library).check("Beta-carotene supplements prevent lung cancer")

if case.verdict is not None:
    print(case.verdict.label.verdict, "-", case.verdict.rule.statement)
for candidate in case.candidates:
    for sentence in candidate.rationale:
        text = candidate.document.sentences[sentence.index]
        print(f"[{candidate.document.id}] {text}")
