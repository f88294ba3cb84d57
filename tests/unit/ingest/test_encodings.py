from __future__ import annotations

import time
from pathlib import Path

import pytest

from .helpers import documents_of, write

WESTERN = "Müller’s étude – naïve façade à 37 °C, ±5 µm² “test” and Åse Øst"
POLISH = "Łódź żółć, Przegląd badań nad wpływem kawy na zdrowie człowieka"
TITLES = {
    "cp1252": WESTERN,
    "mac_roman": "Müller, Étude de la prévalence, naïve façade",
    "cp1250": POLISH,
    "iso8859-2": POLISH,
    "cp1251": "Влияние кофе на здоровье человека: обзор",
    "koi8-r": "Влияние кофе на здоровье человека: обзор",
    "cp1253": "Η επίδραση του καφέ στην υγεία",
    "cp1254": "Kahvenin insan sağlığı üzerindeki etkisi: şüpheli çalışmalar",
    "shift_jis": "コーヒーが健康に与える影響",
    "euc_jp": "コーヒーが健康に与える影響",
    "gb18030": "咖啡对健康的影响：系统综述",
    "big5": "咖啡對健康的影響",
    "euc_kr": "커피가 건강에 미치는 영향",
    "utf-8": WESTERN,
    "utf-16": WESTERN,
    "utf-32": POLISH,
}
ENTRY = "@article{a,\n  title = {%s},\n  author = {Doe, J},\n  journal = {Journal of Coffee},\n}\n"


@pytest.mark.parametrize("encoding", TITLES)
def test_bibtex_is_read_in_its_encoding(tmp_path: Path, encoding: str) -> None:
    title = TITLES[encoding]
    (document,) = documents_of(write(tmp_path, "a.bib", (ENTRY % title).encode(encoding)))
    assert document.title == title


@pytest.mark.parametrize(
    ("declaration", "encoding"),
    [
        ("% Encoding: MacRoman", "mac_roman"),
        ("%% Saved with string encoding Western (Mac OS Roman) ", "mac_roman"),
        ("% Encoding: Cp1250", "cp1250"),
        ("% Encoding: windows-1251", "cp1251"),
    ],
)
def test_a_declared_encoding_is_believed(tmp_path: Path, declaration: str, encoding: str) -> None:
    # Three letters alone would tell nobody which encoding it is.
    title = "Žák" if encoding == "cp1250" else "Да" if encoding == "cp1251" else "À é"
    content = f"{declaration}\n{ENTRY % title}".encode(encoding)
    (document,) = documents_of(write(tmp_path, "a.bib", content))
    assert document.title == title


@pytest.mark.parametrize("name", ["rot13", "base64", "utf-16", "cp037", "no such thing"])
def test_a_declared_encoding_that_is_none_is_passed_over(tmp_path: Path, name: str) -> None:
    content = f"% Encoding: {name}\n{ENTRY % 'naïve'}".encode("cp1252")
    (document,) = documents_of(write(tmp_path, "a.bib", content))
    assert document.title == "naïve"


def test_a_large_file_is_sniffed_once(tmp_path: Path) -> None:
    many = "".join(ENTRY.replace("{a,", f"{{a{n},") % TITLES["cp1251"] for n in range(3_000))
    begun = time.process_time()
    documents = documents_of(write(tmp_path, "a.bib", many.encode("cp1251")))
    assert {each.title for each in documents} == {TITLES["cp1251"]}
    assert time.process_time() - begun < 20
