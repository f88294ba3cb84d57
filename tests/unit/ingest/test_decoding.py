from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.ingest import streams as decoding
from claimscope.ingest.streams import decode, read_lines


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_byte_order_marks_and_line_endings_are_understood(encoding: str, ending: str) -> None:
    data = ending.join(["Müller", "", "β-catenin"]).encode(encoding)
    assert list(read_lines(io.BytesIO(data))) == [(1, "Müller"), (2, ""), (3, "β-catenin")]


def test_a_line_that_is_not_utf8_is_read_as_windows_1252() -> None:
    data = "Größe – naïve\n".encode("cp1252") + "Größe\n".encode()
    assert [text for _, text in read_lines(io.BytesIO(data))] == ["Größe – naïve", "Größe"]


def test_nul_bytes_are_dropped() -> None:
    assert decode(b"a\0b") == "ab"


def test_a_line_over_the_limit_is_skipped_and_the_next_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(decoding, "RECORD_LIMIT", 10)
    monkeypatch.setattr(decoding, "CHUNK", 4)
    data = b"short\r\n" + b"x" * 25 + b"\r\nafter\n" + b"y" * 11
    assert list(read_lines(io.BytesIO(data))) == [(1, "short"), (2, None), (3, "after"), (4, None)]


@given(st.lists(st.text(st.characters(exclude_characters="\r\n\0", exclude_categories=["Cs"]))))
def test_lines_do_not_depend_on_where_chunks_end(lines: list[str]) -> None:
    class Trickle:
        """A source that gives one byte at a time."""

        def __init__(self, data: bytes) -> None:
            self.stream = io.BytesIO(data)

        def read(self, size: int, /) -> bytes:
            return self.stream.read(1)

    data = "".join(f"{line}\r\n" for line in ["first", *lines]).encode()
    assert list(read_lines(Trickle(data))) == list(read_lines(io.BytesIO(data)))
    assert [text for _, text in read_lines(io.BytesIO(data))] == ["first", *lines]
