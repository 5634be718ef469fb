"""What a command returns: what it printed as JSON, as tables."""

from __future__ import annotations

import io
import json
import logging
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional

from ._call import path_text
from ._core import Grid
from ._images import Image
from ._run import Run

if TYPE_CHECKING:
    import pandas as pd


def _flat(record: Mapping[str, Any], prefix: str = "") -> Dict[str, Any]:
    """{'a': {'b': 1}} as {'a_b': 1}."""
    out: Dict[str, Any] = {}
    for key, value in record.items():
        if isinstance(value, dict):
            out.update(_flat(value, f"{prefix}{key}_"))
        else:
            out[prefix + key] = value
    return out


class Result:
    """What a command found; `record` is what it prints with --json."""

    def __init__(self, record: Dict[str, Any], folder: Optional[Path] = None) -> None:
        self.record = record
        self.folder = folder

    def __repr__(self) -> str:
        return f"<aladdin.{type(self).__name__}{f' in {str(self.folder)!r}' if self.folder else ''}>"


class Evaluation(Result):
    """The measures of docs/evaluation.md, of one run or of several."""

    @cached_property
    def subjects(self) -> "pd.DataFrame":
        """One line for each run and subject."""
        import pandas as pd

        lines = [
            {"run": one["name"], **_flat(subject)}
            for one in self.record["evaluations"]
            for subject in one["by_subject"]
        ]
        return pd.DataFrame(lines).set_index(["run", "id"])

    @cached_property
    def structures(self) -> "pd.DataFrame":
        """Mean, standard deviation and number of subjects of each measure and structure."""
        import pandas as pd

        lines = []
        for one in self.record["evaluations"]:
            for measure, rows in one.items():
                if not isinstance(rows, dict):
                    continue
                for row, value in rows.items():
                    if isinstance(value, dict) and "subjects" in value and "sd" in value:
                        lines.append({"run": one["name"], "measure": measure, "structure": row, **value})
        columns = ["run", "measure", "structure", "mean", "sd", "subjects"]
        return pd.DataFrame(lines, columns=columns).set_index(["run", "measure", "structure"])

    @cached_property
    def comparisons(self) -> "pd.DataFrame":
        """Paired tests of several runs."""
        import pandas as pd

        return pd.DataFrame([_flat(one) for one in self.record["comparisons"]])

    def __getitem__(self, measure: str) -> "pd.DataFrame":
        """One measure, such as 'bridge', by structure."""
        return self.structures.xs(measure, level="measure")

    def _repr_html_(self) -> str:
        return str(self.structures["mean"].unstack("structure").to_html(float_format="%.4f"))


class Measures(Result):
    """Sizes of subjects against the atlas."""

    folder: Path

    @cached_property
    def table(self) -> "pd.DataFrame":
        """measures.csv: one line for each subject and structure."""
        import pandas as pd

        return pd.read_csv(self.folder / "measures.csv", dtype={"id": str})

    def map(self, id: str, kind: str = "relative") -> Image:
        """The log-Jacobian of a subject in atlas space, 'absolute' or 'relative'."""
        return Image.read(self.folder / "maps" / f"{id}_space-atlas_desc-{kind}_logjacobian.nii.gz")

    def _repr_html_(self) -> str:
        return str(self.table.head(20).to_html())


class Findings(Result):
    """A test of a model, at every voxel of the atlas and for every structure."""

    folder: Path

    @cached_property
    def clusters(self) -> "pd.DataFrame":
        """What is significant, by p, then by size."""
        import pandas as pd

        return pd.read_csv(self.folder / "clusters.csv")

    @cached_property
    def structures(self) -> "pd.DataFrame":
        """The same test for the volume of each structure."""
        import pandas as pd

        return pd.read_csv(self.folder / "structures.csv")

    @cached_property
    def design(self) -> "pd.DataFrame":
        """The columns of the model, one line for each subject."""
        import pandas as pd

        return pd.read_csv(self.folder / "design.csv")

    @property
    def maps(self) -> List[str]:
        """The names of the maps that there are."""
        return sorted(file.name[: -len(".nii.gz")] for file in self.folder.glob("*.nii.gz"))

    def map(self, name: str) -> Image:
        """One of `maps`, on the atlas grid."""
        return Image.read(self.folder / f"{name}.nii.gz")

    @property
    def page(self) -> Path:
        """The page that shows it."""
        return self.folder / "page.html"

    def _repr_html_(self) -> str:
        return str(self.structures.to_html())


