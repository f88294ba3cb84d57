"""Opens models by name when a stage first needs them, and keeps them open for the next."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from claimscope.errors import (
    ClaimscopeError,
    ConfigurationError,
    InputError,
    MissingExtraError,
    MissingModelError,
)
from claimscope.models.catalogue import VECTORS
from claimscope.models.checkpoint import Shape
from claimscope.models.fingerprint import weights_sha256
from claimscope.models.locate import Found, Locator
from claimscope.models.runtime import Progress, Settings
from claimscope.models.verifier.settings import VerifierSettings, read_verifier

if TYPE_CHECKING:  # Pipelines are built, and presets listed, without NumPy and the tokenisers.
    from claimscope.models.scorer import Scorer
    from claimscope.models.text_encoder import TextEncoder
    from claimscope.models.verifier.joint import JointVerifier

Model = TypeVar("Model")


@contextmanager
def _readable(model: str) -> Iterator[None]:
    """Tell in one sentence that a model's files are damaged, whatever library stumbled on them."""
    try:
        yield
    except (ClaimscopeError, ImportError, MemoryError):
        raise
    except Exception as error:
        words = " ".join(f"{type(error).__name__}: {error}".split())[:300]
        raise ConfigurationError(
            f"The model {model} cannot be opened ({words}); get it again, or copy its whole folder."
        ) from error


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
            with _readable(model):
                self._verifiers[key] = self._open(model, reread)
        return self._verifiers[key]

    def verifier_settings(self, model: str) -> VerifierSettings | None:
        """Give a verifier's settings, or None if it is not on this machine."""
        try:
            return read_verifier(self.locator.find(model).folder)
        except (MissingModelError, InputError):
            return None

    def encoder(self, model: str) -> TextEncoder:
        """Open an encoder of single texts by its name or folder."""
        return self._kept(self._encoders, self._open_encoder, model, Shape.ENCODER)

    def sha256(self, model: str) -> str | None:
        """Give the checksum of a model's weights, or None if it is not on this machine."""
        try:
            folder = self.locator.ready(model).folder
            first = read_verifier(folder).first
            others = [self.locator.ready(first).folder] if first else []
            return weights_sha256(folder, *others)
        except (MissingModelError, MissingExtraError, InputError):
            return None

    def _open(self, model: str, reread: int | None) -> JointVerifier:
        found = self._found(model, (Shape.JOINT,))
        about = read_verifier(found.folder)
        if reread is not None:
            about = replace(about, reread=reread)
        return self._open_verifier(found, about)

    def _kept(
        self, kept: dict[str, Model], opened: Callable[[Found], Model], model: str, *shapes: Shape
    ) -> Model:
        if model not in kept:
            with _readable(model):
                kept[model] = opened(self._found(model, shapes))
        return kept[model]

    def _found(self, model: str, shapes: Sequence[Shape]) -> Found:
        found = self.locator.ready(model)
        if found.checkpoint.shape not in shapes:
            raise ConfigurationError(
                f"The model {model} is a {found.checkpoint.shape} model, and this stage needs a "
                f"{' or '.join(shapes)} model; name another."
            )
        return found

    def _open_encoder(self, found: Found) -> TextEncoder:
        arguments = (found, self.settings, self.progress)
        if found.is_onnx:
            from claimscope.models.onnx_models import OnnxEncoder

            return OnnxEncoder(*arguments)
        from claimscope.models.torch_models import TorchEncoder

        return TorchEncoder(*arguments)

    def _open_verifier(self, found: Found, about: VerifierSettings) -> JointVerifier:
        from claimscope.models.verifier.opening import VerifierOpener

        find = partial(self._found, shapes=(Shape.JOINT,))
        return VerifierOpener(find, self.settings, self.progress).open(found, about)

    def _open_scorer(self, found: Found) -> Scorer:
        arguments = (found, self.settings, self.progress)
        if found.checkpoint.shape is Shape.PROMPT:
            from claimscope.models.torch_models import TorchPromptScorer

            return TorchPromptScorer(*arguments)
        if found.is_onnx:
            from claimscope.models.onnx_models import OnnxPairScorer

            return OnnxPairScorer(*arguments)
        from claimscope.models.torch_models import TorchPairScorer

        return TorchPairScorer(*arguments)


def static_vectors() -> TextEncoder:
    """Open the encoder that comes with the package, for vectors that a library keeps."""
    return Models().encoder(VECTORS)
