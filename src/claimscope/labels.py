"""The labels of the task, and every spelling the field's data sets give them."""

from __future__ import annotations

from enum import Enum

from claimscope.errors import UnknownLabelError


class Label(Enum):
    """The label of an abstract or a claim; DISPUTED exists for whole claims only."""

    SUPPORTS = "SUPPORTS"
    REFUTES = "REFUTES"
    NOT_ENOUGH_INFO = "NOT_ENOUGH_INFO"
    DISPUTED = "DISPUTED"

    @property
    def verdict(self) -> str:
        """The word used when the label is the verdict on a claim."""
        return _VERDICT_WORDS[self]

    @classmethod
    def parse(cls, spelling: str) -> Label:
        """Read a label in any data set's spelling; case, spaces and punctuation are free."""
        key = "".join(character for character in spelling.casefold() if character.isalnum())
        try:
            return _SPELLINGS[key]
        except KeyError:
            raise UnknownLabelError(spelling, sorted(_SPELLINGS)) from None


_VERDICT_WORDS = {
    Label.SUPPORTS: "SUPPORTED",
    Label.REFUTES: "REFUTED",
    Label.NOT_ENOUGH_INFO: "NOT_ENOUGH_INFO",
    Label.DISPUTED: "DISPUTED",
}

_SPELLINGS = {
    # SciFact, SciFact-Open, Citation-Integrity
    "support": Label.SUPPORTS,
    "contradict": Label.REFUTES,
    "nei": Label.NOT_ENOUGH_INFO,
    # FEVER, VitaminC, CLIMATE-FEVER and the COMP90042 climate task
    "supports": Label.SUPPORTS,
    "refutes": Label.REFUTES,
    "notenoughinfo": Label.NOT_ENOUGH_INFO,
    "disputed": Label.DISPUTED,
    # Check-COVID, CoVERT
    "refute": Label.REFUTES,
    "notenoughinformation": Label.NOT_ENOUGH_INFO,
    # COVID-Fact, our own verdicts
    "supported": Label.SUPPORTS,
    "refuted": Label.REFUTES,
    # HealthVer, Citation-Integrity
    "neutral": Label.NOT_ENOUGH_INFO,
    "contradicts": Label.REFUTES,
    # Inference sets: SNLI, MultiNLI, NLI4CT
    "entailment": Label.SUPPORTS,
    "contradiction": Label.REFUTES,
    # PubHealth and COVID-19 Scientific
    "true": Label.SUPPORTS,
    "false": Label.REFUTES,
    "mixture": Label.DISPUTED,
    "unproven": Label.NOT_ENOUGH_INFO,
    # VerT5erini's target words
    "weak": Label.NOT_ENOUGH_INFO,
}
