"""Judges that ask a language model: one alone, and one that gives a second opinion."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

from claimscope.errors import ConfigurationError
from claimscope.labels import Label
from claimscope.models.chat.replies import Replies
from claimscope.models.chat.server import MODEL, URL, ChatServer
from claimscope.pipeline.stage import Composable, Kind, Part, require_positive
from claimscope.stages.judge.llm_answer import opinion_of, request_for
from claimscope.stages.oracle import certain
from claimscope.types import (
    Candidate,
    Case,
    Claim,
    LabelProbabilities,
    ModelCall,
    Opinion,
    RationaleSentence,
    Score,
)

_SIDES = frozenset({Label.SUPPORTS, Label.REFUTES})
_MILLION = 1_000_000


@dataclass(frozen=True)
class LanguageModelJudge(Composable):
    """Lets a language model label each abstract and name its sentences.

    The model is on a server that speaks the chat completions API. Address and name of the model
    come from CLAIMSCOPE_LLM_URL and CLAIMSCOPE_LLM_MODEL unless the preset has them, and a key
    from CLAIMSCOPE_LLM_KEY. A label without a sentence of the abstract does not count. Replies are
    kept, so that the same question gets the same answer.
    """

    url: str = ""
    llm: str = ""
    timeout: float = 120.0
    """Seconds that one attempt may take."""
    retries: int = 2
    parallel: int = 2
    """How many requests are under way at once."""
    tokens: int = 400
    """At most so many tokens of an answer."""
    temperature: float = 1.0
    """What the labels' log-probabilities are divided by; fitted on held-out claims."""
    assumed: float = 0.8
    """The probability of a label where the server gives no log-probabilities."""
    omit: tuple[str, ...] = ()
    """Fields of the request that the server does not know, such as "logprobs"."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Further fields of the request."""
    price_in: float = 0.0
    """The price of a million tokens that are read."""
    price_out: float = 0.0
    cache: bool = True

    kind: ClassVar[Kind] = Kind.JUDGE
    name: ClassVar[str] = "llm"
    requires: ClassVar[frozenset[Part]] = frozenset({Part.CANDIDATES})
    provides: ClassVar[frozenset[Part]] = frozenset({Part.RATIONALE, Part.LABELS})

    def __post_init__(self) -> None:
        for parameter, variable in (("url", URL), ("llm", MODEL)):
            if not getattr(self, parameter):
                object.__setattr__(self, parameter, os.environ.get(variable, ""))
        for parameter in ("parallel", "tokens"):
            require_positive(self, parameter)
        if self.timeout <= 0 or self.temperature <= 0 or self.retries < 0:
            raise ConfigurationError(
                f"Stage judge.{self.name} needs a timeout and a temperature above 0, and 0 or more "
                "retries."
            )
        if not 1 / 3 < self.assumed < 1:
            raise ConfigurationError(
                f"Parameter 'assumed' of stage judge.{self.name} must lie between 1/3 and 1, not "
                f"{self.assumed:g}."
            )

    def run(self, cases: Sequence[Case]) -> list[Case]:
        """Ask about the candidates of all cases, several at a time."""
        asked = {
            (number, place): self._request(case.claim, item)
            for number, case in enumerate(cases)
            for place, item in enumerate(case.candidates)
            if self._is_asked(item)
        }
        if not asked:
            return [self._answered(number, case, {}) for number, case in enumerate(cases)]
        with ThreadPoolExecutor(self.parallel) as pool:
            found = dict(zip(asked, pool.map(self._ask, asked.values()), strict=True))
        return [self._answered(number, case, found) for number, case in enumerate(cases)]

    def _is_asked(self, item: Candidate) -> bool:
        return item.document.has_abstract

    def _judged(self, item: Candidate, opinion: Opinion) -> Candidate:
        """Give a candidate the label of the model, if its answer can be used."""
        named = replace(item, opinions=(*item.opinions, opinion))
        labels = opinion.labels
        if labels is None:
            silent = certain(Label.NOT_ENOUGH_INFO)
            return replace(named, labels=silent, rationale=(), abstained=opinion.problem)
        sure = labels.of(labels.label)
        sentences = (RationaleSentence(each, Score(sure, sure)) for each in opinion.sentences)
        return replace(named, labels=labels, rationale=tuple(sentences), abstained=None)

    def _unasked(self, item: Candidate) -> Candidate:
        return replace(item, labels=certain(Label.NOT_ENOUGH_INFO), rationale=())

    def _answered(
        self, number: int, case: Case, found: Mapping[tuple[int, int], tuple[Any, ModelCall]]
    ) -> Case:
        candidates, calls = [], []
        for place, item in enumerate(case.candidates):
            if (number, place) not in found:
                candidates.append(self._unasked(item))
                continue
            body, call = found[number, place]
            opinion = opinion_of(self.llm, body, item.document, self.assumed, self.temperature)
            candidates.append(self._judged(item, opinion))
            calls.append(replace(call, document_id=item.document.id))
        return replace(case, candidates=tuple(candidates), calls=(*case.calls, *calls))

    @cached_property
    def _server(self) -> ChatServer:
        if not self.url or not self.llm:
            raise ConfigurationError(
                f"Stage judge.{self.name} needs a language model; set {URL} to the address of its "
                f"server, such as http://127.0.0.1:11434/v1, and {MODEL} to its name there."
            )
        return ChatServer.with_key(self.url, self.timeout, self.retries)

    def _request(self, claim: Claim, item: Candidate) -> dict[str, Any]:
        whole = request_for(self.llm, claim, item.document, self.tokens) | dict(self.extra)
        return {key: value for key, value in whole.items() if key not in self.omit}

    def _ask(self, request: Mapping[str, Any]) -> tuple[Mapping[str, Any], ModelCall]:
        replies = Replies.default() if self.cache else Replies(None)
        kept = replies.get(self._server.url, request)
        if kept is not None:
            return kept, self._call(kept, 0, 0.0)
        reply = self._server.complete(request)
        replies.put(self._server.url, request, reply.body)
        return reply.body, self._call(reply.body, reply.attempts, reply.seconds)

    def _call(self, body: Mapping[str, Any], attempts: int, seconds: float) -> ModelCall:
        usage = body.get("usage")
        counts = usage if isinstance(usage, dict) else {}
        read, written = (
            value if isinstance(value := counts.get(key), int) else 0
            for key in ("prompt_tokens", "completion_tokens")
        )
        cost = (read * self.price_in + written * self.price_out) / _MILLION if attempts else 0.0
        return ModelCall(self.llm, "", attempts, read, written, cost, seconds)


