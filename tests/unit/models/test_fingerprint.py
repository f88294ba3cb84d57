import hashlib
from pathlib import Path

from claimscope.models.fingerprint import sha256, weights_sha256


def test_one_file_has_its_own_checksum_and_a_change_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    path.write_bytes(b"first")
    (tmp_path / "config.json").write_text("{}")
    assert weights_sha256(tmp_path) == hashlib.sha256(b"first").hexdigest()
    path.write_bytes(b"second!")
    assert sha256(path) == hashlib.sha256(b"second!").hexdigest()


def test_several_files_have_the_checksum_of_their_list(tmp_path: Path) -> None:
    for name in ("model-2.safetensors", "model-1.safetensors"):
        (tmp_path / name).write_bytes(name.encode())
    lines = "".join(
        f"{hashlib.sha256(name.encode()).hexdigest()}  {name}\n"
        for name in ("model-1.safetensors", "model-2.safetensors")
    )
    assert weights_sha256(tmp_path) == hashlib.sha256(lines.encode()).hexdigest()
