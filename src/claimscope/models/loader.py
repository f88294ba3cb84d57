"""Opens models by name when a stage first needs them, and keeps them open for the next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar

from claimscope.errors import ConfigurationError, InputError, MissingModelError
from claimscope.models.checkpoint import Checkpoint, Shape
from claimscope.models.fingerprint import weights_sha256
from claimscope.models.locate import Found, Locator
from claimscope.models.settings import Progress, Settings

if TYPE_CHECKING:  # Pipelines are built, and presets listed, without NumPy and the tokenisers.
    from claimscope.models.scorer import Scorer
    from claimscope.models.text_encoder import TextEncoder
    from claimscope.models.verifier.joint import JointVerifier

Model = TypeVar("Model")


@dataclass
class Models:
    """The models of one pipeline; stages that name the same one share it."""

    locator: Locator = field(default_factory=Locator)
    settings: Settings = field(default_factory=Settings.from_environment)
    progress: Progress | None = None
    _scorers: dict[str, Scorer] = field(default_factory=dict, init=False, repr=False)
    _verifiers: dict[tuple[str, int | None], JointVerifier] = field(
        default_factory=dict, init=False, repr=False
    )
    _encoders: dict[str, TextEncoder] = field(default_factory=dict, init=False, repr=False)

    def scorer(self, model: str) -> Scorer:
        """Open a pair scorer or a prompt scorer by its name or folder."""
        return self._kept(self._scorers, self._open_scorer, model, Shape.PAIR, Shape.PROMPT)

    def verifier(self, model: str, reread: int | None = None) -> JointVerifier:
        """Open a joint verifier by its name or folder, perhaps to read fewer sentences again."""
        key = (model, reread)
        if key not in self._verifiers:
            found = self._found(model, Shape.JOINT)
            if reread is not None:
                found = replace(found, checkpoint=replace(found.checkpoint, reread=reread))
            self._verifiers[key] = self._open_verifier(found)
        return self._verifiers[key]

    def encoder(self, model: str) -> TextEncoder:
        """Open an encoder of single texts by its name or folder."""
        return self._kept(self._encoders, self._open_encoder, model, Shape.ENCODER)

    def sha256(self, model: str) -> str | None:
        """Give the checksum of a model's weights, or None if it is not on this machine."""
        try:
            found = self.locator.find(model)
            first = found.checkpoint.first
            others = [self.locator.find(first).folder] if first else []
            return weights_sha256(found.folder, *others)
        except (MissingModelError, InputError):
            return None

    def _kept(
        self, kept: dict[str, Model], opened: Callable[[Found], Model], model: str, *shapes: Shape
    ) -> Model:
        if model not in kept:
            kept[model] = opened(self._found(model, *shapes))
        return kept[model]

    def _found(self, model: str, *shapes: Shape) -> Found:
        found = self.locator.find(model)
        if found.checkpoint.shape not in shapes:
            raise ConfigurationError(
                f"The model {model} is a {found.checkpoint.shape} model, and this stage needs a "
                f"{' or '.join(shapes)} model; name another."
            )
        return found

    def _open_encoder(self, found: Found) -> TextEncoder:
        arguments = (found, self.settings, self.progress)
        if found.is_onnx:
            from claimscope.models.onnx_encoder import OnnxEncoder

            return OnnxEncoder(*arguments)
        from claimscope.models.torch_encoder import TorchEncoder

        return TorchEncoder(*arguments)

    def _open_verifier(self, found: Found) -> JointVerifier:
        row = found.checkpoint
        if row.first:
            return self._open_second(found)
        if row.reread or row.stance_weight:
            return self._open_rereading(found)
        arguments = (found, self.settings, self.progress)
        if found.is_onnx:
            from claimscope.models.verifier.onnx import OnnxJointVerifier

            return OnnxJointVerifier(*arguments)
        from claimscope.models.torch_joint import TorchJointVerifier

        return TorchJointVerifier(*arguments)

    def _open_rereading(self, found: Found) -> JointVerifier:
        """Let a verifier read its best sentences again, and perhaps a network of stances."""
        from claimscope.models.verifier.rereading import Rereading, RereadingVerifier

        row = found.checkpoint
        settings = Rereading(
            row.reread,
            row.reread_weight,
            row.reread_least,
            row.reread_sentence_weight,
            row.stance_weight,
            row.stance_sentences,
        )
        once = _reading_once(found)
        stances = self._open_stances(once) if row.stance_weight else None
        reader = self._open_verifier(once)
        return RereadingVerifier(reader, settings, row.temperature, row.bias, stances)

    def _open_second(self, found: Found) -> JointVerifier:
        """Let a verifier read abstracts after its first reader."""
        from claimscope.models.verifier.second_reader import SecondReader

        row = found.checkpoint
        if row.reread or row.stance_weight:
            raise ConfigurationError(
                f"The model in {found.folder} reads abstracts after {row.first}, and does so once "
                "and without a network of stances; leave reread out of the stage, and set it and "
                "stance_weight in the model's claimscope.json to 0."
            )
        shares = (row.reread_weight, row.reread_sentence_weight, row.reread_least)
        reader = self._open_verifier(_reading_once(found))
        return SecondReader(self._open_first(found), reader, *shares, row.temperature, row.bias)

    def _open_first(self, found: Found) -> JointVerifier:
        """Open the verifier that reads whole abstracts for another, which scales for both."""
        model = found.checkpoint.first
        first = self._found(model, Shape.JOINT)
        if first.checkpoint.first:
            raise ConfigurationError(
                f"The model {model}, which reads whole abstracts for the one in {found.folder}, "
                "leaves them to another itself; name one that reads them as 'first' in the "
                "claimscope.json there."
            )
        return self._open_verifier(replace(first, checkpoint=_unscaled(first.checkpoint)))

    def _open_stances(self, found: Found) -> JointVerifier:
        from claimscope.models.verifier.onnx import STANCE, OnnxJointVerifier

        if not (found.folder / STANCE).is_file():
            raise ConfigurationError(
                f"The model in {found.folder} lacks {STANCE}, which tells support from refutation; "
                "export it again, or set stance_weight in its claimscope.json to 0."
            )
        return OnnxJointVerifier(found, self.settings, self.progress, STANCE)

    def _open_scorer(self, found: Found) -> Scorer:
        arguments = (found, self.settings, self.progress)
        if found.checkpoint.shape is Shape.PROMPT:
            from claimscope.models.torch_prompts import TorchPromptScorer

            return TorchPromptScorer(*arguments)
        if found.is_onnx:
            from claimscope.models.onnx_pairs import OnnxPairScorer

            return OnnxPairScorer(*arguments)
        from claimscope.models.torch_pairs import TorchPairScorer

        return TorchPairScorer(*arguments)


def _unscaled(row: Checkpoint) -> Checkpoint:
    return replace(row, temperature=1.0, bias=())


def _reading_once(found: Found) -> Found:
    """Leave one reading: what is calibrated is the label of all readings together."""
    plain = replace(_unscaled(found.checkpoint), reread=0, stance_weight=0.0, first="")
    return replace(found, checkpoint=plain)
