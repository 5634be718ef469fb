#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "aladdin/image/gzip_reader.h"
#include "aladdin/image/nifti_file.h"

namespace aladdin {
namespace {

template <class T>
T swap_bytes(T value) {
  auto* bytes = reinterpret_cast<unsigned char*>(&value);
  std::reverse(bytes, bytes + sizeof(T));
  return value;
}

struct Fields {
  const std::byte* bytes;
  bool swapped;

  template <class T>
  T get(std::size_t offset) const {
    T value;
    std::memcpy(&value, bytes + offset, sizeof(T));
    return swapped ? swap_bytes(value) : value;
  }
  // Up to the first byte of 0.
  std::string text(std::size_t offset, std::size_t most) const {
    const auto* letters = reinterpret_cast<const char*>(bytes + offset);
    return {letters, strnlen(letters, most)};
  }
};

int dimensions(std::int64_t claimed) {
  return claimed >= 1 && claimed <= 7 ? static_cast<int>(claimed) : 0;
}

NiftiHeader parse_version_1(const Fields& in) {
  NiftiHeader out;
  out.version = 1;
  const int dims = dimensions(in.get<std::int16_t>(40));
  for (int d = 1; d <= dims; ++d) out.size.push_back(in.get<std::int16_t>(40 + 2 * d));
  out.intent_p1 = in.get<float>(56);
  out.intent = in.get<std::int16_t>(68);
  out.datatype = in.get<std::int16_t>(70);
  for (int d = 0; d < 8; ++d) out.pixdim[d] = in.get<float>(76 + 4 * d);
  const float offset = in.get<float>(108);
  out.voxel_offset = offset >= 0 && offset < 1e9F ? static_cast<std::int64_t>(offset) : 0;
  out.slope = in.get<float>(112);
  out.intercept = in.get<float>(116);
  out.units = static_cast<int>(in.bytes[123]);
  out.description = in.text(148, 80);
  out.intent_name = in.text(328, 16);
  out.qform_code = in.get<std::int16_t>(252);
  out.sform_code = in.get<std::int16_t>(254);
  for (int d = 0; d < 3; ++d) {
    out.quaternion[d] = in.get<float>(256 + 4 * d);
    out.qoffset[d] = in.get<float>(268 + 4 * d);
    for (int c = 0; c < 4; ++c) out.sform[d][c] = in.get<float>(280 + 16 * d + 4 * c);
  }
  return out;
}

NiftiHeader parse_version_2(const Fields& in) {
  NiftiHeader out;
  out.version = 2;
  out.datatype = in.get<std::int16_t>(12);
  const int dims = dimensions(in.get<std::int64_t>(16));
  for (int d = 1; d <= dims; ++d) out.size.push_back(in.get<std::int64_t>(16 + 8 * d));
  out.intent_p1 = in.get<double>(80);
  for (int d = 0; d < 8; ++d) out.pixdim[d] = in.get<double>(104 + 8 * d);
  out.voxel_offset = std::max<std::int64_t>(in.get<std::int64_t>(168), 0);
  out.slope = in.get<double>(176);
  out.intercept = in.get<double>(184);
  out.qform_code = in.get<std::int32_t>(344);
  out.sform_code = in.get<std::int32_t>(348);
  for (int d = 0; d < 3; ++d) {
    out.quaternion[d] = in.get<double>(352 + 8 * d);
    out.qoffset[d] = in.get<double>(376 + 8 * d);
    for (int c = 0; c < 4; ++c) out.sform[d][c] = in.get<double>(400 + 32 * d + 8 * c);
  }
  out.units = in.get<std::int32_t>(500);
  out.intent = in.get<std::int32_t>(504);
  out.description = in.text(240, 80);
  out.intent_name = in.text(508, 16);
  return out;
}

// Those bytes of its header mean other things.
void forget_what_analyze_has_not(NiftiHeader& nifti) {
  nifti.qform_code = nifti.sform_code = nifti.intent = nifti.units = 0;
  nifti.slope = 1;
  nifti.intercept = nifti.intent_p1 = 0;
  nifti.intent_name = nifti.description = "";
}

Path voxels_of_pair(const Path& path) {
  const auto voxels = half_of_pair(path, ".img");
  if (!voxels)
    throw Error(
        fmt::format("cannot read '{}': its voxels should be in '{}.img', which is not there",
                    path.string(), stem_of(path)))
        .hint("keep both files of the pair in one folder");
  return *voxels;
}

// The dimensions of space: vectors and trailing axes of one voxel taken away.
int space_dims(const NiftiHeader& nifti) {
  int dims = has_vectors(nifti) ? 3 : static_cast<int>(nifti.size.size());
  while (dims > 2 && nifti.size[dims - 1] == 1) --dims;
  return dims;
}

bool finite_geometry(const NiftiHeader& nifti) {
  bool finite = true;
  for (int row = 0; row < 3; ++row) {
    if (nifti.qform_code > 0)
      finite = finite && std::isfinite(nifti.quaternion[row]) && std::isfinite(nifti.qoffset[row]);
    if (nifti.sform_code > 0)
      for (const double value : nifti.sform[row]) finite = finite && std::isfinite(value);
  }
  return finite;
}

void check(const Path& path, const NiftiHeader& nifti, bool volumes) {
  if (nifti.size.empty())
    throw Error(fmt::format("'{}' has a damaged header: its number of dimensions is not 1 to 7",
                            path.string()))
        .hint("copy it again from its source");
  constexpr int kTypes[] = {2,   4,   8,    16,   32,   64,   128,  256,
                            512, 768, 1024, 1280, 1536, 1792, 2048, 2304};
  if (std::find(std::begin(kTypes), std::end(kTypes), nifti.datatype) == std::end(kTypes))
    fail("'{}' has an unknown NIfTI data type ({})", path.string(), nifti.datatype);
  double claimed = 1;
  for (std::size_t d = 0; d < nifti.size.size(); ++d) {
    if (nifti.size[d] < 1) fail("'{}' has no voxels along axis {}", path.string(), d);
    claimed *= static_cast<double>(nifti.size[d]);
  }
  const int dims = volumes ? std::min(3, space_dims(nifti)) : space_dims(nifti);
  if (dims < 2 || dims > 3) refuse_dimensions(path, nifti.size);
  require_plausible_size(path, claimed);  // of at least one byte each; the exact check comes later
  for (int d = 0; d < dims; ++d)
    if (nifti.pixdim[d + 1] == 0 || !std::isfinite(nifti.pixdim[d + 1]))
      throw Error(fmt::format("'{}' has an unusable geometry: axis {} has a spacing of {:g} mm",
                              path.string(), d, nifti.pixdim[d + 1]))
          .hint("repair its header");
  if (!finite_geometry(nifti))
    throw Error(fmt::format("'{}' has an unusable geometry: its origin or axes are not finite",
                            path.string()))
        .hint("repair its header");
}

}  // namespace

std::optional<Scalar> nifti_scalar(int datatype) {
  switch (datatype) {
    case 2:
      return Scalar::uint8;
    case 4:
      return Scalar::int16;
    case 8:
      return Scalar::int32;
    case 16:
      return Scalar::float32;
    case 64:
      return Scalar::float64;
    case 256:
      return Scalar::int8;
    case 512:
      return Scalar::uint16;
    case 768:
      return Scalar::uint32;
    case 1024:
      return Scalar::int64;
    case 1280:
      return Scalar::uint64;
    default:
      return std::nullopt;
  }
}

std::optional<NiftiHeader> read_nifti_header(const Path& path, bool volumes) {
  const bool paired = has_pair_extension(path);
  const Path header = paired ? half_of_pair(path, ".hdr").value_or(path) : path;
  std::array<std::byte, 544> bytes{};
  GzipReader file(header);
  const std::size_t got = file.read(bytes.data(), bytes.size());
  if (got < 348) return std::nullopt;
  const auto is = [&](std::size_t offset, std::string_view text) {
    return std::memcmp(bytes.data() + offset, text.data(), text.size()) == 0;
  };
  std::int32_t length;
  std::memcpy(&length, bytes.data(), sizeof length);
  const bool first = length == 348 || swap_bytes(length) == 348;
  const bool second = (length == 540 || swap_bytes(length) == 540) && got >= 540;
  const bool single = (first && is(344, "n+1")) || (second && is(4, "n+2"));
  const bool pair = paired && ((first && is(344, "ni1")) || (second && is(4, "ni2")));
  const bool analyze = paired && first && !single && !pair;
  if (!single && paired && header == path && !full_extension(path).starts_with(".hdr"))
    throw Error(
        fmt::format("cannot read '{}': its header should be in '{}.hdr', which is not there",
                    path.string(), stem_of(path)))
        .hint("keep both files of the pair in one folder");
  if (!single && !pair && !analyze) return std::nullopt;
  const Fields fields{bytes.data(), length != 348 && length != 540};
  NiftiHeader nifti = first ? parse_version_1(fields) : parse_version_2(fields);
  nifti.swapped = fields.swapped;
  nifti.voxels = single ? header : voxels_of_pair(path);
  // In one file the voxels come behind the header.
  if (single) nifti.voxel_offset = std::max<std::int64_t>(nifti.voxel_offset, first ? 352 : 544);
  nifti.analyze = analyze;
  if (analyze) forget_what_analyze_has_not(nifti);
  // The standard: a slope of 0 means none; what is not finite cannot be meant.
  if (nifti.slope == 0 || !std::isfinite(nifti.slope) || !std::isfinite(nifti.intercept)) {
    nifti.slope = 1;
    nifti.intercept = 0;
  }
  check(path, nifti, volumes);
  return nifti;
}

ImageHeader describe_nifti(const Path& path, const NiftiHeader& nifti) {
  const auto type = nifti_scalar(nifti.datatype);
  if (nifti.datatype == 128 || nifti.datatype == 2304)
    throw Error(fmt::format("'{}' is a colour image, expected one value per voxel", path.string()))
        .hint("convert it to grey values");
  if (nifti.datatype == 32 || nifti.datatype == 1792 || nifti.datatype == 2048)
    throw Error(fmt::format("'{}' has complex values, expected real ones", path.string()))
        .hint("take its magnitude");
  if (!type)
    fail("'{}' has NIfTI data type {}, expected integers or floats of 8 to 64 bits", path.string(),
         nifti.datatype);
  const std::int64_t components = has_vectors(nifti) ? nifti.size[4] : 1;
  if (components > std::numeric_limits<int>::max())
    fail("'{}' has {} values per voxel, expected 1 to 3", path.string(), components);
  ImageHeader header;
  header.format = nifti.analyze ? "Analyze" : "NIfTI";
  header.type = name_of(*type);
  header.integer = is_integer(*type) && nifti.slope == 1 && nifti.intercept == 0;
  header.components = static_cast<int>(components);
  if (components > 1) header.vectors = nifti_vector_kind(nifti);
  header.grid = nifti_grid(path, nifti, space_dims(nifti));
  header.note = nifti_geometry_note(path, nifti, space_dims(nifti));
  return header;
}

}  // namespace aladdin
