"""The kernels as functions of PyTorch: gradients agree with finite differences."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import aladdin  # noqa: E402
import aladdin.torch as at  # noqa: E402

SHAPE = (1, 1, 5, 6, 7)


def smooth(channels, seed, scale):
    made = torch.Generator().manual_seed(seed)
    coarse = torch.randn(1, channels, 3, 3, 3, generator=made)
    return scale * torch.nn.functional.interpolate(coarse, SHAPE[2:], mode="trilinear", align_corners=True)


def directional(function, x, seed):
    """d/dt f(x + t d) by autograd, and by central differences."""
    d = smooth(x.shape[1], seed, 1.0)
    x = x.clone().requires_grad_()
    function(x).backward()
    step = 1e-2
    with torch.no_grad():
        difference = (function(x + step * d) - function(x - step * d)) / (2 * step)
    return float((x.grad * d).sum()), float(difference)


# Sampling between voxels is only piecewise linear: displacements stay clear of the corners.
IMAGE, OTHER = smooth(1, 1, 1.0), smooth(1, 2, 1.0)
FIELD = 0.3 + 0.02 * smooth(3, 3, 1.0)


@pytest.mark.parametrize(
    "function, x",
    [
        (lambda x: (at.warp(x, FIELD) ** 2).sum(), IMAGE),
        (lambda x: (at.warp(IMAGE, x) ** 2).sum(), FIELD),
        (lambda x: (at.exponential(x) * smooth(3, 9, 1.0)).sum(), 0.2 * smooth(3, 4, 1.0)),
        (lambda x: at.lncc(x, OTHER, 3), IMAGE),
        (lambda x: at.lncc(OTHER, x, 3), IMAGE),
        (lambda x: at.ncc(x, OTHER), IMAGE),
        (lambda x: at.bending(x, (1.0, 2.0, 1.5)), FIELD),
    ],
    ids=["warp image", "warp field", "exponential", "lncc", "lncc other", "ncc", "bending"],
)
def test_gradients(function, x):
    for seed in (5, 6):
        ours, theirs = directional(function, x, seed)
        assert ours == pytest.approx(theirs, rel=3e-2, abs=3e-4)


def test_an_exponential_and_its_inverse():
    v = 0.3 * smooth(3, 4, 1.0)
    there, back = at.exponential(v), at.exponential(v, sign=-1.0)
    whole = there + at.warp(back, there)
    assert float(whole[..., 2:-2, 2:-2, 2:-2].abs().max()) < 0.05 < float(there.abs().max())


def test_to_images_and_transforms_and_back():
    image = aladdin.Image(np.random.default_rng(0).random((7, 6, 5)), np.diag([-2.0, 1.5, 3.0, 1.0]))
    tensor = at.image_tensor(image)
    assert tuple(tensor.shape) == SHAPE and np.shares_memory(tensor.numpy(), image.values)
    transform = at.transform_of(FIELD, image)
    assert at.displacement_of(transform, image).numpy() == pytest.approx(FIELD.numpy(), abs=1e-5)
    pulled = transform.warp(image).values[:-1, :-1, :-1]
    ours = at.warp(tensor, FIELD)[0, 0].numpy().T[:-1, :-1, :-1]
    assert ours == pytest.approx(pulled, abs=1e-5)


def test_other_tensors_are_refused():
    with pytest.raises(aladdin.UsageError, match="float32"):
        at.warp(IMAGE.double(), FIELD)
    with pytest.raises(TypeError, match="expected"):
        at.warp(IMAGE, FIELD[:, :2])
