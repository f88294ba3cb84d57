"""Only addresses that nobody else can listen in on are spoken to."""

from __future__ import annotations

from pathlib import Path

import pytest

from claimscope.batch.addresses import Tls, check_address, cluster_security
from claimscope.errors import InputError

SECRET = "hunter2"


@pytest.mark.parametrize(
    "address",
    ["tcp://127.0.0.1:8786", "tcp://localhost:8786", "tcp://[::1]:8786", "tls://cluster.lab:8786"],
)
def test_loopback_and_tls_are_allowed(address: str) -> None:
    check_address(address)


@pytest.mark.parametrize(
    "address", ["tcp://10.0.0.1:8786", "tcp://cluster:8786", "tcp://127.0.0.1.evil.org:8786"]
)
def test_plain_tcp_to_another_computer_needs_consent(address: str) -> None:
    with pytest.raises(InputError, match="--insecure-cluster"):
        check_address(address)
    check_address(address, insecure=True)


@pytest.mark.parametrize(
    "address",
    [
        "cluster:8786",
        "ws://127.0.0.1:8786",
        "inproc://127.0.0.1:1",
        "tcp://127.0.0.1",
        "tcp://127.0.0.1:99999",
        "tls://:8786",
        f"tls://user:{SECRET}@cluster:8786",
        f"tls://cluster:8786/?token={SECRET}",
        f"ws://user:{SECRET}@cluster:8786",
    ],
)
def test_other_addresses_are_refused_without_showing_secrets(address: str) -> None:
    with pytest.raises(InputError) as refused:
        check_address(address, insecure=True)
    assert SECRET not in str(refused.value)


def test_tls_without_certificates_says_which_options_are_missing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--tls-ca"):
        cluster_security("tls://cluster:8786", Tls())
    with pytest.raises(InputError, match="no file"):
        cluster_security("tls://cluster:8786", Tls(ca=tmp_path / "ca.pem"))
