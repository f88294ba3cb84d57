from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.claims.reading import Refusal
from claimscope.errors import ClaimscopeError
from claimscope.service.claim_files import read_claims
from claimscope.types import Claim

KINDS = ("text/csv", "application/json", "application/x-ndjson", "text/plain")
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(("id", "claim", "x")), inner),
    max_leaves=8,
)


@given(body=st.binary() | st.text().map(str.encode), kind=st.sampled_from(KINDS))
def test_any_body_is_read_or_refused_in_words(body: bytes, kind: str) -> None:
    _read_or_refuse(body, kind)


@given(claims=st.lists(ANY_JSON))
def test_any_json_is_read_line_for_line(claims: list[object]) -> None:
    body = json.dumps({"claims": claims}).encode()
    assert len(list(read_claims(body, "application/json"))) == len(claims)
    _read_or_refuse(b"\n".join(json.dumps(item).encode() for item in claims), "text/plain")


def _read_or_refuse(body: bytes, kind: str) -> None:
    try:
        items = list(read_claims(body, kind))
    except ClaimscopeError:
        return
    for item in items:
        if isinstance(item, Claim):
            # What the library's file cannot hold must not get as far as there.
            f"{item.id}{item.text}".encode()


def test_a_table_finds_its_columns_by_name() -> None:
    table = '\ufeffnote,ID,Text\nx,7,"Tea, hot."\ny,,Coffee.\nz,9\nw,8,Milk.,more,cells\n'.encode()
    first, second, third, fourth = read_claims(table, "text/csv")
    assert (first, second) == (Claim("Tea, hot.", "7"), Claim("Coffee.", "2"))
    assert isinstance(third, Refusal)
    assert fourth == Claim("Milk.", "8")


@pytest.mark.parametrize("table", [b"", b"a,b\n1,2\n", b"claim\n", b"claim\n\xff\n"])
def test_a_table_without_claims_is_refused(table: bytes) -> None:
    with pytest.raises(ClaimscopeError):
        list(read_claims(table, "text/csv"))


def test_an_id_that_is_no_text_is_made_one() -> None:
    [claim] = read_claims(b'{"id": "\\ud800", "claim": "Tea."}', "text/plain")
    assert claim == Claim("Tea.", "?")