@dataclass(frozen=True)
class SecondOpinion(LanguageModelJudge):
    """Asks a language model about the abstracts that a verifier takes as evidence.

    Where both agree nothing changes. Where the model says otherwise, the label stays and its
    probability sinks to the weighted mean of both, so that the verdict becomes weaker.
    """

    weight: float = 0.5
    """What the language model weighs where it disagrees."""

    name: ClassVar[str] = "second-opinion"
    requires: ClassVar[frozenset[Part]] = frozenset({Part.CANDIDATES, Part.LABELS})
    provides: ClassVar[frozenset[Part]] = frozenset()

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.weight < 1:
            raise ConfigurationError(
                "Parameter 'weight' of stage judge.second-opinion must lie between 0 and 1, not "
                f"{self.weight:g}."
            )

    def _is_asked(self, item: Candidate) -> bool:
        return item.label in _SIDES and bool(item.rationale) and item.abstained is None

    def _unasked(self, item: Candidate) -> Candidate:
        return item

    def _judged(self, item: Candidate, opinion: Opinion) -> Candidate:
        first, second = item.labels, opinion.labels
        if first is not None and second is not None and first.label is not second.label:
            first = self._mean(first, second)
        return replace(item, labels=first, opinions=(*item.opinions, opinion))

    def _mean(self, first: LabelProbabilities, second: LabelProbabilities) -> LabelProbabilities:
        def mean(label: Label) -> float:
            return (1 - self.weight) * first.of(label) + self.weight * second.of(label)

        return LabelProbabilities(
            mean(Label.SUPPORTS), mean(Label.REFUTES), mean(Label.NOT_ENOUGH_INFO), first.label
        )
