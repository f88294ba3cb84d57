"""Turns claims and evidence into token ids; only evidence is ever cut, never claim or cue."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tokenizers import Encoding, Tokenizer

from claimscope.errors import ClaimError, ConfigurationError
from claimscope.models.scorer import Pair


@dataclass(frozen=True, slots=True)
class Encoded:
    """The token ids of one input, and which of its two texts each belongs to."""

    ids: tuple[int, ...]
    types: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Special:
    """The numbers of the tokens that part the texts."""

    start: int
    separator: int
    padding: int

    @classmethod
    def of(cls, tokenizer: Tokenizer) -> Special:
        """Look the tokens up, under BERT's names or MPNet's."""
        for names in (("[CLS]", "[SEP]", "[PAD]"), ("<s>", "</s>", "<pad>")):
            found = (tokenizer.token_to_id(name) for name in names)
            numbers = [number for number in found if number is not None]
            if len(numbers) == len(names):
                return cls(*numbers)
        raise ConfigurationError(
            "The verifier's tokenizer.json has neither [CLS], [SEP], [PAD] nor <s>, </s>, <pad>; "
            "use the file of an encoder of BERT's or MPNet's kind."
        )


def prepare(tokenizer: Tokenizer) -> Tokenizer:
    """Take padding and truncation into our own hands, and read a typed "[SEP]" as plain text."""
    tokenizer.no_padding()
    tokenizer.no_truncation()
    tokenizer.encode_special_tokens = True
    return tokenizer


def too_long(claim: str, room: int) -> ClaimError:
    """Say that a claim leaves no room for evidence."""
    return ClaimError(
        f"The claim {claim[:60]!r} is too long for this model, which reads at most {room} tokens "
        "of claim and evidence together; shorten the claim or use another preset."
    )


@dataclass(frozen=True)
class PairEncoder:
    """Encodes a pair as two texts, in the order the model was trained with."""

    tokenizer: Tokenizer
    max_length: int
    evidence_first: bool

    def encode(self, pairs: Sequence[Pair]) -> list[Encoded]:
        """Encode every pair, cutting the end of the evidence where it must be cut."""
        claims = {pair.claim: self._plain(pair.claim) for pair in pairs}
        evidence = self.tokenizer.encode_batch(
            [pair.evidence for pair in pairs], add_special_tokens=False
        )
        return [
            self._joined(pair.claim, claims[pair.claim], each)
            for pair, each in zip(pairs, evidence, strict=True)
        ]

    def _plain(self, text: str) -> Encoding:
        return self.tokenizer.encode(text, add_special_tokens=False)

    def _joined(self, text: str, claim: Encoding, evidence: Encoding) -> Encoded:
        """Join two texts; the tokeniser's own truncation is a setting that threads would share."""
        room = self.max_length - len(claim.ids) - self.tokenizer.num_special_tokens_to_add(True)
        if room < 1:
            raise too_long(text, self.max_length)
        evidence.truncate(room)
        texts = (evidence, claim) if self.evidence_first else (claim, evidence)
        joined = self.tokenizer.post_process(*texts)
        return Encoded(tuple(joined.ids), tuple(joined.type_ids))


@dataclass(frozen=True)
class PromptEncoder:
    """Encodes a pair as one prompt with the two texts put in a template's places."""

    tokenizer: Tokenizer
    max_length: int
    template: str

    def __post_init__(self) -> None:
        if self.template.count("{claim}") != 1 or self.template.count("{evidence}") != 1:
            raise ConfigurationError(
                f"The template {self.template!r} needs {{claim}} and {{evidence}}, each once."
            )

    def prompt(self, pair: Pair) -> str:
        """Fill the template; braces in the texts are left as they are."""
        before, after = self.template.split("{evidence}")
        filled = (part.replace("{claim}", pair.claim) for part in (before, after))
        return pair.evidence.join(filled)

    def encode(self, pairs: Sequence[Pair]) -> list[Encoded]:
        """Encode every prompt, cutting the end of the evidence where it must be cut."""
        encodings = self.tokenizer.encode_batch([self.prompt(pair) for pair in pairs])
        return [
            Encoded(tuple(each.ids), tuple(each.type_ids))
            if len(each.ids) <= self.max_length
            else self._cut(pair)
            for pair, each in zip(pairs, encodings, strict=True)
        ]

    def _cut(self, pair: Pair) -> Encoded:
        """Cut evidence until the prompt fits; each round cuts as many tokens as are too many."""
        claim, evidence = pair
        start = self.prompt(Pair(claim, "\0")).index("\0")
        while True:
            encoding = self.tokenizer.encode(self.prompt(Pair(claim, evidence)))
            surplus = len(encoding.ids) - self.max_length
            if surplus <= 0:
                return Encoded(tuple(encoding.ids), tuple(encoding.type_ids))
            inside = [
                first
                for first, last in encoding.offsets
                if first < last and start <= first < start + len(evidence)
            ]
            if not evidence.strip() or not inside:
                raise too_long(claim, self.max_length)
            kept = inside[-surplus] - start if surplus <= len(inside) else 0
            evidence = evidence[: min(kept, len(evidence) - 1)].rstrip()
