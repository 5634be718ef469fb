#include <algorithm>
#include <cmath>
#include <cstring>

#include "aladdin/image/nifti_file.h"

namespace aladdin {
namespace {

constexpr std::int64_t kMostOfVersion1 = 32767;  // it keeps sizes in 16 bits
constexpr int kVectors = 1007, kFslField = 2006, kScanner = 1, kMillimetres = 2;

int datatype_of(Scalar type) {
  for (int code = 1; code <= 1280; ++code)
    if (nifti_scalar(code) == type) return code;
  fail("NIfTI has no type {}", name_of(type));
}

// Fields at the places and of the widths that the version has.
class Header {
 public:
  explicit Header(bool first) : first_(first), bytes_(first ? 352 : 544, '\0') {}

  void size(int axis, std::int64_t value) {
    first_ ? put(40 + 2 * axis, static_cast<std::int16_t>(value)) : put(16 + 8 * axis, value);
  }
  void real(int place_1, int place_2, int n, double value) {
    first_ ? put(place_1 + 4 * n, static_cast<float>(value)) : put(place_2 + 8 * n, value);
  }
  void code(int place_1, int place_2, int value) {
    first_ ? put(place_1, static_cast<std::int16_t>(value)) : put(place_2, value);
  }
  template <class T>
  void put(int place, T value) {
    std::memcpy(bytes_.data() + place, &value, sizeof value);
  }
  void text(std::size_t place, std::string_view letters) {
    bytes_.replace(place, letters.size(), letters);
  }
  void text(std::size_t place_1, std::size_t place_2, std::string_view letters) {
    text(first_ ? place_1 : place_2, letters);
  }
  bool first() const { return first_; }
  const std::string& bytes() const { return bytes_; }

 private:
  bool first_;
  std::string bytes_;
};

// b, c, d of the unit quaternion a + bi + cj + dk with a >= 0 that turns as `r`, a proper rotation, does.
Vec3 quaternion_of(const Mat3& r) {
  // The largest of the four is found first: the others come of dividing by it.
  const double squares[4] = {1 + r[0][0] + r[1][1] + r[2][2], 1 + r[0][0] - r[1][1] - r[2][2],
                             1 - r[0][0] + r[1][1] - r[2][2], 1 - r[0][0] - r[1][1] + r[2][2]};
  const double ab = r[2][1] - r[1][2], ac = r[0][2] - r[2][0], ad = r[1][0] - r[0][1];
  const double bc = r[0][1] + r[1][0], bd = r[0][2] + r[2][0], cd = r[1][2] + r[2][1];
  const double products[4][4] = {{squares[0], ab, ac, ad},
                                 {ab, squares[1], bc, bd},
                                 {ac, bc, squares[2], cd},
                                 {ad, bd, cd, squares[3]}};
  const auto largest = std::max_element(squares, squares + 4) - squares;
  const auto& row = products[largest];
  const double scale = (row[0] < 0 ? -0.5 : 0.5) / std::sqrt(squares[largest]);
  return {scale * row[1], scale * row[2], scale * row[3]};
}

void set_geometry(const Grid& grid, Header& header) {
  Mat3 axes = grid.direction;
  for (int axis = 0; axis < 3; ++axis)
    for (int row = 0; row < 2; ++row) axes[row][axis] *= -1;  // ours is LPS, NIfTI's RAS
  const bool mirrored = determinant(axes) < 0;
  header.real(76, 104, 0, mirrored ? -1 : 1);
  for (int axis = 0; axis < 7; ++axis)
    header.real(76, 104, axis + 1, axis < grid.dims ? grid.spacing[axis] : 1.0);
  const bool sheared = is_sheared(grid);  // which no qform can say
  header.code(252, 344, sheared ? 0 : kScanner);
  header.code(254, 348, kScanner);
  for (int row = 0; row < 3; ++row) {
    const double offset = (row < 2 ? -1 : 1) * grid.origin[row];
    header.real(268, 376, row, offset);
    for (int axis = 0; axis < 3; ++axis)
      header.real(280, 400, 4 * row + axis, axes[row][axis] * grid.spacing[axis]);
    header.real(280, 400, 4 * row + 3, offset);
  }
  if (sheared) return;
  if (mirrored)
    for (int row = 0; row < 3; ++row) axes[row][2] *= -1;
  const Vec3 quaternion = quaternion_of(axes);
  for (int n = 0; n < 3; ++n) header.real(256, 352, n, quaternion[n]);
}

// By which SPM, NiftyReg and FSL, and nifti_vector_kind(), know their fields.
void set_intent(VectorKind kind, Header& header) {
  header.code(68, 504, kind == VectorKind::fsl_displacements ? kFslField : kVectors);
  if (kind == VectorKind::spm_positions) {
    header.text(328, 508, "Mapping");
    header.text(148, 240, "Deformation");
  }
  if (kind == VectorKind::niftyreg_positions || kind == VectorKind::niftyreg_displacements) {
    header.text(328, 508, "NREG_TRANS");
    header.real(56, 80, 0, kind == VectorKind::niftyreg_positions ? 0 : 1);
  }
}

}  // namespace

std::string nifti_header_bytes(const Grid& grid, Scalar type, int components, std::int64_t volumes,
                               VectorKind kind) {
  const std::int64_t longest =
      std::max(volumes, *std::max_element(grid.size.begin(), grid.size.end()));
  Header header(longest <= kMostOfVersion1);
  header.put<std::int32_t>(0, header.first() ? 348 : 540);
  header.text(header.first() ? 344 : 4, header.first() ? std::string_view("n+1\0", 4)
                                                       : std::string_view("n+2\0\r\n\032\n", 8));
  const int types = header.first() ? 70 : 12;
  header.put(types, static_cast<std::int16_t>(datatype_of(type)));
  header.put(types + 2, static_cast<std::int16_t>(8 * bytes_of(type)));
  header.size(0, components > 1 ? 5 : volumes > 0 ? 4 : grid.dims);
  for (int axis = 0; axis < 7; ++axis) header.size(axis + 1, axis < 3 ? grid.size[axis] : 1);
  if (volumes > 0) header.size(4, volumes);
  if (components > 1) header.size(5, components);
  if (header.first())
    header.put(108, 352.0F);
  else
    header.put<std::int64_t>(168, 544);
  header.real(112, 176, 0, 1);  // slope
  set_geometry(grid, header);
  if (header.first())
    header.put(123, static_cast<char>(kMillimetres));
  else
    header.put<std::int32_t>(500, kMillimetres);
  if (components > 1 || kind == VectorKind::fsl_displacements) set_intent(kind, header);
  return header.bytes();
}

}  // namespace aladdin
