"""The examples and the notebooks run."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import aladdin

FOLDER = Path(__file__).resolve().parent.parent
NOTEBOOKS = sorted((FOLDER / "notebooks").glob("*.ipynb"))


def test_the_ten_lines_of_the_readme(run, images, tmp_path):
    text = re.search(r"```python\n(.*?)```", (FOLDER / "README.md").read_text(), re.S)[1]
    lines = text.strip().splitlines()
    assert len(lines) <= 10 and text == (FOLDER / "examples" / "ten_lines.py").read_text()
    (tmp_path / "run").symlink_to(run.folder)
    for name, image in (("new.nii.gz", images[0]), ("other.nii.gz", images[1])):
        (tmp_path / name).symlink_to(image)
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, cwd=tmp_path, env=environment())
    assert done.returncode == 0, done.stderr


def environment():
    package = str(Path(aladdin.__file__).parent.parent)
    return dict(os.environ, PYTHONPATH=os.pathsep.join(filter(None, [package, os.environ.get("PYTHONPATH")])))


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(notebook, tmp_path, monkeypatch, needs_training):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    text = nbformat.read(notebook, as_version=4)
    if any("aladdin.torch" in cell.source for cell in text.cells):
        pytest.importorskip("torch")
    monkeypatch.setenv("PYTHONPATH", environment()["PYTHONPATH"])
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    from jupyter_client.kernelspec import KernelSpec
    from jupyter_client.manager import KernelManager

    manager = KernelManager()
    manager._kernel_spec = KernelSpec(argv=[sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"])
    client = nbclient.NotebookClient(text, km=manager, timeout=400, resources={"metadata": {"path": str(tmp_path)}})
    client.execute()
