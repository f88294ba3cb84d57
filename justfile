# Shortcuts for contributors; every line is an ordinary command that works without just.

export PATH := justfile_directory() / ".venv" / "bin" + ":" + env("PATH")

_list:
    @just --list --unsorted

# Install the package and every tool into .venv
setup:
    python3 -m venv .venv
    pip install -c constraints.txt -e ".[dev]"

# Check style, types and layers
check:
    ruff check .
    ruff format --check .
    mypy
    lint-imports

# Run the tests; arguments go to pytest, such as: just test tests/unit/ingest
test *arguments="-n 2":
    pytest {{ arguments }}

# Build the docs into site/; a dead link fails
docs:
    python docs/generate.py
    zensical build --strict --clean

# Open the web page over the demonstration library
serve *arguments="--library demo":
    claimscope serve {{ arguments }}

# Pin every package of constraints.txt by the hashes of its files
hashes:
    uv pip compile constraints.txt --generate-hashes --no-deps --no-header --no-annotate --quiet --output-file constraints-hashed.txt
    sed -i '1i # Made by "just hashes" from constraints.txt: pip install --require-hashes -r constraints-hashed.txt' constraints-hashed.txt

# Ask the database of known vulnerabilities about the released set; needs the internet
audit:
    pip-audit --requirement constraints.txt --no-deps --disable-pip
