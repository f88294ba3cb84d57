"""A check with the default preset starts fast: it imports nothing that only other presets need."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

_CHECK = """
import sys
from claimscope.cli.app import app
app(["check", "Aspirin prevents heart attacks", "--json"], standalone_mode=False)
heavy = {"bm25s", "scipy", "torch", "transformers", "pandas", "sklearn"} & set(sys.modules)
print(" ".join(sorted(heavy)), file=sys.stderr)
"""


def test_the_default_check_imports_no_engine_it_does_not_use(tmp_path: Path) -> None:
    own = {name: value for name, value in os.environ.items() if "CLAIMSCOPE" not in name}
    done = subprocess.run(
        [sys.executable, "-c", _CHECK],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
        env={**own, "HOME": str(tmp_path)},
    )
    assert "verdict" in done.stdout
    assert not done.stderr.splitlines()[-1].strip(), "imported without need"
