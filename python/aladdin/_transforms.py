"""Transforms: functions on points, which resample images."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, List, NamedTuple, Optional, Sequence, Tuple, Union, overload

import numpy as np
import numpy.typing as npt

from . import _core
from ._call import calling, path_text
from ._core import Grid
from ._errors import UsageError
from ._images import Image, Labels, PathLike, as_grid, as_volume

if TYPE_CHECKING:
    from ._images import ImageLike

_RAS = np.array([-1.0, -1.0, 1.0])


class Step(NamedTuple):
    """One part of a transform."""

    kind: str  # "affine", "displacement", "inverse displacement"
    values: npt.NDArray[Any]  # a matrix (LPS mm), or one vector for each voxel (LPS mm), a view
    grid: Optional[Grid]  # of a displacement


class Transform:
    """Maps points of the space resampled *to* into the space resampled *from*, as ITK's; LPS mm.

    ``outer @ inner`` first applies `inner` to a point. ``t(points)`` maps points, ``t.warp(image)`` pulls an image.
    """

    def __init__(self, held: Optional[_core.Chain] = None) -> None:
        """The identity."""
        self._held = held if held is not None else _core.Chain()

    # --- makers

    @classmethod
    def read(
        cls,
        path: PathLike,
        *,
        format: str = "auto",
        source: Optional[PathLike] = None,
        reference: Optional[PathLike] = None,
        inverse: bool = False,
    ) -> "Transform":
        """Read a transform of any program that docs/transforms.md lists.

        Parameters
        ----------
        path : file
        format : 'auto', 'itk', 'ants', 'greedy', 'mrtrix', 'niftyreg', 'fsl', 'spm', 'lta'
            Whose file it is, where it does not say so.
        source, reference : images, for FSL
        inverse : invert it
        """
        with calling() as call:
            held = _core.read_transform(
                call,
                path_text(path),
                format,
                None if source is None else path_text(source),
                None if reference is None else path_text(reference),
            )
        return cls(held).inverse() if inverse else cls(held)

    @classmethod
    def affine(cls, matrix: npt.ArrayLike, *, ras: bool = False) -> "Transform":
        """Of a 4 x 4 matrix on points in LPS mm (2-D: 3 x 3), or in RAS mm."""
        given = np.array(matrix, dtype=float)
        if ras and given.ndim == 2:
            turn = np.ones(given.shape[0])
            turn[:2] = -1
            given = given * turn[:, None] * turn[None, :]
        return cls(_core.affine(given))

    @classmethod
    def displacement(cls, vectors: npt.ArrayLike, grid: Any) -> "Transform":
        """Of one vector in LPS mm for each voxel of a grid: an array (i, j[, k], component)."""
        return cls(_core.displacement(np.asarray(vectors, dtype=np.float32), as_grid(grid)))

    def __reduce__(self) -> Tuple[Any, ...]:
        steps = [
            (s.kind, np.asarray(s.values), s.grid and (s.grid.size, s.grid.spacing, s.grid.origin, s.grid.direction))
            for s in self.steps
        ]
        return _remade, (steps,)

    # --- what it is

    @property
    def steps(self) -> List[Step]:
        """Its parts, in the order in which they are applied to a point."""
        return [Step(*step) for step in self._held.steps]

    @property
    def dims(self) -> int:
        """2 or 3; 0 for the identity."""
        return self._held.dims

    @property
    def grid(self) -> Optional[Grid]:
        """That of the field that is applied first."""
        steps = self.steps
        return steps[0].grid if steps else None

    def __repr__(self) -> str:
        return f"<aladdin.Transform {', '.join(step.kind for step in self.steps) or 'identity'}>"

    # --- what it does

    def __matmul__(self, inner: "Transform") -> "Transform":
        if not isinstance(inner, Transform):
            return NotImplemented
        return Transform(_core.joined(self._held, inner._held))

    def inverse(self) -> "Transform":
        """Affines exactly, fields point by point."""
        with calling() as call:
            return Transform(_core.inverted(call, self._held))

    __invert__ = inverse

    def __call__(
        self, points: npt.ArrayLike, *, ras: bool = False, threads: Optional[int] = None
    ) -> npt.NDArray[np.float64]:
        """Map points, an array of as many columns as there are axes, in LPS mm or RAS mm."""
        given = np.asarray(points, dtype=float)
        flat = np.atleast_2d(given)
        turn = _RAS[: flat.shape[-1]] if ras else 1.0
        with calling(threads) as call:
            moved = np.asarray(_core.map_points(call, self._held, flat * turn)) * turn
        out: npt.NDArray[np.float64] = moved.reshape(given.shape)
        return out

    @overload
    def warp(
        self, image: Labels, like: Any = ..., *, interpolation: Optional[str] = ..., threads: Optional[int] = ...
    ) -> Labels: ...
    @overload
    def warp(
        self, image: Image, like: Any = ..., *, interpolation: Optional[str] = ..., threads: Optional[int] = ...
    ) -> Image: ...
    @overload
    def warp(
        self, image: Any, like: Any = ..., *, interpolation: Optional[str] = ..., threads: Optional[int] = ...
    ) -> Union[Image, Labels]: ...
    def warp(
        self,
        image: "ImageLike",
        like: Any = None,
        *,
        interpolation: Optional[str] = None,
        threads: Optional[int] = None,
    ) -> Union[Image, Labels]:
        """Pull an image or a label map through the transform.

        Parameters
        ----------
        image : Image, Labels, path, image of nibabel, SimpleITK or ANTs, or (array, affine)
        like : an image, a path or a Grid to resample to; default: the grid of the field that is applied first
        interpolation : 'linear', 'nearest', 'label', 'bspline'; default: 'label' for labels, else 'linear'
        """
        given = as_volume(image)
        if interpolation == "label" and isinstance(given, Image):
            given = Labels(given.values, grid=given.grid)
        grid = self.grid if like is None else as_grid(like)
        if grid is None:
            raise UsageError(
                "like is missing, and the transform that is applied first has no grid of its own; "
                "name an image on the wanted grid with like"
            )
        with calling(threads) as call:
            if isinstance(given, Labels) and interpolation in (None, "label", "nearest"):
                held = _core.resample_labels(call, given._held, self._held, grid, interpolation or "label")
                return Labels._of(held)
            moving = given if isinstance(given, Image) else Image(given.values, grid=given.grid)
            return Image._of(_core.resample_image(call, moving._held, self._held, grid, interpolation or "linear"))

    def sampled(self, like: Any, *, threads: Optional[int] = None) -> "Transform":
        """The whole as one field on the grid of an image."""
        with calling(threads) as call:
            return Transform(_core.sampled(call, self._held, as_grid(like)))

    def jacobian(self, like: Any = None, *, threads: Optional[int] = None) -> Image:
        """The determinant of its derivative on a grid; below 0 it folds."""
        grid = self.grid if like is None else as_grid(like)
        if grid is None:
            raise UsageError("like is missing, and the transform that is applied first has no grid of its own")
        with calling(threads) as call:
            return Image._of(_core.jacobian(call, self._held, grid))

    # --- for others

    def write(
        self,
        path: PathLike,
        *,
        format: str = "auto",
        like: Optional["ImageLike"] = None,
        source: Optional["ImageLike"] = None,
        force: bool = False,
    ) -> List[Path]:
        """Write a file of `format`, as 'aladdin transform' does; returns the files."""
        from ._images import is_path

        with calling() as call:
            return [
                Path(file)
                for file in _core.write_transform(
                    call,
                    path_text(path),
                    self._held,
                    format,
                    None if like is None else as_grid(like),
                    None if source is None else as_grid(source),
                    path_text(like) if like is not None and is_path(like) else "",
                    path_text(source) if source is not None and is_path(source) else "",
                    force,
                )
            ]

    def _field_parts(self) -> List[Step]:
        """Its parts, inverses of fields sampled on the grids of those."""
        parts = []
        for step in self.steps:
            if step.kind == "inverse displacement":
                one = Transform.displacement(step.values, step.grid).inverse().sampled(step.grid)
                step = one.steps[0]
            parts.append(step)
        return parts

    def to_itk(self) -> Any:
        """As a SimpleITK.Transform."""
        import SimpleITK

        def of(step: Step) -> Any:
            if step.grid is None:
                dims = step.values.shape[0] - 1
                affine = SimpleITK.AffineTransform(dims)
                affine.SetMatrix(step.values[:dims, :dims].ravel().tolist())
                affine.SetTranslation(step.values[:dims, dims].tolist())
                return affine
            grid = step.grid
            order = tuple(reversed(range(grid.dims))) + (grid.dims,)
            field = SimpleITK.GetImageFromArray(
                np.ascontiguousarray(step.values.transpose(order), dtype=np.float64), isVector=True
            )
            field.SetSpacing(grid.spacing)
            field.SetOrigin(grid.origin)
            field.SetDirection(grid.direction.ravel().tolist())
            return SimpleITK.DisplacementFieldTransform(field)

        parts = [of(step) for step in self._field_parts()]
        if len(parts) == 1:
            return parts[0]
        whole = SimpleITK.CompositeTransform(self.dims or 3)
        for part in reversed(parts):  # ITK applies the last one first
            whole.AddTransform(part)
        return whole

    def to_ants(self) -> Any:
        """As an ants.ANTsTransform."""
        import ants

        def of(step: Step) -> Any:
            if step.grid is None:
                dims = step.values.shape[0] - 1
                made = ants.new_ants_transform(dimension=dims, transform_type="AffineTransform")
                made.set_fixed_parameters(np.zeros(dims))
                made.set_parameters(
                    np.concatenate([step.values[:dims, :dims].ravel(), step.values[:dims, dims]])
                )
                return made
            field = ants.from_numpy(
                np.ascontiguousarray(step.values),
                origin=step.grid.origin,
                spacing=step.grid.spacing,
                direction=step.grid.direction,
                has_components=True,
            )
            return ants.transform_from_displacement_field(field)

        parts = [of(step) for step in self._field_parts()]
        return parts[0] if len(parts) == 1 else ants.compose_ants_transforms(parts)

    def to_nitransforms(self) -> Any:
        """As a transform of nitransforms."""
        import nitransforms
        from nitransforms.manip import TransformChain
        from nitransforms.nonlinear import (
            DenseFieldTransform,
        )

        def of(step: Step) -> Any:
            if step.grid is None:
                turn = np.array([-1.0, -1.0, 1.0, 1.0])
                return nitransforms.linear.Affine(step.values * turn[:, None] * turn[None, :])
            import nibabel

            vectors = np.asarray(step.values, dtype=np.float32) * _RAS.astype(np.float32)
            return DenseFieldTransform(nibabel.Nifti1Image(vectors, step.grid.affine), is_deltas=True)

        if self.dims == 2:
            raise UsageError("nitransforms has no transforms in 2-D")
        parts = [of(step) for step in self._field_parts()]
        return parts[0] if len(parts) == 1 else TransformChain(parts)

    def to_fsl(self, path: PathLike, *, source: "ImageLike", reference: "ImageLike", force: bool = False) -> List[Path]:
        """Write FLIRT's matrix (.mat) or FNIRT's field (.nii.gz) between two images."""
        return self.write(path, format="fsl", like=reference, source=source, force=force)


def _remade(steps: Sequence[Tuple[str, Any, Any]]) -> Transform:
    """A transform that was pickled."""
    whole = Transform()
    for kind, values, grid in steps:
        one = Transform.affine(values) if grid is None else Transform.displacement(values, Grid(*grid))
        whole = (one.inverse() if kind.startswith("inverse") else one) @ whole
    return whole


def as_transform(transform: Union[Transform, PathLike]) -> Transform:
    """A transform, or that of a file."""
    return transform if isinstance(transform, Transform) else Transform.read(transform)
