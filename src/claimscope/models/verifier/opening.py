"""Opens a verifier's folder as the readings its settings ask for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from claimscope.errors import ConfigurationError
from claimscope.models.locate import Found
from claimscope.models.runtime import Progress, Settings
from claimscope.models.verifier.joint import JointVerifier
from claimscope.models.verifier.onnx_joint import MODEL, STANCE, OnnxJointVerifier
from claimscope.models.verifier.readings import RereadingVerifier, SecondReader
from claimscope.models.verifier.settings import VerifierSettings, read_verifier


@dataclass(frozen=True, slots=True)
class VerifierOpener:
    """Opens verifiers with what all models of a pipeline share."""

    find: Callable[[str], Found]
    """Finds the folder of another verifier, for those that read after a first one."""
    settings: Settings
    progress: Progress | None = None

    def open(self, found: Found, about: VerifierSettings) -> JointVerifier:
        """Open a verifier; what is scaled is the label of all its readings together."""
        reader = self._network(found)
        if about.first:
            own = self._rereading(found, reader, replace(about, temperature=1.0, bias=()))
            return SecondReader(self._first(found, about.first), own, about)
        return self._rereading(found, reader, about)

    def _rereading(
        self, found: Found, reader: JointVerifier, about: VerifierSettings
    ) -> JointVerifier:
        """Let a network read sentences again, if its settings ask for it, and scale its labels."""
        if about.reads_once and about.temperature == 1.0 and not about.bias:
            return reader
        stances = self._stances(found) if about.stance_weight else None
        return RereadingVerifier(reader, about, stances)

    def _network(self, found: Found) -> JointVerifier:
        if found.is_onnx:
            return OnnxJointVerifier(found, self.settings, self.progress, MODEL)
        from claimscope.models.verifier.multivers import TorchJointVerifier

        return TorchJointVerifier(found, self.settings, self.progress)

    def _first(self, found: Found, model: str) -> JointVerifier:
        """Open the verifier that reads before another, which scales for both."""
        first = self.find(model)
        about = read_verifier(first.folder)
        if about.first:
            raise ConfigurationError(
                f"The model {model}, which reads whole abstracts for the one in {found.folder}, "
                "leaves them to another itself; name one that reads them as 'first' in the "
                "claimscope.json there."
            )
        return self.open(first, replace(about, temperature=1.0, bias=()))

    def _stances(self, found: Found) -> JointVerifier:
        if not (found.folder / STANCE).is_file():
            raise ConfigurationError(
                f"The model in {found.folder} lacks {STANCE}, its stance classifier; export it "
                "again, or set stance_weight in its claimscope.json to 0."
            )
        return OnnxJointVerifier(found, self.settings, self.progress, STANCE)
