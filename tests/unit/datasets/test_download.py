"""Downloads from a real server on this machine."""

from __future__ import annotations

import hashlib
import io
import tarfile
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from claimscope._download import Source, fetch
from claimscope.datasets import DATASETS, MissingDataError, get
from claimscope.datasets.record import Card
from claimscope.errors import FormatError

_BODY = b"0123456789" * 1000


class Server(ThreadingHTTPServer):
    """Serves bytes by path, in ranges if asked, and can break off in the middle."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.files: dict[str, bytes] = {}
        self.break_after: int | None = None
        self.ranges: list[str | None] = []
        self.supports_ranges = True

    def url(self, name: str) -> str:
        return f"http://127.0.0.1:{self.server_port}/{name}"


class _Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        asked = self.headers["Range"]
        self.server.ranges.append(asked)
        body = self.server.files.get(self.path.lstrip("/"))
        if body is None:
            self.send_error(404)
            return
        start = int(asked[6:-1]) if asked and self.server.supports_ranges else 0
        if start >= len(body):
            self.send_error(416)
            return
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(body) - start))
        self.end_headers()
        self.wfile.write(body[start : self.server.break_after])

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as the base class
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as running:
        thread = threading.Thread(target=running.serve_forever, daemon=True)
        thread.start()
        yield running
        running.shutdown()
        thread.join()


def _card(*sources: Source) -> Card:
    return replace(DATASETS["scifact"].card, folder="tiny", sources=sources)


def _plain(server: Server, body: bytes = _BODY, **known: object) -> Source:
    server.files["data.bin"] = body
    return replace(Source(server.url("data.bin"), {"data.bin": "claims.txt"}), **known)  # type: ignore[arg-type]


def test_a_plain_file_with_progress(server: Server, tmp_path: Path) -> None:
    seen: list[tuple[str, int, int | None]] = []
    source = _plain(server, size=len(_BODY), sha256=hashlib.sha256(_BODY).hexdigest())
    folder = get(_card(source), lambda *report: seen.append(report), tmp_path)
    assert (folder / "claims.txt").read_bytes() == _BODY
    assert seen[0] == ("data.bin", 0, len(_BODY))
    assert seen[-1] == ("data.bin", len(_BODY), len(_BODY))
    assert [path.name for path in folder.iterdir()] == ["claims.txt"], "nothing is left over"


def test_files_that_are_there_are_not_downloaded_again(server: Server, tmp_path: Path) -> None:
    card = _card(_plain(server))
    get(card, root=tmp_path)
    get(card, root=tmp_path)
    assert len(server.ranges) == 1


def test_a_broken_download_goes_on_where_it_stopped(server: Server, tmp_path: Path) -> None:
    card = _card(_plain(server, size=len(_BODY), sha256=hashlib.sha256(_BODY).hexdigest()))
    server.break_after = 4000
    with pytest.raises(MissingDataError, match="could not be downloaded"):
        get(card, root=tmp_path)
    server.break_after = None
    assert (get(card, root=tmp_path) / "claims.txt").read_bytes() == _BODY
    assert server.ranges[-1] == "bytes=4000-"


def test_a_server_without_ranges_starts_again(server: Server, tmp_path: Path) -> None:
    source = _plain(server)
    (tmp_path / "data.bin.part").write_bytes(b"old")
    server.supports_ranges = False
    assert fetch(source, tmp_path).read_bytes() == _BODY


def test_a_part_that_is_already_whole(server: Server, tmp_path: Path) -> None:
    source = _plain(server)
    (tmp_path / "data.bin.part").write_bytes(_BODY)
    assert fetch(source, tmp_path).read_bytes() == _BODY
    assert fetch(replace(source, size=len(_BODY)), tmp_path).read_bytes() == _BODY
    assert len(server.ranges) == 1, "with a known size the server need not be asked"


@pytest.mark.parametrize(
    ("known", "message"),
    [
        ({"size": 10_001}, "the connection ended after 10000 of 10001 bytes"),
        ({"size": 9_999}, "has 10000 bytes where 9999 belong"),
        ({"sha256": "0" * 64}, "does not have the expected checksum"),
    ],
)
def test_a_wrong_file_is_refused(
    server: Server, tmp_path: Path, known: dict[str, object], message: str
) -> None:
    with pytest.raises((FormatError, MissingDataError), match=message):
        get(_card(_plain(server, **known)), root=tmp_path)
    assert not (tmp_path / "tiny" / "claims.txt").exists()


def _tar(**members: bytes) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, body in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(body)
            archive.addfile(info, io.BytesIO(body))
    return buffer.getvalue()


def _zip(**members: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, body in members.items():
            archive.writestr(name, body)
    return buffer.getvalue()


@pytest.mark.parametrize("pack", [_tar, _zip])
def test_only_the_wanted_members_of_an_archive_are_taken(
    server: Server, tmp_path: Path, pack: type
) -> None:
    members = {"data/a.txt": b"A", "data/b.txt": b"B", "../escape.txt": b"C"}
    source = _plain(server, pack(**members))
    wanted = {"data/a.txt": "a.txt", "data/b.txt": "deep/b.txt"}
    folder = get(_card(replace(source, files=wanted)), root=tmp_path)
    found = sorted(str(p.relative_to(tmp_path)) for p in tmp_path.rglob("*") if p.is_file())
    assert found == ["tiny/a.txt", "tiny/deep/b.txt"]
    assert (folder / "deep" / "b.txt").read_bytes() == b"B"


@pytest.mark.parametrize("pack", [_tar, _zip])
def test_a_member_that_is_gone_is_named(server: Server, tmp_path: Path, pack: type) -> None:
    source = replace(_plain(server, pack(other=b"")), files={"data/a.txt": "a.txt"})
    with pytest.raises(FormatError, match=r"does not hold data/a\.txt"):
        get(_card(source), root=tmp_path)


def test_a_page_in_place_of_an_archive(server: Server, tmp_path: Path) -> None:
    source = replace(_plain(server, b"<html>"), files={"a": "a.txt", "b": "b.txt"})
    with pytest.raises(FormatError, match="is no archive"):
        get(_card(source), root=tmp_path)


def test_no_server_says_what_to_put_where(tmp_path: Path) -> None:
    source = Source("http://127.0.0.1:9/data.bin", {"data.bin": "claims.txt"})
    with pytest.raises(MissingDataError, match=r"put claims\.txt into .*tiny\.") as error:
        get(_card(source), root=tmp_path)
    assert "127.0.0.1:9" in str(error.value)


def test_a_file_that_is_gone_says_so(server: Server, tmp_path: Path) -> None:
    source = Source(server.url("gone.bin"), {"gone.bin": "claims.txt"})
    with pytest.raises(MissingDataError, match="Not Found"):
        get(_card(source), root=tmp_path)


def test_a_set_without_plain_download_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(MissingDataError, match=r"has no plain download; make the folder .*covert"):
        get(DATASETS["covert"].card, root=tmp_path)
