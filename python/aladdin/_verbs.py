"""The commands that also work in memory: register, segment, warp, transform."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Literal, Mapping, Optional, Sequence, Union, overload

import numpy as np
import numpy.typing as npt

from . import _commands, _core, _invoke, _memory
from ._call import Progress, path_text
from ._errors import UsageError
from ._images import Image, Labels, PathLike, as_volume, is_path
from ._memory import Registration, Segmentation
from ._transforms import Transform, as_transform

if TYPE_CHECKING:
    import pandas as pd

    from ._images import ImageLike, LabelsLike

TransformLike = Union[Transform, PathLike]
Nan = Literal["refuse", "zero"]
Fields = Literal["registration", "native"]
Kind = Literal["rigid", "similarity", "affine", "diffeomorphic"]
Similarity = Literal["mse", "ncc", "lncc", "mi"]


def _refuse_in_memory(command: str, **given: Any) -> None:
    for name, value in given.items():
        if value:
            raise UsageError(f"{command}: {name} needs output, the folder for the results")


@overload
def register(
    run: PathLike,
    images: List[Any],
    *,
    output: None = ...,
    masks: Any = ...,
    refine: Optional[int] = ...,
    fields: Optional[Fields] = ...,
    nan: Optional[Nan] = ...,
    threads: Optional[int] = ...,
    progress: Progress = ...,
) -> List[Registration]: ...
@overload
def register(
    run: PathLike,
    images: "ImageLike",
    *,
    output: None = ...,
    masks: Any = ...,
    refine: Optional[int] = ...,
    fields: Optional[Fields] = ...,
    nan: Optional[Nan] = ...,
    threads: Optional[int] = ...,
    progress: Progress = ...,
) -> Registration: ...
@overload
def register(
    run: PathLike,
    images: Union[PathLike, Sequence[PathLike], None] = ...,
    *,
    output: PathLike,
    masks: Optional[PathLike] = ...,
    refine: Optional[int] = ...,
    fields: Optional[Fields] = ...,
    warped: bool = ...,
    labels: bool = ...,
    where: Optional[str] = ...,
    at: Optional[str] = ...,
    bandwidth: Optional[str] = ...,
    drop_missing: bool = ...,
    extrapolate: bool = ...,
    to: Optional[PathLike] = ...,
    to_mask: Optional[PathLike] = ...,
    to_labels: Optional[PathLike] = ...,
    kind: Optional[Kind] = ...,
    similarity: Optional[Similarity] = ...,
    lambda_: Optional[float] = ...,
    spacing: Optional[float] = ...,
    shard: Optional[str] = ...,
    suffix: Optional[str] = ...,
    force: bool = ...,
    nan: Optional[Nan] = ...,
    threads: Optional[int] = ...,
    progress: Progress = ...,
) -> "pd.DataFrame": ...
def register(
    run: PathLike,
    images: Any = None,
    *,
    output: Optional[PathLike] = None,
    masks: Any = None,
    refine: Optional[int] = None,
    fields: Optional[Fields] = None,
    warped: bool = False,
    labels: bool = False,
    where: Optional[str] = None,
    at: Optional[str] = None,
    bandwidth: Optional[str] = None,
    drop_missing: bool = False,
    extrapolate: bool = False,
    to: Optional[PathLike] = None,
    to_mask: Optional[PathLike] = None,
    to_labels: Optional[PathLike] = None,
    kind: Optional[Kind] = None,
    similarity: Optional[Similarity] = None,
    lambda_: Optional[float] = None,
    spacing: Optional[float] = None,
    shard: Optional[str] = None,
    suffix: Optional[str] = None,
    force: bool = False,
    nan: Optional[Nan] = None,
    threads: Optional[int] = None,
    progress: Progress = None,
) -> Union[Registration, List[Registration], "pd.DataFrame"]:
    """Register new images to the atlas of a run: in memory, or with `output` as files.

    In memory `images` is an image or a list of images: aladdin.Image, a path, an image of nibabel, SimpleITK or ANTs, or
    a pair (array, affine); `masks` are label maps in the same way. The result is a Registration, or a list of them.

    With `output`, `at` or `where` register to the atlas of that age or subgroup, and `to` registers to an image instead of
    an atlas: `register("t1.nii.gz", to="mni.nii.gz", output="out")`.
    """
    chosen: Dict[str, Any] = dict(
        warped=warped, labels=labels, where=where, at=at, bandwidth=bandwidth, drop_missing=drop_missing,
        extrapolate=extrapolate, to=to, to_mask=to_mask, to_labels=to_labels, kind=kind, similarity=similarity,
        lambda_=lambda_, spacing=spacing, shard=shard, suffix=suffix, force=force,
    )  # fmt: skip
    if output is not None:
        return _commands.register_files(
            run, images, output=output, masks=masks, refine=refine, fields=fields, nan=nan, threads=threads,
            progress=progress, **chosen,
        )  # fmt: skip
    if images is None:
        raise TypeError("register() needs images, or with `to` an output")
    _refuse_in_memory("register", **chosen)
    found = _memory.register(run, images, masks, refine, fields or "registration", threads, progress, nan)
    return found if _memory.is_several(images) else found[0]


@overload
def segment(
    run: PathLike,
    images: List[Any],
    *,
    output: None = ...,
    masks: Any = ...,
    refine: Optional[int] = ...,
    bridge: bool = ...,
    probabilities: bool = ...,
    names: Optional[Mapping[int, str]] = ...,
    nan: Optional[Nan] = ...,
    threads: Optional[int] = ...,
    progress: Progress = ...,
) -> List[Segmentation]: ...
@overload
def segment(
    run: PathLike,
    images: "ImageLike",
    *,
    output: None = ...,
    masks: Any = ...,
    refine: Optional[int] = ...,
    bridge: bool = ...,
    probabilities: bool = ...,
    names: Optional[Mapping[int, str]] = ...,
    nan: Optional[Nan] = ...,
    threads: Optional[int] = ...,
    progress: Progress = ...,
) -> Segmentation: ...
@overload
def segment(
    run: PathLike,
    images: Union[PathLike, Sequence[PathLike]],
    *,
    output: PathLike,
    masks: Optional[PathLike] = ...,
    refine: Optional[int] = ...,
    bridge: bool = ...,
    probabilities: bool = ...,
    names: Union[PathLike, Mapping[int, str], None] = ...,
    shard: Optional[str] = ...,
    suffix: Optional[str] = ...,
    force: bool = ...,
    nan: Optional[Nan] = ...,
    threads: Optional[int] = ...,
    progress: Progress = ...,
) -> "pd.DataFrame": ...
def segment(
    run: PathLike,
    images: Any,
    *,
    output: Optional[PathLike] = None,
    masks: Any = None,
    refine: Optional[int] = None,
    bridge: bool = False,
    probabilities: bool = False,
    names: Union[PathLike, Mapping[int, str], None] = None,
    shard: Optional[str] = None,
    suffix: Optional[str] = None,
    force: bool = False,
    nan: Optional[Nan] = None,
    threads: Optional[int] = None,
    progress: Progress = None,
) -> Union[Segmentation, List[Segmentation], "pd.DataFrame"]:
    """Label new images from an atlas with labels: in memory, or with `output` as files.

    `images` and `masks` are as in `register`; the result is a Segmentation, or a list of them.
    """
    if output is not None:
        return _commands.segment_files(
            run, images, output=output, masks=masks, refine=refine, bridge=bridge, probabilities=probabilities,
            names=names, shard=shard, suffix=suffix, force=force, nan=nan, threads=threads, progress=progress,
        )  # fmt: skip
    _refuse_in_memory("segment", shard=shard, suffix=suffix, force=force)
    if names is not None and not isinstance(names, Mapping):
        names = _core.read_label_names(path_text(names))
    found = _memory.segment(run, images, masks, refine, bridge, probabilities, names, threads, progress, nan)
    return found if _memory.is_several(images) else found[0]


def _chain(transforms: Union[TransformLike, Sequence[TransformLike], None]) -> Transform:
    """As 'aladdin warp' stacks them: the last one is applied first to a point."""
    if transforms is None:
        return Transform()
    many = transforms if isinstance(transforms, (list, tuple)) else [transforms]
    whole = Transform()
    for one in many:
        whole = whole @ as_transform(one)
    return whole


def warp(
    image: Optional["ImageLike"] = None,
    *,
    transform: Union[TransformLike, Sequence[TransformLike], None] = None,
    like: Any = None,
    output: Optional[PathLike] = None,
    interp: Optional[Literal["linear", "nearest", "label", "bspline"]] = None,
    points: Any = None,
    ras: bool = False,
    nan: Optional[Nan] = None,
    threads: Optional[int] = None,
    force: bool = False,
    progress: Progress = None,
) -> Union[Image, Labels, npt.NDArray[np.float64], "pd.DataFrame"]:
    """Resample an image or a label map, or move points, through transforms.

    Of several transforms the last one is applied first to a point of the space resampled to, as in ANTs. Transforms are
    Transform objects or files. With `output` the result is a file, and everything is a path as in 'aladdin warp';
    without it the result is returned: an Image, Labels, or an array of points.
    """
    if output is not None or is_path(points):
        many = [] if transform is None else transform if isinstance(transform, (list, tuple)) else [transform]
        files: Dict[str, Any] = {"image": image, "like": like, "points": points}
        for one in [*files.values(), *many]:
            if one is not None and not is_path(one):
                raise UsageError(f"warp: with output everything is a path, got a {type(one).__name__}")
        return _commands.warp_files(
            **files, transform=[str(path_text(one)) for one in many if is_path(one)], output=output, interp=interp, ras=ras, nan=nan,
            threads=threads, force=force, progress=progress,
        )  # fmt: skip
    if (image is None) == (points is None):
        raise UsageError("expected either an image or points")
    if force:
        raise UsageError("warp: force needs output")
    if points is not None:
        if like is not None or interp is not None:
            raise UsageError("like and interp do not apply to points")
        return _chain(transform)(points, ras=ras, threads=threads)
    assert image is not None
    given = Image.read(image, nan="zero") if nan == "zero" and is_path(image) else as_volume(image)
    warped: Union[Image, Labels] = _chain(transform).warp(given, like, interpolation=interp, threads=threads)
    return warped


def transform(
    transform: Union[TransformLike, Sequence[TransformLike]],
    *,
    invert: bool = False,
    like: Any = None,
    source: Optional["ImageLike"] = None,
    format: Optional[str] = None,
    output: Optional[PathLike] = None,
    threads: Optional[int] = None,
    force: bool = False,
    progress: Progress = None,
) -> Union[Transform, Dict[str, Any]]:
    """Compose, invert and convert transforms; with `output` into a file.

    Of several the last one is applied first to a point. `like` samples the whole on the grid of an image. The result is
    the Transform that was written; `info` says how large that of a file is, and where it folds.
    """
    whole = _chain(transform)
    if invert:
        whole = whole.inverse()
    if output is None:
        for name, value in {"format": format, "source": source, "force": force}.items():
            if value:
                raise UsageError(f"transform: {name} needs output")
        return whole if like is None else whole.sampled(like, threads=threads)
    whole.write(output, format=format or "auto", like=like, source=source, force=force)
    return whole


def plan(source: Any, *, output: Optional[PathLike] = None, **settings: Any) -> str:
    """What `build` would do with the same settings: the plan, its memory, and the time of a step."""
    lines: List[str] = []
    given = {"source": source, "output": output or "plan", "dry_run": True, **settings}
    _invoke.invoke("build", given, threads=settings.get("threads"), heard=lines)
    return "\n".join(lines)
