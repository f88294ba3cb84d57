"""Verifiers around a verifier: one that reads the same abstract once, one that scales labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from claimscope.models.verifier.joint import Abstract, JointVerifier, Verified
from claimscope.models.verifier.readings import scaled
from claimscope.models.verifier.settings import VerifierSettings


@dataclass
class Remembering:
    """A verifier that reads the same abstract once."""

    verifier: JointVerifier
    known: dict[Abstract, Verified] = field(default_factory=dict)

    def verify(self, abstracts: Sequence[Abstract]) -> list[Verified]:
        """Read what is new."""
        new = [each for each in dict.fromkeys(abstracts) if each not in self.known]
        self.known |= zip(new, self.verifier.verify(new), strict=True)
        return [self.known[each] for each in abstracts]


@dataclass(frozen=True)
class Scaled:
    """A verifier whose labels are scaled as its settings say."""

    verifier: JointVerifier
    settings: VerifierSettings

    def verify(self, abstracts: Sequence[Abstract]) -> list[Verified]:
        """Verify abstracts and scale their labels."""
        found = self.verifier.verify(abstracts)
        return [replace(each, labels=scaled(each.labels, self.settings)) for each in found]
