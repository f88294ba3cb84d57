from claimscope import Checker, open_library

with open_library("demo") as library:
    case = Checker(library).check("The MMR vaccine causes autism")
if case.verdict is not None:
    print(case.verdict.label.verdict)  # REFUTED
    print(case.verdict.rule.statement)
for candidate in case.candidates:
    for sentence in candidate.rationale:
        print(candidate.document.id, candidate.document.sentences[sentence.index])
