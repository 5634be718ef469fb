#!/usr/bin/env python3
"""exaggerate.py RUN OUT FACTOR: the transforms of a run, the variation of each times FACTOR, so that they fold."""
import glob
import os
import sys

import nibabel
import numpy as np

run, out, factor = sys.argv[1], sys.argv[2], float(sys.argv[3])
os.makedirs(out, exist_ok=True)
for path in glob.glob(run + "/transforms/*_xfm.nii.gz"):
    image = nibabel.load(path)
    values = np.asarray(image.dataobj)
    mean = values.mean(axis=(0, 1, 2), keepdims=True)  # the shift stays
    values = (mean + factor * (values - mean)).astype(np.float32)
    nibabel.save(nibabel.Nifti1Image(values, image.affine, image.header), os.path.join(out, os.path.basename(path)))
