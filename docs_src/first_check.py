"""Check one claim against the demonstration library and print the evidence."""

# --8<-- [start:imports]
from claimscope import Checker, open_library

# --8<-- [end:imports]

with open_library("demo") as library:
    case = Checker(library).check("Hormone therapy protects women from heart disease")
print(case.verdict.label.verdict, case.verdict.rule.statement)
