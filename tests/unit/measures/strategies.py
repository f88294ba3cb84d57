"""Made-up gold and predictions for property tests."""

from __future__ import annotations

from hypothesis import strategies as st

from claimscope.labels import Label
from claimscope.measures.measure import (
    EvidenceData,
    Forecast,
    ForecastData,
    LabelData,
    PredictedEvidence,
    RankingData,
)
from claimscope.types import GoldEvidence

DOCUMENTS = [f"d{number}" for number in range(8)]
CLAIMS = [f"c{number}" for number in range(5)]
deciding = st.sampled_from([Label.SUPPORTS, Label.REFUTES])
documents = st.sampled_from(DOCUMENTS)
rankings = st.lists(documents, max_size=12).map(
    lambda names: tuple((name, -float(rank)) for rank, name in enumerate(names))
)
judgements = st.dictionaries(documents, st.integers(0, 2), max_size=4)


@st.composite
def gold_evidence(draw: st.DrawFn) -> GoldEvidence:
    sentences = draw(st.permutations(range(8)))
    sizes = draw(st.lists(st.integers(1, 5), min_size=1, max_size=3))
    rationales = []
    for size in sizes:
        chosen, sentences = sentences[:size], sentences[size:]
        if chosen:
            rationales.append(frozenset(chosen))
    return GoldEvidence(draw(deciding), tuple(rationales))


predicted_evidence = st.builds(
    PredictedEvidence, deciding, st.lists(st.integers(0, 9), max_size=6).map(tuple)
)


ranking_data = st.builds(
    RankingData,
    st.fixed_dictionaries(dict.fromkeys(CLAIMS, judgements)),
    st.dictionaries(st.sampled_from([*CLAIMS, "unknown"]), rankings),
)
evidence_data = st.builds(
    EvidenceData,
    st.fixed_dictionaries(
        dict.fromkeys(CLAIMS, st.dictionaries(documents, gold_evidence(), max_size=3))
    ),
    st.dictionaries(
        st.sampled_from(CLAIMS), st.dictionaries(documents, predicted_evidence, max_size=4)
    ),
)
labels = st.sampled_from(list(Label))
label_data = st.builds(
    LabelData,
    st.fixed_dictionaries(dict.fromkeys(CLAIMS, labels)),
    st.fixed_dictionaries(dict.fromkeys(CLAIMS, labels)),
)
forecast_data = st.lists(
    st.builds(
        Forecast.of_confidence,
        st.sampled_from(CLAIMS),
        st.floats(0, 1, allow_nan=False),
        st.booleans(),
    ),
    max_size=20,
).map(ForecastData)
