"""The joint verifier against the published formulas, computed by hand."""

import pytest

from claimscope.models.verifier.joint import Abstract
from tests.tiny_models import REASON, TinyModels

torch = pytest.importorskip("torch", reason=REASON)
transformers = pytest.importorskip("transformers", reason=REASON)

ABSTRACTS = [
    Abstract("Aspirin works.", "A trial", ("We gave aspirin.", "It worked.", "It cost little.")),
    Abstract("Aspirin works.", "", ("One sentence only, but a longer one than the others are.",)),
    Abstract("Tea.", "Tea and iron", ("Tea.", "Iron.")),
]


def by_hand(tiny: TinyModels, abstract: Abstract) -> tuple[list[float], list[float]]:
    from claimscope.models.verifier.multivers import load_network

    network, _ = load_network(tiny.joint)
    network.eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(tiny.joint)
    parts = [abstract.claim, *([abstract.title] if abstract.title else []), *abstract.sentences]
    ids = tokenizer("</s>".join(parts), return_tensors="pt")["input_ids"]
    marks = (ids[0] == 2).nonzero().ravel()
    seen = ((ids == 2) | (torch.arange(ids.shape[1])[None] < marks[0])).long()
    with torch.no_grad():
        states = network["encoder"](ids, global_attention_mask=seen)
        pooled = states.pooler_output[0]
        heads = {name: list(network[name]) for name in ("label_head", "sentence_head")}

        def head(name: str, value: object) -> object:
            first, activation, last = heads[name]
            return last(activation(first(value)))

        labels = torch.softmax(head("label_head", pooled), -1).tolist()
        sentences = [
            torch.sigmoid(
                head("sentence_head", torch.cat([pooled, states.last_hidden_state[0, mark]]))
            ).item()
            for mark in marks[-len(abstract.sentences) :]
        ]
    return labels, sentences


def test_labels_and_sentences_are_those_of_the_published_heads(tiny: TinyModels) -> None:
    results = tiny.models(batch_size=2).verifier("multivers-scifact").verify(ABSTRACTS)
    for abstract, result in zip(ABSTRACTS, results, strict=True):
        labels, sentences = by_hand(tiny, abstract)
        got = (result.labels.refutes, result.labels.not_enough_info, result.labels.supports)
        assert got == pytest.approx(labels, abs=1e-5)
        assert [item.probability for item in result.sentences] == pytest.approx(sentences, abs=1e-5)


def test_a_batch_gives_what_its_abstracts_give_alone(tiny: TinyModels) -> None:
    verifier = tiny.models(batch_size=3).verifier("multivers-scifact")
    together = verifier.verify(ABSTRACTS)
    for abstract, result in zip(ABSTRACTS, together, strict=True):
        [alone] = verifier.verify([abstract])
        assert alone.labels.supports == pytest.approx(result.labels.supports, abs=1e-5)
        assert [item.raw for item in alone.sentences] == pytest.approx(
            [item.raw for item in result.sentences], abs=1e-4
        )
