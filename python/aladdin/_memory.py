"""register and segment in memory: images in, transforms and labels out, nothing on disk."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _core
from ._call import Progress, calling, path_text
from ._errors import UsageError
from ._images import Image, Labels, PathLike, as_image, as_labels, html_picture, is_path
from ._transforms import Transform

if TYPE_CHECKING:
    from ._images import ImageLike, LabelsLike


class Registration:
    """An image and its registration to an atlas."""

    def __init__(self, image: Image, held: _core.AtlasRegistration, registrar: _core.AtlasRegistrar, name: str) -> None:
        self.image = image
        self.name = name
        self._held = held
        self._registrar = registrar

    def __repr__(self) -> str:
        f = self.figures
        return f"<aladdin.Registration {self.name}: NCC {f['ncc_before']:.4f} to {f['ncc_after']:.4f}>"

    @property
    def to_atlas(self) -> Transform:
        """Pulls the image into atlas space; maps atlas points to native points."""
        return Transform(self._held.native_to_atlas)

    @property
    def to_native(self) -> Transform:
        """Pulls the atlas to the image; maps native points to atlas points."""
        return Transform(self._held.atlas_to_native)

    @property
    def figures(self) -> Dict[str, Any]:
        """Correlation before and after, folds, Jacobians, the error of the inverse, the shift."""
        return dict(self._held.figures)

    @property
    def warped(self) -> Image:
        """The image on the atlas grid."""
        with calling() as call:
            return Image._of(self._registrar.warped(call, self.image._held, self._held))

    @property
    def labels(self) -> Labels:
        """The labels of the atlas on the image's grid; raises Error where it has none."""
        with calling() as call:
            return Labels._of(self._registrar.labels_on(call, self.image.grid, self._held))

    def save(self, folder: PathLike, *, force: bool = False) -> List[Path]:
        """Write what 'aladdin register' writes into the folder; returns the files."""
        out = Path(path_text(folder))
        files = [
            *self.to_atlas.write(
                out / "transforms" / f"{self.name}_from-native_to-atlas_mode-image_xfm.nii.gz", force=force
            ),
            *self.to_native.write(
                out / "transforms" / f"{self.name}_from-atlas_to-native_mode-image_xfm.nii.gz", force=force
            ),
            out / "warped" / f"{self.name}.nii.gz",
        ]
        self.warped.write(files[-1], force=force)
        if self._registrar.labels is not None:
            files.append(out / "labels" / f"{self.name}.nii.gz")
            self.labels.write(files[-1], force=force)
        return files

    def _repr_html_(self) -> str:
        atlas = Image._of(self._registrar.atlas)
        labels = self._registrar.labels
        tint = None if labels is None else Labels._of(labels)
        return html_picture(self.warped.picture(tint), f"{self.name} in atlas space") + html_picture(
            atlas.picture(tint), "atlas"
        )


class Segmentation:
    """The labels of an image, its volumes, and how sure they are."""

    def __init__(self, image: Image, held: _core.Segmentation, columns: Sequence[str], table: Sequence[int], name: str):
        self.image = image
        self.name = name
        self._held = held
        self._columns = list(columns)
        self.label_values = list(table)

    def __repr__(self) -> str:
        return f"<aladdin.Segmentation {self.name}: {len(self._columns)} structures>"

    @property
    def labels(self) -> Labels:
        """On the image's grid."""
        return Labels._of(self._held.labels)

    @property
    def volumes(self) -> Dict[str, float]:
        """Of each structure in mm3, in 2-D mm2, by its name."""
        return dict(zip(self._columns, self._held.volumes[1:]))

    @property
    def probabilities(self) -> Optional[npt.NDArray[np.float32]]:
        """An array (i, j[, k], label) in the order of `label_values`, or None unless asked for; a view."""
        return self._held.probabilities  # type: ignore[no-any-return]

    def _repr_html_(self) -> str:
        return html_picture(self.image.picture(self.labels), self.name)


# The models that were used last: reading one takes as long as registering a small image.
_kept: Dict[Tuple[Any, ...], Any] = {}
_kept_lock = threading.Lock()
_MOST_KEPT = 2


