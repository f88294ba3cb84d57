"""Makes and opens collections, and makes sure that client and server understand each other."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

from qdrant_client import QdrantClient, models
from qdrant_client.http.exceptions import UnexpectedResponse

from claimscope.errors import LibraryError, LibraryNotFoundError
from claimscope.library.qdrant.address import Address
from claimscope.library.qdrant.connection import OPENING, WRITING, Connection
from claimscope.library.qdrant.points import BM25, INDEXES, VECTORS
from claimscope.library.qdrant.state import new_state, read_state

OLDEST = (1, 16)
"""The first server that replaces a point only if it is what the client read."""

_VERSION = re.compile(r"(\d+)\.(\d+)")


def require_server(connection: Connection) -> None:
    """Refuse servers that are too old; a client may be newer than its server."""
    version = connection.call(lambda client: client.info(), OPENING).version
    match = _VERSION.match(version)
    if match is None or tuple(map(int, match.groups())) < OLDEST:
        raise LibraryError(
            f"The server of the library {connection.address.location} is Qdrant {version}; "
            f"Claimscope needs {'.'.join(map(str, OLDEST))} or newer."
        )


def prepare(connection: Connection, create: bool, dimensions: int | None) -> bool:
    """Make sure that the collection is a library, and say whether it was made just now."""
    name, where = connection.collection, connection.address.location
    if connection.call(lambda client: client.collection_exists(name), OPENING):
        with suppress(_UnfinishedError):
            _read(connection)
            return False
        if not create:
            raise LibraryError(
                f"The library {where} was not finished; create it again by adding papers."
            )
    elif not create:
        raise LibraryNotFoundError(
            f"There is no library {where}; make one by adding papers: "
            f"'claimscope library add FILE --library {where}'."
        )
    _create(connection, dimensions)
    return True


def discard(connection: Connection) -> None:
    """Remove the collection."""
    connection.call(lambda client: client.delete_collection(connection.collection))


class _UnfinishedError(Exception):
    """The client that made the collection did not live to write its state."""


def _read(connection: Connection) -> None:
    try:
        read_state(connection, OPENING)
    except LibraryError:
        count = connection.call(lambda client: client.count(connection.collection)).count
        if count or not _has_our_vectors(connection):
            raise
        raise _UnfinishedError from None


def _has_our_vectors(connection: Connection) -> bool:
    info = connection.call(lambda client: client.get_collection(connection.collection))
    return BM25 in (info.config.params.sparse_vectors or {})


def _create(connection: Connection, dimensions: int | None) -> None:
    address = connection.address
    # The collection may be there already: of another client, or of one that was killed.
    try:
        connection.call(_creation(address, dimensions), WRITING)
    except UnexpectedResponse as error:
        if error.status_code != 409:
            raise
    for field, kind in INDEXES.items():
        connection.call(_indexing(connection.collection, field, kind), WRITING)
    # Another client may have made the collection in another way.
    made = connection.call(lambda client: client.get_collection(connection.collection))
    has_vectors = VECTORS in (made.config.params.vectors or {})
    state = new_state(address.vectors if has_vectors else "none").point()
    nobody = models.Filter(must=[models.IsEmptyCondition(is_empty=models.PayloadField(key="beat"))])
    connection.call(
        lambda client: client.upsert(
            connection.collection,
            [state],
            update_filter=nobody,
            ordering=models.WriteOrdering.STRONG,
        ),
        WRITING,
    )


def _creation(address: Address, dimensions: int | None) -> Any:
    vectors = {}
    if dimensions:
        vectors[VECTORS] = models.VectorParams(
            size=dimensions,
            distance=models.Distance.DOT,
            datatype=models.Datatype.FLOAT16,
            on_disk=True,
        )

    def request(client: QdrantClient) -> bool:
        return client.create_collection(
            address.collection,
            vectors_config=vectors,
            sparse_vectors_config={BM25: models.SparseVectorParams(modifier=models.Modifier.IDF)},
            shard_number=address.shards,
            replication_factor=address.replicas,
            on_disk_payload=True,
            # Searches compare a byte a dimension in memory; the vectors stay on the disk.
            quantization_config=models.ScalarQuantization(
                scalar=models.ScalarQuantizationConfig(type=models.ScalarType.INT8, always_ram=True)
            )
            if dimensions
            else None,
        )

    return request


def _indexing(collection: str, field: str, kind: models.PayloadSchemaType) -> Any:
    return lambda client: client.create_payload_index(collection, field, field_schema=kind)
