"""picture.py PNG ATLAS...: 2-D atlases side by side in one grey picture, two pixels a voxel."""

import struct
import sys
import zlib

import nibabel
import numpy as np


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


atlases = [np.asarray(nibabel.load(path).dataobj).squeeze().T for path in sys.argv[2:]]
white = np.quantile(np.concatenate([a.ravel() for a in atlases]), 0.998)
gap = np.zeros((atlases[0].shape[0], 4))
rows = np.hstack([part for a in atlases for part in (a, gap)][:-1])
grey = (np.clip(rows / white, 0, 1) * 255 + 0.5).astype(np.uint8).repeat(2, 0).repeat(2, 1)
lines = b"".join(b"\0" + line.tobytes() for line in grey)
with open(sys.argv[1], "wb") as file:
    file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", grey.shape[1], grey.shape[0], 8, 0, 0, 0, 0)))
    file.write(chunk(b"IDAT", zlib.compress(lines, 9)) + chunk(b"IEND", b""))
