"""The package as it is installed."""

import doctest
import re
import subprocess
import sys
from importlib import metadata, resources
from pathlib import Path

import pytest

import sakmak
from sakmak import _sakmak

README = Path("README.md") if Path("README.md").exists() else Path(__file__).parent.parent / "README.md"


def test_the_wheel_runs_on_every_cpu() -> None:
    assert not _sakmak._needs_avx2


def test_the_package_is_typed_and_has_its_version() -> None:
    assert resources.files("sakmak").joinpath("py.typed").is_file()
    assert metadata.version("sakmak") == sakmak.__version__


def test_the_package_contains_its_licences_and_names_its_repository() -> None:
    files = {file.name: file for file in metadata.files("sakmak") or []}
    for name, words in [("LICENSE-MIT", "Permission is hereby granted"), ("LICENSE-APACHE", "Apache License")]:
        assert words in files[name].read_text(encoding="utf-8")
    urls = metadata.metadata("sakmak").get_all("Project-URL") or []
    assert any(url.startswith("Repository, https://") for url in urls)


def test_the_examples_of_the_docstrings() -> None:
    for module in [sakmak, sakmak.engine]:
        result = doctest.testmod(module)
        assert result.attempted > 0 and result.failed == 0


def programs() -> "list[str]":
    return re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("program", programs())
def test_the_programs_of_the_readme(program: str) -> None:
    """They run as printed, and print what stands behind `# prints `."""
    if "import chess" in program:
        pytest.importorskip("chess")
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines() == re.findall(r"# prints (.*)", program)


def test_nothing_native_is_missing_in_the_stub() -> None:
    stub = Path(sakmak.__file__).with_name("_sakmak.pyi").read_text(encoding="utf-8")
    for name in dir(_sakmak):
        if not name.startswith("__"):
            assert re.search(rf"\b{name}\b", stub), name
    for name in dir(sakmak.Board):
        if not name.startswith("__"):
            assert re.search(rf"def {name}\b", stub), name
