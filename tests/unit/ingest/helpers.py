"""Short ways to write a file and read it back."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from pypdf import PdfWriter

from claimscope.ingest import Failure, read
from claimscope.types import Document


def outcome(path: Path, forced: str | None = None) -> tuple[list[Document], list[Failure]]:
    """Read a file, and keep what was read apart from what failed."""
    items = list(read([path], format=forced))
    documents = [item for item in items if isinstance(item, Document)]
    failures = [item for item in items if isinstance(item, Failure)]
    return documents, failures


def documents_of(path: Path, forced: str | None = None) -> list[Document]:
    """Read a file in which nothing may fail."""
    documents, failures = outcome(path, forced)
    assert failures == []
    return documents


def write(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def make_pdf(lines: list[tuple[int, str]], title: str = "", more: bytes = b"") -> bytes:
    """Make a PDF of one page, from lines with their print size; `more` are other properties."""
    commands, height = [], 780
    for size, text in lines:
        escaped = text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
        commands.append(f"BT /F1 {size} Tf 50 {height} Td ({escaped}) Tj ET")
        height -= size + 6
    content = "\n".join(commands).encode("latin-1")
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R"
        b" /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Title (%s) %s >>" % (title.encode("latin-1"), more),
    ]
    body, offsets = b"%PDF-1.4\n", []
    for number, each in enumerate(objects, start=1):
        offsets.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    size = len(objects) + 1
    return body + (
        b"xref\n0 %d\n0000000000 65535 f \n%strailer << /Size %d /Root 1 0 R /Info 6 0 R >>\n"
        b"startxref\n%d\n%%%%EOF\n" % (size, table, size, len(body))
    )


def encrypted(content: bytes, password: str) -> bytes:
    """Encrypt a PDF; with an empty password anybody may open it."""
    writer = PdfWriter(BytesIO(content))
    writer.encrypt(user_password=password, owner_password="owner", algorithm="RC4-128")
    output = BytesIO()
    writer.write(output)
    return output.getvalue()
