"""Says which libraries have published weaknesses, from a report of pip-audit.

python .ci/audit.py REPORT LOG

Exit status 1 if there are any. Libraries that could not be looked up are counted, not failed.
"""

import json
import sys
from pathlib import Path


def main(report: Path, log: Path) -> int:
    """Prints one line for each weakness, or what was checked."""
    if not report.is_file() or not report.stat().st_size:
        lines = log.read_text(encoding="utf-8").splitlines() or ["no report"]
        print(f"not checked: {lines[-1]}")
        return 0
    libraries = json.loads(report.read_text(encoding="utf-8"))["dependencies"]
    checked = [one for one in libraries if "skip_reason" not in one]
    weak = [one for one in checked if one["vulns"]]
    for one in weak:
        print(f"{one['name']} {one['version']}: {', '.join(each['id'] for each in one['vulns'])}")
    skipped = len(libraries) - len(checked)
    print(f"{len(checked)} libraries checked, {len(weak)} with weaknesses, {skipped} not checked")
    return 1 if weak else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
