"""The kernels of the library as differentiable functions of PyTorch, for those who develop methods.

Tensors are float32 on the CPU: images (n, channels[, d], h, w), displacements and velocities (n, dims[, d], h, w) in
voxels, component 0 along w. `image_tensor`, `transform_of` and `displacement_of` go to and from images and transforms.
"""

# mypy: disable-error-code="override,no-untyped-call"

from __future__ import annotations

from typing import Any, Optional, Sequence, Tuple

import numpy as np
import torch

from . import _core
from ._call import calling
from ._errors import UsageError
from ._images import Image
from ._transforms import Transform

Tensor = torch.Tensor


def _array(tensor: Tensor) -> Any:
    if tensor.dtype != torch.float32 or tensor.device.type != "cpu":
        raise UsageError(f"expected a float32 tensor on the cpu, got {tensor.dtype} on {tensor.device}")
    return tensor.detach().contiguous().numpy()


class _Warp(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, image: Tensor, u: Tensor, border: str) -> Tensor:
        ctx.save_for_backward(image, u)
        ctx.border = border
        with calling() as call:
            return torch.from_numpy(_core.warp(call, _array(image), _array(u), border))

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> Tuple[Tensor, Tensor, None]:
        image, u = ctx.saved_tensors
        with calling() as call:
            of_image, of_u = _core.warp_backward(call, _array(image), _array(u), _array(grads[0]), ctx.border)
        return torch.from_numpy(of_image), torch.from_numpy(of_u), None


class _Exponential(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, v: Tensor, squarings: int, sign: float) -> Tensor:
        ctx.save_for_backward(v)
        ctx.rule = squarings, sign
        with calling() as call:
            return torch.from_numpy(_core.exponential(call, _array(v), squarings, sign))

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> Tuple[Tensor, None, None]:
        (v,) = ctx.saved_tensors
        with calling() as call:
            return torch.from_numpy(_core.exponential_backward(call, _array(v), _array(grads[0]), *ctx.rule)), None, None


class _PairLoss(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, a: Tensor, b: Tensor, window: int) -> Tensor:
        with calling() as call:
            one, other = _array(a), _array(b)
            found = _core.lncc(call, one, other, window) if window else _core.ncc(call, one, other)
        ctx.save_for_backward(torch.from_numpy(found[1]), torch.from_numpy(found[2]))
        return a.new_tensor(found[0])

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> Tuple[Tensor, Tensor, None]:
        of_a, of_b = ctx.saved_tensors
        return grads[0] * of_a, grads[0] * of_b, None


class _Bending(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, u: Tensor, spacing_mm: Tuple[float, float, float]) -> Tensor:
        with calling() as call:
            value, grad = _core.bending(call, _array(u), spacing_mm)
        ctx.save_for_backward(torch.from_numpy(grad))
        return u.new_tensor(value)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> Tuple[Tensor, None]:
        (of_u,) = ctx.saved_tensors
        return grads[0] * of_u, None


def warp(image: Tensor, u: Tensor, border: str = "clamp") -> Tensor:
    """out(x) = image(x + u(x)), linear; beyond the border it continues ('clamp') or is 0 ('zero')."""
    out: Tensor = _Warp.apply(image, u, border)
    return out


def exponential(v: Tensor, squarings: int = 7, sign: float = 1.0) -> Tensor:
    """u with id + u = exp(sign v), by scaling and squaring."""
    out: Tensor = _Exponential.apply(v, squarings, sign)
    return out


def lncc(a: Tensor, b: Tensor, window: int = 5) -> Tensor:
    """1 - the mean squared correlation in cubes of `window` voxels."""
    out: Tensor = _PairLoss.apply(a, b, window)
    return out


def ncc(a: Tensor, b: Tensor) -> Tensor:
    """1 - the correlation of the whole images."""
    out: Tensor = _PairLoss.apply(a, b, 0)
    return out


def bending(u: Tensor, spacing_mm: Optional[Sequence[float]] = None) -> Tensor:
    """Bending energy of id + u in 1/mm²; `spacing_mm` is along x, y, z."""
    spacing = tuple(spacing_mm) if spacing_mm is not None else (1.0, 1.0, 1.0)
    padded = (*spacing, 1.0, 1.0, 1.0)[:3]
    out: Tensor = _Bending.apply(u, padded)
    return out


def image_tensor(image: Image) -> Tensor:
    """An image as a tensor (1, 1[, d], h, w) over the same memory."""
    values = image.values
    return torch.from_numpy(values.transpose()[None, None])


def transform_of(u: Tensor, image: Image) -> Transform:
    """A displacement in voxels of the grid of an image, (1, dims[, d], h, w), as a Transform in mm."""
    grid = image.grid
    voxels = np.asarray(_array(u)[0]).transpose()  # (i, j[, k], component)
    return Transform.displacement((voxels * grid.spacing) @ grid.direction.T, grid)


def displacement_of(transform: Transform, image: Image) -> Tensor:
    """The reverse of `transform_of`: the transform on the grid of an image, in its voxels."""
    grid = image.grid
    (step,) = transform.sampled(grid).steps
    voxels = (step.values @ grid.direction) / np.asarray(grid.spacing)
    return torch.from_numpy(np.ascontiguousarray(voxels.transpose()[None], dtype=np.float32))
