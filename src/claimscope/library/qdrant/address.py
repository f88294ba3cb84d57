"""Reads the URL of a library on Qdrant, and the settings that do not belong into a URL."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from claimscope._hosts import is_loopback
from claimscope.errors import InputError

SCHEMES = ("qdrant", "qdrants")
"""Plain HTTP and HTTPS."""
API_KEY = "CLAIMSCOPE_QDRANT_API_KEY"
CERTIFICATES = "CLAIMSCOPE_QDRANT_CA"
TIMEOUT = "CLAIMSCOPE_QDRANT_TIMEOUT"

_PORT = 6333
_SECONDS = 60
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}")
_HOST = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\]")
_OPTIONS = ("shards", "replicas", "vectors")
_FORM = "qdrant://HOST:PORT/COLLECTION"


@dataclass(frozen=True, slots=True)
class Address:
    """Where a library is, and how to make it if it is not there."""

    hosts: tuple[tuple[str, int], ...]
    """The nodes that may be asked; if one is away, the next one is."""
    collection: str
    is_tls: bool = False
    shards: int | None = None
    """How many a new collection has; the server's default is one for every node."""
    replicas: int | None = None
    vectors: str = "static"
    """The encoder whose vectors a new collection holds beside the words, or "none"."""

    @property
    def location(self) -> str:
        """The URL that opens the library again."""
        hosts = ",".join(f"{host}:{port}" for host, port in self.hosts)
        return f"{SCHEMES[self.is_tls]}://{hosts}/{self.collection}"

    @property
    def is_loopback(self) -> bool:
        """Whether no other computer takes part."""
        return all(is_loopback(host) for host, _ in self.hosts)


@dataclass(frozen=True, slots=True)
class Access:
    """What a server asks for; kept out of URLs, which are shown and stored."""

    api_key: str | None = field(default=None, repr=False)
    certificates: str | None = None
    """A file with the certificate of the authority that signed the server's."""
    timeout: int = _SECONDS
    """Seconds that one request may take."""


def read_address(url: str) -> Address:
    """Read a URL such as "qdrant://node1:6333,node2:6333/pubmed?shards=3&replicas=2"."""
    parts = urlsplit(url)
    if parts.scheme not in SCHEMES:
        raise InputError(
            f"A library cannot be opened at {parts.scheme}://…; give a folder or {_FORM}."
        )
    if "@" in parts.netloc:
        raise InputError(
            f"The URL of a library must not hold a password; put the API key into {API_KEY}."
        )
    name = parts.path.strip("/")
    if not _NAME.fullmatch(name):
        raise InputError(
            f"{name[:60]!r} cannot name a collection; use letters, digits, '-' and '_', at most "
            f"100, as in {_FORM}."
        )
    options = _options(parts.query)
    return Address(
        tuple(_host(each) for each in parts.netloc.split(",")),
        name,
        parts.scheme == "qdrants",
        _count(options, "shards"),
        _count(options, "replicas"),
        options.get("vectors", "static"),
    )


def read_access(address: Address, environment: Mapping[str, str] | None = None) -> Access:
    """Read key, certificates and timeout from the environment; a key needs TLS or loopback."""
    given = os.environ if environment is None else environment
    key, file = given.get(API_KEY) or None, given.get(CERTIFICATES) or None
    if key and not address.is_tls and not address.is_loopback:
        raise InputError(
            f"The API key of {address.location} would cross the network readable by anyone; use "
            "qdrants://, which is encrypted."
        )
    if file and not Path(file).is_file():
        raise InputError(f"{CERTIFICATES} names {file}, which is not there; correct it.")
    seconds = given.get(TIMEOUT) or str(_SECONDS)
    if not seconds.isdecimal() or not 1 <= int(seconds) <= 3600:
        raise InputError(f"{TIMEOUT} must be a number of seconds from 1 to 3600, not {seconds!r}.")
    return Access(key, file, int(seconds))


def _host(text: str) -> tuple[str, int]:
    host, colon, port = text.rpartition(":")
    if not colon or text.endswith("]"):
        host, port = text, str(_PORT)
    if not _HOST.fullmatch(host) or not port.isdecimal() or not 0 < int(port) < 65536:
        raise InputError(f"{text[:60]!r} is no server's address; write it as in {_FORM}.")
    return host, int(port)


def _options(query: str) -> dict[str, str]:
    found = dict(parse_qsl(query, keep_blank_values=True))
    for name in found:
        if name not in _OPTIONS:
            raise InputError(
                f"A library's URL has no option {name[:60]!r}; known are: {', '.join(_OPTIONS)}."
            )
    return found


def _count(options: Mapping[str, str], name: str) -> int | None:
    text = options.get(name)
    if text is None:
        return None
    if not text.isdecimal() or not 1 <= int(text) <= 1024:
        raise InputError(f"{name!r} in a library's URL must be from 1 to 1024, not {text[:60]!r}.")
    return int(text)
