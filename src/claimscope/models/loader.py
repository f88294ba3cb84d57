"""Opens models by name when a stage first needs them, and keeps them open for the next."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from claimscope.errors import ConfigurationError
from claimscope.models.checkpoint import Shape
from claimscope.models.locate import Found, Locator
from claimscope.models.settings import Progress, Settings

if TYPE_CHECKING:  # Pipelines are built, and presets listed, without NumPy and the tokenisers.
    from claimscope.models.joint import JointVerifier
    from claimscope.models.scorer import Scorer


@dataclass
class Models:
    """The models of one pipeline; stages that name the same one share it."""

    locator: Locator = field(default_factory=Locator)
    settings: Settings = field(default_factory=Settings.from_environment)
    progress: Progress | None = None
    _scorers: dict[str, Scorer] = field(default_factory=dict, init=False, repr=False)
    _verifiers: dict[str, JointVerifier] = field(default_factory=dict, init=False, repr=False)

    def scorer(self, model: str) -> Scorer:
        """Open a pair scorer or a prompt scorer by its name or folder."""
        if model not in self._scorers:
            found = self.locator.find(model)
            _require(found, model, Shape.PAIR, Shape.PROMPT)
            self._scorers[model] = self._open_scorer(found)
        return self._scorers[model]

    def verifier(self, model: str) -> JointVerifier:
        """Open a joint verifier by its name or folder."""
        if model not in self._verifiers:
            found = self.locator.find(model)
            _require(found, model, Shape.JOINT)
            self._verifiers[model] = self._open_verifier(found)
        return self._verifiers[model]

    def _open_verifier(self, found: Found) -> JointVerifier:
        arguments = (found.folder, found.checkpoint, self.settings, self.progress)
        if found.is_onnx:
            from claimscope.models.onnx_joint import OnnxJointVerifier

            return OnnxJointVerifier(*arguments)
        from claimscope.models.torch_joint import TorchJointVerifier

        return TorchJointVerifier(*arguments)

    def _open_scorer(self, found: Found) -> Scorer:
        arguments = (found.folder, found.checkpoint, self.settings, self.progress)
        if found.checkpoint.shape is Shape.PROMPT:
            from claimscope.models.torch_prompts import TorchPromptScorer

            return TorchPromptScorer(*arguments)
        if found.is_onnx:
            from claimscope.models.onnx_pairs import OnnxPairScorer

            return OnnxPairScorer(*arguments)
        from claimscope.models.torch_pairs import TorchPairScorer

        return TorchPairScorer(*arguments)


def _require(found: Found, model: str, *shapes: Shape) -> None:
    if found.checkpoint.shape not in shapes:
        raise ConfigurationError(
            f"The model {model} is a {found.checkpoint.shape} model, and this stage needs a "
            f"{' or '.join(shapes)} model; name another."
        )
