from claimscope import Checker, open_library

with open_library("demo") as library:
    checker = Checker(library)
    case = checker.check("Sugar makes children hyperactive")
if case.verdict is not None:
    print(case.verdict.label.verdict)  # REFUTED
for candidate in case.candidates:
    print(candidate.document.title, [sentence.index for sentence in candidate.rationale])
