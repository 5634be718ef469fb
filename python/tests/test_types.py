"""mypy --strict on the package, its examples, and what must not pass."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

import aladdin

FOLDER = Path(__file__).resolve().parent.parent

if importlib.util.find_spec("mypy") is None:
    pytest.skip("mypy is not there", allow_module_level=True)


def mypy(*files, cache):
    environment = dict(os.environ, MYPYPATH=str(Path(aladdin.__file__).parent.parent))
    words = [sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", "--cache-dir", str(cache), *map(str, files)]
    done = subprocess.run(words, capture_output=True, text=True, env=environment, cwd=cache)
    return done.returncode, done.stdout + done.stderr


def test_the_package_and_its_examples(tmp_path):
    code, text = mypy(*sorted((FOLDER / "examples").glob("*.py")), cache=tmp_path)
    assert code == 0, text


def test_what_is_wrong_is_found(tmp_path):
    (tmp_path / "wrong.py").write_text(
        "import aladdin\n"
        "aladdin.build('a.csv', output='run', settings={'train.rat': 1.0})\n"
        "aladdin.evaluate('run', split='vall')\n"
        "aladdin.register('run', 'a.nii', refin=1)\n"
    )
    code, text = mypy(tmp_path / "wrong.py", cache=tmp_path)
    assert code == 1
    for line in (2, 3, 4):
        assert f"wrong.py:{line}: error" in text, text
