"""A run directory: what 'aladdin build' left behind."""

from __future__ import annotations

import html
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, List, Optional

from . import _core
from ._call import calling, path_text
from ._errors import Error, UsageError
from ._images import Image, Labels, PathLike, html_picture
from ._transforms import Transform

if TYPE_CHECKING:
    import pandas as pd


class Run:
    """A finished build: its atlas, subjects, transforms, metrics and model, read when they are asked for."""

    def __init__(self, folder: PathLike) -> None:
        """Open the folder; raises Error where no build has come to its end."""
        self.folder = Path(path_text(folder))
        self._record = _core.record(str(self.folder))

    def __fspath__(self) -> str:
        return str(self.folder)

    def __repr__(self) -> str:
        return f"<aladdin.Run {str(self.folder)!r}: {len(self.ids)} subjects, preset {self.preset}>"

    @property
    def preset(self) -> str:
        """The preset of its settings."""
        return str(self._record["preset"])

    @property
    def command(self) -> str:
        """What made it."""
        return str(self._record["command"])

    @cached_property
    def settings(self) -> Dict[str, Any]:
        """Every setting by its name, such as 'train.rate', from config.toml."""
        from ._settings import read_settings

        return read_settings(self.folder / "config.toml")

    @property
    def ids(self) -> List[str]:
        """Of the subjects, in the order of the cohort."""
        return [str(subject["id"]) for subject in self._record["subjects"]]

    @property
    def label_names(self) -> Dict[int, str]:
        """Names that the cohort had for its labels."""
        return dict(self._record["label_names"])

    @property
    def label_values(self) -> List[int]:
        """The labels that there are; the first is 0, the background. Empty: none."""
        return list(self._record["labels"])

    @cached_property
    def atlas(self) -> Image:
        """The atlas; intensities 0 to 1."""
        return Image.read(self.folder / "atlas.nii.gz")

    @cached_property
    def labels(self) -> Optional[Labels]:
        """The most frequent label of the training subjects, or None."""
        file = self.folder / "atlas_labels.nii.gz"
        return Labels.read(file) if file.exists() else None

    @cached_property
    def variability(self) -> Image:
        """Standard deviation of the training images in atlas space."""
        return Image.read(self.folder / "atlas_variability.nii.gz")

    @cached_property
    def probabilities(self) -> Dict[int, Image]:
        """How often each label is where."""
        file = self.folder / "atlas_probabilities.nii.gz"
        if not file.exists():
            return {}
        with calling() as call:
            volumes = _core.read_volumes(call, str(file))
        return {label: Image._of(volume) for label, volume in zip(self.label_values, volumes)}

    @property
    def model(self) -> Path:
        """The file that is enough to register new images."""
        return self.folder / "model.safetensors"

    @cached_property
    def subjects(self) -> "pd.DataFrame":
        """The subjects with their files and covariates, and how well each was registered."""
        import pandas as pd

        table = pd.DataFrame(self._record["subjects"])
        for name in table.columns.difference(["id", "split", "image", "label"]):
            try:
                table[name] = pd.to_numeric(table[name].replace("", None))
            except (ValueError, TypeError):
                pass
        scores = pd.read_csv(self.folder / "subjects.csv", dtype={"id": str})
        new = [name for name in scores.columns if name == "id" or name not in table.columns]
        return table.merge(scores[new], on="id", how="left").set_index("id")

    @cached_property
    def metrics(self) -> "pd.DataFrame":
        """One line for each epoch of the training."""
        import pandas as pd

        return pd.read_csv(self.folder / "metrics.csv")

    def transform(self, id: str, to: str = "atlas") -> Transform:
        """The transform that brings a subject `to` the 'atlas', or the atlas to the 'native' image of a subject."""
        if id not in self.ids:
            raise Error(f"'{self.folder}' has no subject '{id}'; its subjects are named like '{self.ids[0]}'")
        names = {
            "atlas": f"{id}_from-native_to-atlas_mode-image_xfm.nii.gz",
            "native": f"{id}_from-atlas_to-native_mode-image_xfm.nii.gz",
        }
        if to not in names:
            raise UsageError(f"to '{to}': expected one of atlas, native")
        return Transform.read(self.folder / "transforms" / names[to])

    def image(self, id: str) -> Image:
        """The image of a subject, as it was given."""
        for subject in self._record["subjects"]:
            if subject["id"] == id:
                return Image.read(subject["image"])
        raise Error(f"'{self.folder}' has no subject '{id}'; its subjects are named like '{self.ids[0]}'")

    @property
    def report(self) -> Path:
        """The page that shows it."""
        return self.folder / "report.html"

    def _repr_html_(self) -> str:
        caption = f"{self.folder}: {len(self.ids)} subjects, preset {self.preset}, {self.atlas.grid}"
        return html_picture(self.atlas.picture(self.labels), html.escape(caption, quote=True))
