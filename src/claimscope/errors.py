"""The errors Claimscope raises on purpose; each message is one sentence: what, where, what to do.

ClaimscopeError
├── InputError                 something the user gave cannot be used
│   ├── ClaimError             a claim that cannot be checked
│   ├── RecordError            one record of a file; reported, never stops the rest
│   ├── FormatError            a whole file that cannot be read
│   ├── UnknownLabelError      a label in no known spelling
│   └── UnknownNameError       a name that is not registered; lists the names that are
├── ConfigurationError         a preset or a pipeline that cannot work
├── MissingExtraError          a part of the package that was not installed
├── MissingModelError          model weights that are not on this machine
├── MissingDataError           a data set, or a part of it, that is not on this machine
├── LanguageModelError         a language model's server does not answer, or refuses
├── ClusterError               a cluster cannot be reached, or its workers cannot do the work
├── SourceError                a program or service that papers come from does not give them
│   └── SourceUnreachableError   it does not answer at all
└── LibraryError
    ├── LibraryNotFoundError   no library in that place
    ├── LibraryEmptyError      no paper in the library
    ├── LibraryUnreachableError  the library's server does not answer
    ├── LibraryLockedError     another process is writing
    ├── LibraryReadOnlyError   it can be read, but not written
    ├── LibraryTooNewError     written by a newer version
    ├── LibraryFullError       the disk is full
    └── LibraryDamagedError    the truth itself is unreadable
"""

from __future__ import annotations

from collections.abc import Iterable

from claimscope._wording import install_advice


class ClaimscopeError(Exception):
    """Base of every error raised on purpose."""


class InputError(ClaimscopeError):
    """Something the user gave cannot be used."""


class ClaimError(InputError):
    """A claim that cannot be checked."""


class RecordError(InputError):
    """One record of a file cannot be used; reading continues with the next."""


class FormatError(InputError):
    """A whole file cannot be read."""


class UnknownLabelError(InputError):
    """A label in no known spelling."""

    def __init__(self, spelling: str, known: Iterable[str]) -> None:
        super().__init__(
            f"Unknown label {spelling[:60]!r}; use one of these spellings: {', '.join(known)}."
        )


class UnknownNameError(InputError):
    """A name that is not registered."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        super().__init__(f"There is no {kind} named {name!r}; choose one of: {', '.join(known)}.")


class ConfigurationError(ClaimscopeError):
    """A preset or a pipeline that cannot work."""


class MissingExtraError(ClaimscopeError):
    """A part of the package that was not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs the extra '{extra}': {install_advice(extra)}.")


class MissingModelError(ClaimscopeError):
    """Model weights that are not on this machine."""


class MissingDataError(ClaimscopeError):
    """A data set, or a part of it, that is not on this machine."""


class LanguageModelError(ClaimscopeError):
    """A language model's server does not answer, or refuses."""


class ClusterError(ClaimscopeError):
    """A cluster cannot be reached, or its workers cannot do the work."""


class SourceError(ClaimscopeError):
    """A program or service that papers come from does not give them."""

    def __init__(self, sentence: str, status: int | None = None) -> None:
        super().__init__(sentence)
        self.status = status


class SourceUnreachableError(SourceError):
    """A program or service that papers come from does not answer at all."""


class LibraryError(ClaimscopeError):
    """Something is wrong with a library."""


class LibraryNotFoundError(LibraryError):
    """No library in that place."""


class LibraryEmptyError(LibraryError):
    """There is no paper in the library."""

    def __init__(self, location: str) -> None:
        super().__init__(
            f"The library {location} is empty; add papers with 'claimscope library add FILE', "
            "or use the built-in demonstration library with '--library demo'."
        )


class LibraryUnreachableError(LibraryError):
    """The server that holds the library does not answer."""


class LibraryLockedError(LibraryError):
    """Another process is writing to the library."""


class LibraryReadOnlyError(LibraryError):
    """The library can be read, but not written."""


class LibraryTooNewError(LibraryError):
    """The library was written by a newer version of Claimscope."""


class LibraryFullError(LibraryError):
    """The disk that holds the library is full."""


class LibraryDamagedError(LibraryError):
    """The library's own store cannot be read."""
