"""Images and label maps in memory, and how those of other packages become ours."""

from __future__ import annotations

import base64
import os
from typing import TYPE_CHECKING, Any, Generic, Optional, Sequence, Tuple, Type, TypeVar, Union

import numpy as np
import numpy.typing as npt

from . import _core
from ._call import calling, path_text
from ._core import Grid
from ._errors import UsageError

PathLike = Union[str, "os.PathLike[str]"]
Scalar = TypeVar("Scalar", np.float32, np.int32)
Self = TypeVar("Self", bound="Volume[Any]")


class Volume(Generic[Scalar]):
    """Values on a grid. Index 0 of `values` runs along the first axis of the image, as in nibabel."""

    _type: Any
    _held: Any

    def __init__(
        self,
        values: npt.ArrayLike,
        affine: Optional[npt.ArrayLike] = None,
        *,
        grid: Optional[Grid] = None,
    ) -> None:
        """Make a volume of an array.

        Parameters
        ----------
        values : array of two or three axes
        affine : 4 x 4 matrix from voxels to RAS mm, as nibabel has it; or give `grid`
        grid : Grid
        """
        array = np.asarray(values)
        if (affine is None) == (grid is None):
            raise UsageError("expected either an affine (4 x 4, voxels to RAS mm) or a grid")
        if array.ndim == 3 and array.shape[2] == 1 and (grid is None or grid.dims == 2):
            array = array[:, :, 0]
        if grid is None:
            grid = Grid.from_affine(array.shape, np.asarray(affine, dtype=float))
        self._held = self._type(self._checked(array), grid)

    @staticmethod
    def _checked(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return array

    @classmethod
    def _of(cls: Type[Self], held: Any) -> Self:
        made = cls.__new__(cls)
        made._held = held
        return made

    @property
    def values(self) -> npt.NDArray[Scalar]:
        """The values; an array over the memory of this volume, which it can change."""
        return self._held.values  # type: ignore[no-any-return]

    @property
    def grid(self) -> Grid:
        """Where the voxels are."""
        return self._held.grid  # type: ignore[no-any-return]

    @property
    def affine(self) -> npt.NDArray[np.float64]:
        """4 x 4 matrix from voxels to RAS mm, as nibabel has it."""
        return self.grid.affine

    @property
    def shape(self) -> Tuple[int, ...]:
        """Number of voxels along each axis."""
        return self.grid.size

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> npt.NDArray[Any]:
        if copy is False and dtype is not None and np.dtype(dtype) != self.values.dtype:
            raise ValueError(f"a view has the type {self.values.dtype}, not {np.dtype(dtype)}")
        array: npt.NDArray[Any] = self.values if dtype is None else self.values.astype(dtype, copy=False)
        out: npt.NDArray[Any] = array.copy(order="K") if copy else array
        return out

    def __repr__(self) -> str:
        return f"<aladdin.{type(self).__name__} {self.grid}>"

    def __reduce__(self) -> Tuple[Any, ...]:
        g = self.grid
        return _remade, (type(self), np.asarray(self.values), g.size, g.spacing, g.origin, g.direction)

    def to_nibabel(self) -> Any:
        """As a nibabel.Nifti1Image; its data are a view of the values."""
        import nibabel

        image = nibabel.Nifti1Image(self.values, self.affine)
        image.set_sform(self.affine, 1)
        image.set_qform(self.affine, 1)
        return image

    def to_sitk(self) -> Any:
        """As a SimpleITK.Image."""
        import SimpleITK

        image = SimpleITK.GetImageFromArray(self.values.T)
        image.SetSpacing(self.grid.spacing)
        image.SetOrigin(self.grid.origin)
        image.SetDirection(self.grid.direction.ravel().tolist())
        return image

    def to_ants(self) -> Any:
        """As an ants.ANTsImage."""
        import ants

        return ants.from_numpy(
            np.asarray(self.values, dtype=np.float32),
            origin=self.grid.origin,
            spacing=self.grid.spacing,
            direction=self.grid.direction,
        )


def _remade(
    kind: Any, values: Any, size: Sequence[int], spacing: Sequence[float], origin: Sequence[float], direction: Any
) -> Any:
    """A volume that was pickled."""
    return kind(values, grid=Grid(size, spacing, origin, direction))


class Image(Volume[np.float32]):
    """Intensities on a grid, as 32-bit floats."""

    _type = _core.Image

    @classmethod
    def read(cls, path: PathLike, *, nan: str = "refuse") -> "Image":
        """Read NIfTI, NRRD, MetaImage, MGH, MIF or a DICOM folder; `nan` is 'refuse' or 'zero'."""
        with calling() as call:
            call.nan_is_zero = _nan_is_zero(nan)
            return cls._of(_core.read_image(call, path_text(path)))

    def write(self, path: PathLike, *, force: bool = False) -> None:
        """Write .nii, .nii.gz, .nrrd, .mha, .mgz or .mgh, as float32."""
        with calling() as call:
            _core.write_image(call, path_text(path), self._held, force)

    def picture(
        self, labels: Optional["Labels"] = None, *, panel: int = 192, neurological: bool = False
    ) -> bytes:
        """Three slices as a PNG, tinted by the labels."""
        with calling() as call:
            held = None if labels is None else labels._held
            return _core.picture(call, self._held, held, panel, neurological)

    def _repr_html_(self) -> str:
        return html_picture(self.picture(), str(self.grid))


class Labels(Volume[np.int32]):
    """Whole numbers on a grid, 0 is the background."""

    _type = _core.Labels

    @staticmethod
    def _checked(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        if array.dtype.kind in "biu":
            return array.astype(np.int32, copy=False)
        whole: npt.NDArray[Any] = np.rint(array)
        if not np.array_equal(whole, array):
            raise UsageError("the values of a label map are whole numbers")
        out: npt.NDArray[Any] = whole.astype(np.int32)
        return out

    @classmethod
    def read(cls, path: PathLike) -> "Labels":
        """Read a label map of any pixel type."""
        with calling() as call:
            return cls._of(_core.read_labels(call, path_text(path)))

    def write(self, path: PathLike, *, force: bool = False) -> None:
        """Write as the smallest integer type that fits."""
        with calling() as call:
            _core.write_labels(call, path_text(path), self._held, force)

    def _repr_html_(self) -> str:
        present = Image((self.values > 0).astype(np.float32), grid=self.grid)
        return html_picture(present.picture(self), str(self.grid))


def _nan_is_zero(nan: str) -> bool:
    if nan not in ("refuse", "zero"):
        raise UsageError(f"nan '{nan}': expected one of refuse, zero")
    return nan == "zero"


def html_picture(png: bytes, caption: str) -> str:
    """An image of a page, with its data in it."""
    data = base64.b64encode(png).decode()
    return f'<figure><img src="data:image/png;base64,{data}" alt="{caption}"/><figcaption>{caption}</figcaption></figure>'


if TYPE_CHECKING:
    from typing import Protocol

    from typing_extensions import TypeGuard

    class Nibabel(Protocol):
        """An image of nibabel."""

        @property
        def affine(self) -> Any: ...
        @property
        def dataobj(self) -> Any: ...

    class Sitk(Protocol):
        """An image of SimpleITK."""

        def GetDirection(self) -> Any: ...
        def GetSpacing(self) -> Any: ...

    class Ants(Protocol):
        """An image of ANTs."""

        @property
        def direction(self) -> Any: ...
        def numpy(self) -> Any: ...

    Foreign = Union[Nibabel, Sitk, Ants, Tuple[npt.NDArray[Any], npt.NDArray[Any]]]
    #: Image, a path, a nibabel, SimpleITK or ANTs image, or a pair (array, affine).
    ImageLike = Union[Image, Labels, PathLike, Foreign]
    LabelsLike = Union[Labels, Image, PathLike, Foreign]


def _grid_of_foreign(image: Any) -> Tuple[npt.NDArray[Any], Grid]:
    """The array and the grid of an image of another package."""
    if hasattr(image, "GetDirection") and hasattr(image, "GetSpacing"):
        import SimpleITK

        array = SimpleITK.GetArrayViewFromImage(image).T
        dims = image.GetDimension()
        direction = np.reshape(image.GetDirection(), (dims, dims))
        grid = Grid(list(image.GetSize()), list(image.GetSpacing()), list(image.GetOrigin()), direction)
        return array, grid
    if hasattr(image, "numpy") and hasattr(image, "direction"):  # ants.ANTsImage
        array = image.numpy()
        return array, Grid(list(array.shape), list(image.spacing), list(image.origin), image.direction)
    if hasattr(image, "affine") and hasattr(image, "dataobj"):  # nibabel
        array = np.asanyarray(image.dataobj)
        if array.ndim == 3 and array.shape[2] == 1:
            array = array[:, :, 0]
        return array, Grid.from_affine(array.shape, np.asarray(image.affine, dtype=float))
    if isinstance(image, tuple) and len(image) == 2:
        array = np.asarray(image[0])
        if array.ndim == 3 and array.shape[2] == 1:
            array = array[:, :, 0]
        return array, Grid.from_affine(array.shape, np.asarray(image[1], dtype=float))
    raise UsageError(
        f"cannot take a {type(image).__name__} for an image; expected an aladdin.Image, a path, an image of "
        "nibabel, SimpleITK or ANTs, or a pair (array, affine)"
    )


def is_path(thing: object) -> "TypeGuard[PathLike]":
    """Whether it names a file."""
    return isinstance(thing, (str, os.PathLike))


def as_image(image: "ImageLike") -> Image:
    """Any image as an aladdin.Image; what is one already is not copied."""
    if isinstance(image, Image):
        return image
    if isinstance(image, Labels):
        return Image(image.values, grid=image.grid)
    if is_path(image):
        return Image.read(image)
    array, grid = _grid_of_foreign(image)
    return Image(array, grid=grid)


def as_labels(labels: "LabelsLike") -> Labels:
    """Any label map as aladdin.Labels."""
    if isinstance(labels, Labels):
        return labels
    if isinstance(labels, Image):
        return Labels(labels.values, grid=labels.grid)
    if is_path(labels):
        return Labels.read(labels)
    array, grid = _grid_of_foreign(labels)
    return Labels(array, grid=grid)


def as_volume(image: "ImageLike") -> Union[Image, Labels]:
    """An image, or labels where a file looks like a label map ('aladdin warp' has the rule) or an array is of integers."""
    if isinstance(image, (Image, Labels)):
        return image
    if is_path(image):
        with calling() as call:
            held = _core.read_either(call, path_text(image))
        return Labels._of(held) if isinstance(held, _core.Labels) else Image._of(held)
    array, grid = _grid_of_foreign(image)
    return Labels(array, grid=grid) if array.dtype.kind in "biu" else Image(array, grid=grid)


def as_grid(like: Any) -> Grid:
    """The grid of an image, or a grid."""
    if isinstance(like, Grid):
        return like
    if isinstance(like, Volume):
        return like.grid
    if is_path(like):
        with calling() as call:
            return _core.read_grid(call, path_text(like))
    return _grid_of_foreign(like)[1]
