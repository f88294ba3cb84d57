"""Access tokens: the library stores a salted hash of each token, never the token itself.

A token has 256 random bits, so it cannot be guessed and one round of a salted hash is enough.
Slow hashes such as scrypt protect passwords that people choose.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from enum import StrEnum
from hashlib import blake2b
from hmac import compare_digest

from claimscope.errors import InputError
from claimscope.service.jobs.database import Database

PREFIX = "claimscope"


class Scope(StrEnum):
    """What a token permits; each scope includes the ones before it."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"

    def includes(self, other: Scope) -> bool:
        """Return whether this scope permits everything that another permits."""
        order = list(Scope)
        return order.index(self) >= order.index(other)


@dataclass(frozen=True, slots=True)
class Token:
    """What the service knows about a token; it does not know the secret."""

    id: str
    name: str
    scope: Scope


class Tokens:
    """The access tokens of one library."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(self, name: str, scope: Scope) -> str:
        """Create a token and return its text, which cannot be shown again."""
        if not name.strip() or not name.isprintable():
            raise InputError("A token needs a name of printable characters, such as 'newsroom'.")
        if any(token.name == name for token in self.all()):
            raise InputError(
                f"A token named {name!r} already exists; revoke it or choose another name."
            )
        token_id, secret, salt = (
            secrets.token_hex(6),
            secrets.token_hex(32),
            secrets.token_bytes(16),
        )
        with self._database.transaction() as connection:
            connection.execute(
                "INSERT INTO tokens VALUES (?, ?, ?, ?, ?)",
                (token_id, name, scope, salt, _hash(secret, salt)),
            )
        return f"{PREFIX}_{token_id}_{secret}"

    def find(self, text: str) -> Token | None:
        """Return the token with this text, in constant time; None if it is not valid."""
        _, _, rest = text.partition("_")
        token_id, _, secret = rest.partition("_")
        rows = self._database.rows(
            "SELECT id, name, scope, salt, hash FROM tokens WHERE id = ?", token_id
        )
        salt, expected = (rows[0][3], rows[0][4]) if rows else (bytes(16), bytes(32))
        is_right = compare_digest(_hash(secret, salt), expected)
        if not rows or not is_right:
            return None
        return Token(token_id, rows[0][1], Scope(rows[0][2]))

    def all(self) -> list[Token]:
        """Return all tokens, by name."""
        rows = self._database.rows("SELECT id, name, scope FROM tokens ORDER BY name")
        return [Token(token_id, name, Scope(scope)) for token_id, name, scope in rows]

    def revoke(self, name: str) -> bool:
        """Delete a token; return whether it existed."""
        with self._database.transaction() as connection:
            gone = connection.execute("DELETE FROM tokens WHERE name = ?", (name,))
            return gone.rowcount > 0


def _hash(secret: str, salt: bytes) -> bytes:
    return blake2b(secret.encode("utf-8", "surrogatepass"), salt=salt, digest_size=32).digest()
