// One subject in the space of the atlas: what the viewer and the figures show of it.
#pragma once

#include "aladdin/report/run_data.h"
#include "aladdin/transform/chain.h"

namespace aladdin::report {

struct SubjectView {
  Image before, after;  // 0 … 1, on the atlas grid: shifted only, and registered
  std::optional<Labels> labels_before, labels_after;
  Displacement displacement;  // on the atlas grid, without the shift
  Image jacobian;             // its determinant
};

// Throws, naming the file, when an image, a label map or a transform cannot be read.
SubjectView view_subject(const RunData& run, const RunSubject& subject, const Grid& atlas);

// For the page: one gzip of before, after, Jacobian and, if the run has labels and the subject too,
// both label maps, plane after plane on the atlas grid, x fastest. Images: 0 … 255. Jacobian:
// 128 + 63 log2 det, 1 … 255, and 0 where det is not positive. Labels: indices into `table`, a byte
// each, or two (little-endian) where the table has more than 256 entries.
Bytes pack(const SubjectView& view, const std::vector<std::int32_t>& table);

// 0 … 1 as a byte.
std::uint8_t to_byte(float value);
// Appends indices into `table` as described above; values that it lacks become 0.
void append_labels(Bytes& out, const Labels& labels, const std::vector<std::int32_t>& table);

// The affine map nearest to x -> x + shift + u(x), by least squares with the atlas's intensity as the
// weight: what an affine registration would have been.
Affine affine_part(const Displacement& displacement, const Vec3& shift, const Image& atlas);

}  // namespace aladdin::report
