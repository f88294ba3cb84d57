"""Access tokens: the library keeps a salted hash of each and never the token itself.

A token holds 256 random bits, so one round of a keyed hash is as safe as many: there is nothing
to guess. (Slow hashes such as scrypt protect words that people choose.)
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from enum import StrEnum
from hashlib import blake2b
from hmac import compare_digest

from claimscope.errors import InputError
from claimscope.service.jobs.database import Ledger

PREFIX = "claimscope"


class Scope(StrEnum):
    """What a token lets its holder do; each includes the ones before it."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"

    def includes(self, other: Scope) -> bool:
        """Say whether this scope is enough where another is asked for."""
        order = list(Scope)
        return order.index(self) >= order.index(other)


@dataclass(frozen=True, slots=True)
class Token:
    """What is known of a token; the secret is not."""

    id: str
    name: str
    scope: Scope


class Tokens:
    """The access tokens of one library."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def create(self, name: str, scope: Scope) -> str:
        """Make a token and give it, for the only time, as text."""
        if not name.strip() or not name.isprintable():
            raise InputError("A token needs a name in plain letters, such as 'newsroom'.")
        if any(token.name == name for token in self.all()):
            raise InputError(
                f"There is a token named {name!r} already; revoke it or choose another name."
            )
        token_id, secret, salt = (
            secrets.token_hex(6),
            secrets.token_hex(32),
            secrets.token_bytes(16),
        )
        with self._ledger.transaction() as connection:
            connection.execute(
                "INSERT INTO tokens VALUES (?, ?, ?, ?, ?)",
                (token_id, name, scope, salt, _hash(secret, salt)),
            )
        return f"{PREFIX}_{token_id}_{secret}"

    def find(self, text: str) -> Token | None:
        """Give the token that a text is, in a time that does not tell how much of it was right."""
        _, _, rest = text.partition("_")
        token_id, _, secret = rest.partition("_")
        rows = self._ledger.rows(
            "SELECT id, name, scope, salt, hash FROM tokens WHERE id = ?", token_id
        )
        salt, expected = (rows[0][3], rows[0][4]) if rows else (bytes(16), bytes(32))
        is_right = compare_digest(_hash(secret, salt), expected)
        if not rows or not is_right:
            return None
        return Token(token_id, rows[0][1], Scope(rows[0][2]))

    def all(self) -> list[Token]:
        """List the tokens by name."""
        rows = self._ledger.rows("SELECT id, name, scope FROM tokens ORDER BY name")
        return [Token(token_id, name, Scope(scope)) for token_id, name, scope in rows]

    def revoke(self, name: str) -> bool:
        """Make a token worthless and say whether it was there."""
        with self._ledger.transaction() as connection:
            gone = connection.execute("DELETE FROM tokens WHERE name = ?", (name,))
            return gone.rowcount > 0


def _hash(secret: str, salt: bytes) -> bytes:
    return blake2b(secret.encode("utf-8", "surrogatepass"), salt=salt, digest_size=32).digest()
