// Volumes of the page: base64 of gzip, or fetched from `aladdin report --serve`. The layout is described
// in src/report/subject_view.h and viewer_data.h.

function decode(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes;
}

async function gunzip(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

const cache = new Map();
const mostCached = 24;

// The bytes of a volume by its name.
export async function volumeBytes(name) {
  if (cache.has(name)) return cache.get(name);
  const element = document.getElementById(`volume-${name}`);
  let packed;
  if (element) {
    packed = decode(element.textContent);
  } else {
    if (!location.protocol.startsWith("http"))
      throw new Error("not in this page; aladdin report RUN --serve shows it");
    const answer = await fetch(`data/${name}`);
    if (!answer.ok) throw new Error((await answer.text()).trim());
    packed = new Uint8Array(await answer.arrayBuffer());
  }
  const bytes = await gunzip(packed);
  if (cache.size >= mostCached) cache.delete(cache.keys().next().value);
  cache.set(name, bytes);
  return bytes;
}

const types = { uint8: [2, 1], uint16: [512, 2], float32: [16, 4] };

// A NIfTI-1 file in memory. `values` is a typed array of the grid's voxels.
export function makeNifti(run, type, values) {
  const [code, bytes] = types[type];
  const buffer = new ArrayBuffer(352 + values.length * bytes);
  const view = new DataView(buffer);
  const put16 = (at, ...numbers) => numbers.forEach((n, i) => view.setInt16(at + 2 * i, n, true));
  const put32 = (at, ...numbers) => numbers.forEach((n, i) => view.setFloat32(at + 4 * i, n, true));
  view.setInt32(0, 348, true);
  put16(40, 3, ...run.size, 1, 1, 1, 1);
  put16(70, code, 8 * bytes);
  put32(76, 1, ...run.spacing, 1, 1, 1, 1);
  put32(108, 352, 1, 0);
  view.setUint8(123, 2); // mm
  put16(252, 0, 1); // sform: scanner
  run.affine.forEach((row, i) => put32(280 + 16 * i, ...row));
  new Uint8Array(buffer, 344, 4).set([0x6e, 0x2b, 0x31, 0]); // n+1
  new Uint8Array(buffer, 352).set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
  return buffer;
}

export function voxels(run) {
  return run.size[0] * run.size[1] * run.size[2];
}

// The planes of a subject.
export async function subjectPlanes(run, number, subject) {
  const bytes = await volumeBytes(`${number}-subject-${subject}`);
  const n = voxels(run);
  const plane = (k) => bytes.subarray(k * n, (k + 1) * n);
  const planes = { before: plane(0), after: plane(1), jacobian: plane(2) };
  const wide = run.label_bytes * n;
  if (bytes.length >= 3 * n + 2 * wide) {
    planes.labelsBefore = bytes.subarray(3 * n, 3 * n + wide);
    planes.labelsAfter = bytes.subarray(3 * n + wide, 3 * n + 2 * wide);
  }
  return planes;
}

// Label indices as the type that holds them.
export function labelValues(run, bytes) {
  if (run.label_bytes === 1) return ["uint8", bytes];
  return ["uint16", new Uint16Array(bytes.slice().buffer)];
}
