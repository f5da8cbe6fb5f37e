"""What `.ci/run` says of libraries with published weaknesses."""

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

AUDIT = Path(__file__).parent.parent / ".ci" / "audit.py"


@pytest.fixture(scope="module")
def audit() -> Any:
    spec = importlib.util.spec_from_file_location("audit", AUDIT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SOUND = {"name": "click", "version": "8.5.1", "vulns": []}
WEAK = {"name": "jinja2", "version": "3.0", "vulns": [{"id": "CVE-1"}]}
SKIPPED = {"name": "numba", "skip_reason": "no connection"}


@pytest.mark.parametrize(
    ("libraries", "status", "last"),
    [
        ([SOUND, SOUND], 0, "2 libraries checked, 0 with weaknesses, 0 not checked"),
        ([SOUND, WEAK], 1, "2 libraries checked, 1 with weaknesses, 0 not checked"),
        ([SKIPPED] * 93, 0, "0 libraries checked, 0 with weaknesses, 93 not checked"),
    ],
)
def test_an_audit_counts_what_it_did_not_check(
    audit: Any,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    libraries: list[dict[str, Any]],
    status: int,
    last: str,
) -> None:
    report = tmp_path / "audit.json"
    report.write_text(json.dumps({"dependencies": libraries}))
    assert audit.main(report, tmp_path / "log") == status
    assert capsys.readouterr().out.splitlines()[-1] == last


def test_an_audit_without_a_report_says_why(
    audit: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "log").write_text("connecting\nno connection\n")
    assert audit.main(tmp_path / "audit.json", tmp_path / "log") == 0
    assert capsys.readouterr().out == "not checked: no connection\n"
