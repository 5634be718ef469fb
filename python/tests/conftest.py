"""A small cohort and a run of it, made once. ALADDIN is the program, ALADDIN_TEST_RUN a run for where nothing trains."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

import aladdin
from aladdin import _core

os.environ.setdefault("OMP_WAIT_POLICY", "passive")

# A build of a moment.
QUICK = {
    "spacing": 6,
    "epochs": [2, 2, 1],
    "settings": {
        "train.engine": "learn",
        "train.refine": 0,
        "train.teach": 0,
        "network.width": 4,
        "network.passes": [4, 2, 1],
        "train.least": 1,
        "atlas.every": 1,
    },
    "no_report": True,
}
QUICK_WORDS = [
    "--spacing", "6", "--epochs", "2,2,1", "--set", "train.engine=learn", "--set", "train.refine=0", "--set", "train.teach=0", "--set",
    "network.width=4", "--set", "network.passes=[4,2,1]", "--set", "train.least=1", "--set", "atlas.every=1",
    "--no-report",
]  # fmt: skip


def trains() -> bool:
    """Whether the library that trains is there."""
    return "ALADDIN_TEST_RUN" not in os.environ and _core.learning_error() == ""


@pytest.fixture(scope="session")
def knees(tmp_path_factory):
    """The CSV of six synthetic knees."""
    folder = tmp_path_factory.mktemp("knees")
    return aladdin.synth(
        output=folder, subjects=6, val=2, test=1, size=[28, 34, 34], spacing=[4, 4, 4], threads=1, force=True
    )


@pytest.fixture(scope="session")
def slices(tmp_path_factory):
    """The CSV of two synthetic slices."""
    folder = tmp_path_factory.mktemp("slices")
    return aladdin.synth(output=folder, subjects=2, slice=True, size=[28, 34, 34], spacing=[4, 4, 4], threads=1)


@pytest.fixture(scope="session")
def images(knees):
    """Their images, in order."""
    return sorted((knees.parent / "images").glob("*.nii.gz"))


@pytest.fixture(scope="session")
def run(knees, tmp_path_factory):
    """A finished run of the knees."""
    if "ALADDIN_TEST_RUN" in os.environ:
        return aladdin.Run(os.environ["ALADDIN_TEST_RUN"])
    if not trains():
        pytest.skip("nothing here trains, and ALADDIN_TEST_RUN names no run")
    return aladdin.build(knees, output=tmp_path_factory.mktemp("build") / "run", threads=1, **QUICK)


@pytest.fixture
def needs_training():
    """Skips where nothing trains."""
    if not trains():
        pytest.skip("the library that trains is not there")


@pytest.fixture(scope="session")
def program():
    """Calls the program `aladdin` and returns what it prints."""
    path = os.environ.get("ALADDIN") or shutil.which("aladdin")
    if not path:
        pytest.skip("ALADDIN does not name the program")

    def call(*words):
        done = subprocess.run([path, *(os.fspath(w) if hasattr(w, "__fspath__") else str(w) for w in words)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return call
