#include "aladdin/transform/hdf5_transform_file.h"

#include <itk_hdf5.h>

#include <algorithm>
#include <fstream>

#include "aladdin/core/apart.h"

namespace aladdin {
namespace {

Error damaged(const Path& path) { return not_a_transform(path, "its content is damaged"); }

// In the child. What is opened stays open: the process ends.
class Hdf5Reader {
 public:
  Hdf5Reader(const Path& path, std::uint64_t stored_bytes)
      : path_(path), file_bytes_(stored_bytes) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    H5PLset_loading_state(0);
    const hid_t file = opened(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    group_ = open_part(file, "TransformGroup", H5I_GROUP);
    H5G_info_t info;
    if (H5Gget_info(group_, &info) < 0) throw damaged(path_);
    transforms_ = info.nlinks;
  }

  std::uint64_t transforms() const { return transforms_; }

  StoredTransform read(std::uint64_t index) const {
    const hid_t one = open_part(group_, std::to_string(index).c_str(), H5I_GROUP);
    StoredTransform stored{text(open_part(one, "TransformType", H5I_DATASET)), {}, {}};
    if (is_composite(stored)) return stored;
    stored.parameters = numbers(one, "TransformParameters", "TranformParameters");
    stored.fixed = numbers(one, "TransformFixedParameters", "TranformFixedParameters");
    return stored;
  }

 private:
  hid_t opened(hid_t id) const {
    if (id < 0) throw damaged(path_);
    return id;
  }

  // A part of this file; links to other files are refused.
  hid_t open_part(hid_t parent, const char* name, H5I_type_t type) const {
    H5L_info_t link;
    if (H5Lget_info(parent, name, &link, H5P_DEFAULT) < 0 || link.type != H5L_TYPE_HARD)
      throw damaged(path_);
    const hid_t part = opened(H5Oopen(parent, name, H5P_DEFAULT));
    if (H5Iget_type(part) != type) throw damaged(path_);
    return part;
  }

  std::string text(hid_t dataset) const {
    const hid_t stored = opened(H5Dget_type(dataset)), wanted = opened(H5Tcopy(H5T_C_S1));
    if (H5Tis_variable_str(stored) <= 0 || H5Sget_simple_extent_npoints(space_of(dataset)) != 1 ||
        H5Tset_size(wanted, H5T_VARIABLE) < 0 || H5Tset_cset(wanted, H5Tget_cset(stored)) < 0)
      throw damaged(path_);
    char* text = nullptr;
    if (H5Dread(dataset, wanted, H5S_ALL, H5S_ALL, H5P_DEFAULT, &text) < 0 || !text)
      throw damaged(path_);
    return text;
  }

  std::vector<double> numbers(hid_t parent, const char* name, const char* old_name) const {
    const bool old = H5Lexists(parent, name, H5P_DEFAULT) <= 0;
    const hid_t dataset = open_part(parent, old ? old_name : name, H5I_DATASET);
    const hid_t type = opened(H5Dget_type(dataset)), space = space_of(dataset);
    const std::size_t bytes = H5Tget_size(type);
    hsize_t count = 0;
    if (H5Tget_class(type) != H5T_FLOAT || (bytes != sizeof(float) && bytes != sizeof(double)) ||
        H5Sget_simple_extent_ndims(space) != 1 ||
        H5Sget_simple_extent_dims(space, &count, nullptr) != 1 ||
        count > most_stored_bytes(dataset) / bytes)
      throw damaged(path_);
    std::vector<double> numbers(count);
    if (H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()) < 0)
      throw damaged(path_);
    return numbers;
  }

  hid_t space_of(hid_t dataset) const { return opened(H5Dget_space(dataset)); }

  // Nothing that deflate packs gets smaller by more than this.
  std::uint64_t most_stored_bytes(hid_t dataset) const {
    constexpr std::uint64_t kMostPacked = 1032;
    const hid_t how = opened(H5Dget_create_plist(dataset));
    const H5D_layout_t layout = H5Pget_layout(how);
    if ((layout != H5D_COMPACT && layout != H5D_CONTIGUOUS && layout != H5D_CHUNKED) ||
        H5Pget_external_count(how) != 0)
      throw damaged(path_);
    const std::uint64_t stored = std::min<std::uint64_t>(H5Dget_storage_size(dataset), file_bytes_);
    return layout == H5D_CHUNKED ? kMostPacked * stored : stored;
  }

  const Path& path_;
  std::uint64_t file_bytes_, transforms_ = 0;
  hid_t group_ = -1;
};

void append(std::string& bytes, const std::vector<double>& numbers) {
  append_bytes(bytes, std::uint64_t{numbers.size()});
  bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double));
}

std::vector<double> take_numbers(std::string_view& bytes) {
  const auto count = take<std::uint64_t>(bytes);
  if (count > bytes.size() / sizeof(double)) fail("it has fewer numbers than it claims");
  const auto taken = take_bytes(bytes, count * sizeof(double));
  std::vector<double> numbers(count);
  taken.copy(reinterpret_cast<char*>(numbers.data()), taken.size());
  return numbers;
}

StoredTransform take_transform(std::string_view& bytes) {
  StoredTransform stored;
  stored.type = take_bytes(bytes, take<std::uint64_t>(bytes));
  stored.parameters = take_numbers(bytes);
  stored.fixed = take_numbers(bytes);
  return stored;
}

std::string read_apart(const Path& path, std::uint64_t stored_bytes) {
  const Hdf5Reader reader(path, stored_bytes);
  std::string bytes;
  for (std::uint64_t index = 0; index < reader.transforms(); ++index) {
    const StoredTransform stored = reader.read(index);
    append_bytes(bytes, std::uint64_t{stored.type.size()});
    bytes += stored.type;
    append(bytes, stored.parameters);
    append(bytes, stored.fixed);
  }
  return bytes;
}

void require_signature(const Path& path) {
  constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n";
  char start[kSignature.size()] = {};
  std::ifstream(path, std::ios::binary).read(start, sizeof start);
  if (std::string_view(start, sizeof start) != kSignature)
    throw not_a_transform(path, "it is not an HDF5 file");
}

}  // namespace

std::vector<StoredTransform> read_hdf5_transforms(const Path& path) {
  const std::uint64_t stored_bytes = file_bytes(path);
  require_signature(path);
  const std::string bytes = run_apart(limits_for(stored_bytes, 16 * stored_bytes), damaged(path),
                                      [&] { return read_apart(path, stored_bytes); });
  std::vector<StoredTransform> stored;
  try {
    for (std::string_view rest = bytes; !rest.empty();) stored.push_back(take_transform(rest));
  } catch (const Error&) {
    throw damaged(path);
  }
  return stored;
}

}  // namespace aladdin
