// The findings as the browser works with them. src/report/findings_data.h describes how they are stored.
import { volumeBytes } from "../volumes.js";

const noNumber = 65535;
const topCode = 65534;

async function readMap(map, n) {
  const bytes = await volumeBytes(`map-${map.name}`);
  const values = new Float32Array(n);
  const scale = (map.high - map.low) / topCode;
  for (let v = 0; v < n; ++v) {
    const code = bytes[v] * 256 + bytes[n + v];
    values[v] = code === noNumber ? NaN : map.low + code * scale;
  }
  return values;
}

// Which axis of the grid lies nearest to each axis of the world, and whether it runs the same way.
function worldAxes(direction) {
  let best = null;
  for (const order of [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]) {
    const sum = order.reduce((total, axis, world) => total + Math.abs(direction[world][axis]), 0);
    if (!best || sum > best.sum + 1e-9) best = { sum, order };
  }
  return best.order.map((axis, world) => ({ axis, sign: direction[world][axis] < 0 ? -1 : 1 }));
}

export async function readStudy(data) {
  const [nx, ny] = data.size;
  const n = data.voxels;
  const mask = await volumeBytes("mask");
  const voxelAt = new Int32Array(mask.length).fill(-1);
  const offsets = new Int32Array(n);
  for (let at = 0, v = 0; at < mask.length; ++at) {
    if (!mask[at]) continue;
    offsets[v] = at;
    voxelAt[at] = v++;
  }
  const maps = {};
  const steps = {};
  for (const map of data.maps) {
    maps[map.name] = await readMap(map, n);
    steps[map.name] = (map.high - map.low) / topCode;
  }
  const labels = data.labels.length ? new Uint16Array((await volumeBytes("labels")).slice().buffer) : null;
  const study = {
    ...data,
    n,
    offsets,
    voxelAt,
    maps,
    labels,
    names: data.labels,
    atlas: await volumeBytes("atlas"),
    strides: [1, nx, nx * ny],
    world: worldAxes(data.direction),
    flat: data.size[2] === 1,
    offset: ([i, j, k]) => i + nx * (j + ny * k),
    // Into `out`, which loops over all voxels use again.
    index: (at, out = [0, 0, 0]) => {
      const rest = (at / nx) | 0;
      out[0] = at - rest * nx;
      out[2] = (rest / ny) | 0;
      out[1] = rest - out[2] * ny;
      return out;
    },
    toPoint: (index) =>
      [0, 1, 2].map((r) => data.origin[r] + [0, 1, 2].reduce((sum, c) => sum + data.direction[r][c] * data.spacing[c] * index[c], 0)),
    // Which voxels have p at or below the threshold. Codes of p are rounded: half a step is granted.
    passing(name, threshold) {
      const out = new Uint8Array(n);
      const most = Math.log10(threshold) + steps[name] / 2 + 1e-6;
      const p = maps[name];
      let count = 0;
      for (let v = 0; v < n; ++v) if (p[v] <= most) count += out[v] = 1;
      return { passes: out, count };
    },
  };
  if (data.data) await addData(study);
  return study;
}

// study.valuesAt(offset): what the subjects have there, or at the nearest voxel whose data are in the page.
async function addData(study) {
  const bytes = await volumeBytes("data");
  const ranges = new Float32Array((await volumeBytes("ranges")).slice().buffer);
  const subjects = study.ids.length;
  const row = new Int32Array(study.n).fill(-1);
  const kept = study.all_kept ? null : await volumeBytes("kept");
  for (let v = 0, r = 0; v < study.n; ++v) if (!kept || kept[v]) row[v] = r++;
  const nearest = (v) => {
    if (row[v] >= 0) return v;
    const from = study.index(study.offsets[v]);
    const to = [0, 0, 0];
    let best = -1;
    let least = Infinity;
    for (let u = 0; u < study.n; ++u) {
      if (row[u] < 0) continue;
      study.index(study.offsets[u], to);
      let distance = 0;
      for (let a = 0; a < 3; ++a) distance += ((to[a] - from[a]) * study.spacing[a]) ** 2;
      if (distance < least) [best, least] = [u, distance];
    }
    return best;
  };
  study.valuesAt = (at) => {
    const asked = study.voxelAt[at];
    if (asked < 0) return null;
    const v = nearest(asked);
    if (v < 0) return null;
    const [low, high] = [ranges[2 * row[v]], ranges[2 * row[v] + 1]];
    const values = Array.from({ length: subjects }, (_, s) => low + ((high - low) * bytes[row[v] * subjects + s]) / 255);
    const [a, b] = [study.toPoint(study.index(at)), study.toPoint(study.index(study.offsets[v]))];
    return { values, moved_mm: Math.hypot(...a.map((x, i) => x - b[i])) };
  };
}