class Cohort(Result):
    """A cohort that was checked, and its working grid."""

    @cached_property
    def subjects(self) -> "pd.DataFrame":
        """One line for each subject."""
        import pandas as pd

        return pd.DataFrame([_flat(one) for one in self.record["subjects"]]).set_index("id")

    @property
    def grid(self) -> Grid:
        """The working grid, that of the atlas."""
        grid = self.record["working_grid"]
        return Grid(grid["size"], grid["spacing_mm"], grid["origin_mm"], grid["direction"])

    @property
    def notes(self) -> List[str]:
        """What a user should know of it."""
        return list(self.record["notes"])


class Comparison(Result):
    """The table of methods."""

    folder: Path

    @cached_property
    def table(self) -> "pd.DataFrame":
        """table.csv."""
        import pandas as pd

        return pd.read_csv(self.folder / "table.csv")

    def _repr_html_(self) -> str:
        return str(self.table.to_html())


class Search(Result):
    """A grid search: the points, best first."""

    folder: Path

    @cached_property
    def ranking(self) -> "pd.DataFrame":
        """ranking.csv."""
        import pandas as pd

        return pd.read_csv(self.folder / "ranking.csv")

    @property
    def best(self) -> Path:
        """The best settings, for `config` of build."""
        return self.folder / "best.toml"

    def _repr_html_(self) -> str:
        return str(self.ranking.to_html())


def _folder(given: Mapping[str, Any]) -> Path:
    return Path(path_text(given["output"]))


def build(given: Mapping[str, Any], printed: str) -> Run:
    if printed:  # profile
        logging.getLogger("aladdin").info("%s", printed)
    return Run(_folder(given))


def evaluate(given: Mapping[str, Any], printed: str) -> Evaluation:
    return Evaluation(json.loads(printed) if printed else {"evaluations": [], "comparisons": []})


def measure(given: Mapping[str, Any], printed: str) -> Measures:
    return Measures(json.loads(printed), _folder(given))


def stats(given: Mapping[str, Any], printed: str) -> Findings:
    return Findings(json.loads(printed), _folder(given))


def cohort(given: Mapping[str, Any], printed: str) -> Cohort:
    return Cohort(json.loads(printed))


def compare(given: Mapping[str, Any], printed: str) -> Comparison:
    return Comparison(json.loads(printed), _folder(given))


def tune(given: Mapping[str, Any], printed: str) -> Search:
    return Search({"ranking": json.loads(printed)}, _folder(given))


def report(given: Mapping[str, Any], _: str) -> Optional[Path]:
    return Path(path_text(given["output"])) if given.get("output") else None


def snapshot(given: Mapping[str, Any], _: str) -> Path:
    return _folder(given)


def synth(given: Mapping[str, Any], _: str) -> Path:
    return _folder(given) / "cohort.csv"


def info(_: Mapping[str, Any], printed: str) -> List[Dict[str, Any]]:
    return list(json.loads(printed))


def register(_: Mapping[str, Any], printed: str) -> "pd.DataFrame":
    import pandas as pd

    return pd.DataFrame([_flat(one) for one in json.loads(printed)]).set_index("name")


def segment(_: Mapping[str, Any], printed: str) -> "pd.DataFrame":
    import pandas as pd

    return pd.read_csv(io.StringIO(printed), dtype={"image": str}).set_index("image")


def transform(given: Mapping[str, Any], printed: str) -> Dict[str, Any]:
    return dict(json.loads(printed)) if printed else {}


def warp(given: Mapping[str, Any], printed: str) -> "pd.DataFrame":
    import pandas as pd

    return pd.read_csv(io.StringIO(printed)) if printed else pd.DataFrame()