def _keep(key: Tuple[Any, ...], make: Any) -> Any:
    with _kept_lock:
        if key in _kept:
            return _kept[key]
    made = make()
    with _kept_lock:
        while len(_kept) >= _MOST_KEPT:
            _kept.pop(next(iter(_kept)))
        _kept[key] = made
    return made


def _state_of(run: PathLike) -> Tuple[Any, ...]:
    """Changes when the files of the run do."""
    path = Path(path_text(run))
    files = [path, path / "model.safetensors", path / "run.json", path / "atlas_probabilities.nii.gz"]
    stats = [file.stat() if file.exists() else None for file in files]
    return (str(path.resolve()), *((s.st_mtime_ns, s.st_size, s.st_ino) if s else None for s in stats))


def is_several(images: Any) -> bool:
    """Whether it is a list of images; a pair (array, affine) is one image."""
    return isinstance(images, list) or (isinstance(images, tuple) and not _is_pair(images))


def _is_pair(images: Tuple[Any, ...]) -> bool:
    return len(images) == 2 and hasattr(images[0], "ndim") and np.shape(images[1]) == (4, 4)


def _jobs(images: Any, masks: Any) -> Tuple[List[Image], List[Optional[Labels]], List[str]]:
    given = list(images) if is_several(images) else [images]
    if masks is None:
        masks = [None] * len(given)
    elif not is_several(masks):
        masks = [masks]
    if len(masks) != len(given):
        raise UsageError(f"there are {len(masks)} masks for {len(given)} images")
    names = [_name_of(image, number) for number, image in enumerate(given)]
    return (
        [as_image(image) for image in given],
        [None if mask is None else as_labels(mask) for mask in masks],
        names,
    )


def _name_of(image: Any, number: int) -> str:
    if not is_path(image):
        return f"image{number + 1}"
    name = Path(path_text(image)).name
    for ending in (".nii.gz", ".nii", ".nrrd", ".mha", ".mhd", ".mgz", ".mgh", ".mif.gz", ".mif"):
        if name.lower().endswith(ending):
            return name[: -len(ending)]
    return name


def register(
    run: PathLike,
    images: Any,
    masks: Any,
    refine: Optional[int],
    fields: str,
    threads: Optional[int],
    progress: Progress,
    nan: Optional[str],
) -> List[Registration]:
    """Registrations of images in memory."""
    pictures, masked, names = _read(images, masks, nan)
    with calling(threads, progress) as call:
        registrar = _keep(
            ("register", *_state_of(run)), lambda: _core.AtlasRegistrar(call, path_text(run))
        )
        found = registrar.register(
            call,
            [image._held for image in pictures],
            [None if mask is None else mask._held for mask in masked],
            names,
            refine,
            fields,
        )
    return [Registration(image, held, registrar, name) for image, held, name in zip(pictures, found, names)]


def segment(
    run: PathLike,
    images: Any,
    masks: Any,
    refine: Optional[int],
    bridge: bool,
    probabilities: bool,
    names: Optional[Mapping[int, str]],
    threads: Optional[int],
    progress: Progress,
    nan: Optional[str],
) -> List[Segmentation]:
    """Segmentations of images in memory."""
    pictures, masked, called = _read(images, masks, nan)
    with calling(threads, progress) as call:
        segmenter = _keep(
            ("segment", bridge, *_state_of(run)), lambda: _core.Segmenter(call, path_text(run), bridge)
        )
        found = segmenter.label(
            call,
            [image._held for image in pictures],
            [None if mask is None else mask._held for mask in masked],
            called,
            refine,
            probabilities,
        )
    columns = segmenter.columns(dict(names or {}))
    return [
        Segmentation(image, held, columns, segmenter.table, name)
        for image, held, name in zip(pictures, found, called)
    ]


def _read(images: Any, masks: Any, nan: Optional[str]) -> Tuple[List[Image], List[Optional[Labels]], List[str]]:
    if nan == "zero":
        given = list(images) if is_several(images) else [images]
        images = [Image.read(image, nan="zero") if is_path(image) else image for image in given]
        pictures, masked, _ = _jobs(images, masks)
        return pictures, masked, [_name_of(image, number) for number, image in enumerate(given)]
    return _jobs(images, masks)


