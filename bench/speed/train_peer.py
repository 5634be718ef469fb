#!/usr/bin/python3
"""The published training in plain PyTorch, for a time, on a cohort of small images.

    train_peer.py subjects.csv OUT MINUTES [THREADS]

Its settings: MSE, sim 10, lambda 1000, gamma2 5, Adam with rate 5e-4, batch 2, 7 squarings at full resolution,
the atlas a Jacobian-weighted mean every 10 epochs (bench/reference has the formulas). Images are padded to the
same size, a multiple of 16, and their 0.1 to 99.9 percentiles go to 0 and 1. Writes the transforms of the
validation subjects, as 'aladdin evaluate' reads them, after 1/8, 1/4, 1/2 and all of the time, into
OUT/<seconds>; the clock stands still meanwhile. Prints a line for each: seconds, steps, folder.
"""
import csv
import os
import sys
import time

import nibabel
import numpy as np
import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "reference"))
import reference_step as published  # noqa: E402

SIM, LAMBDA, GAMMA2, RATE, BATCH, ATLAS_EVERY = 10.0, 1000.0, 5.0, 5e-4, 2, 10
DOWN = ((1, 3), (2, 3), (3, 3), (4, 2))


class Subject:
    def __init__(self, row, folder):
        self.id, self.split = row["id"], row["split"]
        self.file = nibabel.load(os.path.join(folder, row["image"]))
        self.shape = self.file.shape

    def pad(self, size):
        values = np.asarray(self.file.dataobj, np.float32)
        low, high = np.percentile(values, [0.1, 99.9])
        self.before = [(n - m) // 2 for n, m in zip(size, self.shape)]
        after = [n - m - b for n, m, b in zip(size, self.shape, self.before)]
        values = np.clip((values - low) / (high - low), 0, 1)
        self.image = torch.from_numpy(np.pad(values, list(zip(self.before, after)), "edge"))[None, None]


def first_weights():
    shapes = {"down0": (16, 2, 3)}
    for level, layers in DOWN:
        for i in range(layers):
            shapes[f"down{level}.{i}"] = (16 << level, 16 << (level - (i == 0)), 3)
    for name, shape in (("up3.up", (256, 128, 2)), ("up3.0", (128, 256, 3)), ("up3.1", (128, 128, 3)),
                        ("up2.up", (128, 64, 2)), ("up2.0", (32, 128, 3)), ("up2.1", (32, 32, 3)),
                        ("up1.up", (32, 32, 2)), ("up1.0", (16, 64, 3)), ("up1.1", (16, 16, 3)),
                        ("up0.up", (16, 16, 2)), ("up0.flow", (3, 16, 3))):
        shapes[name] = shape
    weights = {}
    for name, (a, b, taps) in shapes.items():
        weights[name + ".weight"] = torch.nn.init.xavier_normal_(torch.empty(a, b, taps, taps, taps))
        weights[name + ".bias"] = torch.zeros(b if name.endswith(".up") else a)
    return {name: value.requires_grad_(True) for name, value in weights.items()}


class Training:
    def __init__(self, subjects):
        self.train = [s for s in subjects if s.split == "train"]
        self.atlas = torch.cat([s.image for s in self.train]).mean(0, keepdim=True)
        self.here = published.identity(self.atlas.shape[2:], torch.float32)
        self.weights = first_weights()
        self.adam = torch.optim.Adam(self.weights.values(), lr=RATE)
        self.steps = 0

    def maps(self, images):
        flow = published.flow_of(self.weights, torch.cat([self.atlas.expand_as(images), images], 1))
        return published.integrate(flow, self.here), published.integrate(-flow, self.here)

    def step(self, images):
        to_atlas, to_subject = self.maps(images)
        there = (self.here + to_atlas).flip(0)
        through = there + published.sample(to_subject, there, "border")
        seen = published.sample(self.atlas.expand_as(images), self.here + to_atlas, "border")
        energy = (SIM * published.dissimilarity(seen, images, "mse") + LAMBDA * published.bending(to_atlas)
                  + GAMMA2 * published.dissimilarity(published.sample(images, through, "border"),
                                                     images.flip(0), "mse"))
        self.adam.zero_grad()
        energy.backward()
        self.adam.step()
        self.steps += 1

    @torch.no_grad()
    def update_atlas(self):
        total, weight = torch.zeros_like(self.atlas), torch.zeros_like(self.atlas)
        for subject in self.train:
            _, to_subject = self.maps(subject.image)
            half = torch.tensor([(n - 1) / 2 for n in self.atlas.shape[2:]]).view(1, 3, 1, 1, 1)
            slopes = torch.stack(torch.gradient((self.here + to_subject) * half, dim=(2, 3, 4)), 2)
            determinant = torch.linalg.det(slopes.permute(0, 3, 4, 5, 1, 2))[None]
            total += determinant * published.sample(subject.image, self.here + to_subject, "border")
            weight += determinant
        self.atlas = total / weight


def lps(affine, voxels):
    points = np.einsum("rc,c...->r...", affine[:3, :3], voxels) + affine[:3, 3].reshape(3, 1, 1, 1)
    return points * np.array([-1, -1, 1]).reshape(3, 1, 1, 1)


def write_field(path, affine, vectors):
    image = nibabel.Nifti1Image(np.moveaxis(vectors, 0, -1)[:, :, :, None, :].astype(np.float32), affine)
    image.header.set_intent("vector")
    nibabel.save(image, path)


@torch.no_grad()
def write_transforms(training, subjects, folder):
    """The atlas grid has voxels of the size of the first subject's, axis-parallel to them."""
    os.makedirs(folder, exist_ok=True)
    frame = subjects[0].file.affine
    half = np.array([(n - 1) / 2 for n in training.atlas.shape[2:]]).reshape(3, 1, 1, 1)
    for s in subjects:
        to_atlas, to_subject = (u[0].numpy() * half for u in training.maps(s.image))
        before = np.array(s.before).reshape(3, 1, 1, 1)
        x = np.indices(training.atlas.shape[2:])
        write_field(f"{folder}/{s.id}_to-atlas.nii.gz", frame,
                    lps(s.file.affine, x + to_subject - before) - lps(frame, x))
        x = np.indices(s.shape)
        inside = (slice(None), *(slice(b, b + n) for b, n in zip(s.before, s.shape)))
        write_field(f"{folder}/{s.id}_to-native.nii.gz", s.file.affine,
                    lps(frame, x + before + to_atlas[inside]) - lps(s.file.affine, x))


def main(table, out, minutes, threads=2):
    torch.set_num_threads(int(threads))
    torch.manual_seed(1)
    started = time.perf_counter()
    with open(table) as file:
        subjects = [Subject(row, os.path.dirname(os.path.abspath(table))) for row in csv.DictReader(file)]
    size = [(max(n) + 15) // 16 * 16 for n in zip(*(s.shape for s in subjects))]
    for subject in subjects:
        subject.pad(size)
    val = [s for s in subjects if s.split == "val"]
    training = Training(subjects)
    marks = [60 * float(minutes) * part for part in (0.125, 0.25, 0.5, 1)]
    paused, epoch = 0.0, 0
    while marks:
        order = torch.randperm(len(training.train)).tolist()
        for at in range(0, len(order) - BATCH + 1, BATCH):
            training.step(torch.cat([training.train[i].image for i in order[at:at + BATCH]]))
            now = time.perf_counter() - started - paused
            if now < marks[0]:
                continue
            folder = f"{out}/{round(now)}"
            write_transforms(training, val, folder)
            print(f"{now:.1f} {training.steps} {folder}", flush=True)
            while marks and now >= marks[0]:
                marks.pop(0)
            paused = time.perf_counter() - started - now
            if not marks:
                return
        epoch += 1
        if epoch % ATLAS_EVERY == 0:
            training.update_atlas()


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        sys.exit("usage: train_peer.py subjects.csv OUT MINUTES [THREADS]")
    main(*sys.argv[1:])
