"""Atlases and diffeomorphic registration, learned jointly.

    import aladdin
    run = aladdin.build("subjects.csv", output="run")
    new = aladdin.register(run, "new.nii.gz")
    new.labels.write("new_labels.nii.gz")
"""

from __future__ import annotations

import os as _os

# Waiting threads spin for a moment, then sleep; OpenMP reads this when it is loaded. The program does the same.
_polite = "GOMP_SPINCOUNT" not in _os.environ and "OMP_WAIT_POLICY" not in _os.environ
if _polite:
    _os.environ["GOMP_SPINCOUNT"] = "10000"
from . import _core  # noqa: E402

if _polite:
    del _os.environ["GOMP_SPINCOUNT"]

from . import _commands  # noqa: E402
from ._commands import *  # noqa: E402, F403
from ._core import Grid  # noqa: E402
from ._errors import AladdinWarning, Error, UsageError  # noqa: E402
from ._images import Image, Labels  # noqa: E402
from ._memory import Registration, Segmentation  # noqa: E402
from ._results import Cohort, Comparison, Evaluation, Findings, Measures, Search  # noqa: E402
from ._run import Run  # noqa: E402
from ._settings import Setting, presets, settings  # noqa: E402
from ._transforms import Step, Transform  # noqa: E402
from ._verbs import plan, register, segment, transform, warp  # noqa: E402

__version__ = _core.version

# A forked process (multiprocessing) has no other threads, but OpenMP would wait for those of its parent.
_os.register_at_fork(before=_core.end_idle_threads)

__all__ = [
    "AladdinWarning",
    "Cohort",
    "Comparison",
    "Error",
    "Evaluation",
    "Findings",
    "Grid",
    "Image",
    "Labels",
    "Measures",
    "Registration",
    "Run",
    "Search",
    "Segmentation",
    "Setting",
    "Step",
    "Transform",
    "UsageError",
    "plan",
    "presets",
    "register",
    "segment",
    "settings",
    "transform",
    "warp",
]
__all__ += _commands.__all__
