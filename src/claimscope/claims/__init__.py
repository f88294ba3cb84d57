"""Finds the sentences of a text that state something which papers could support or refute."""

from claimscope.claims.detection import Sentence, find_claims, judge

__all__ = ["Sentence", "find_claims", "judge"]
