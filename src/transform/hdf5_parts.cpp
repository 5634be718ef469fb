#include "aladdin/transform/itk_hdf5_parts.h"

#include <algorithm>
#include <fstream>

#include "aladdin/core/apart.h"

namespace aladdin {
namespace {

constexpr int kMostAxes = 8;

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

std::string packed(const std::vector<StoredTransform>& transforms) {
  std::string bytes;
  for (const StoredTransform& stored : transforms) {
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

Error damaged_hdf5(const Path& path) { return not_a_transform(path, "its content is damaged"); }

Hdf5Parts::Hdf5Parts(const Path& path, std::uint64_t stored_bytes)
    : path_(path), file_bytes_(stored_bytes) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  H5PLset_loading_state(0);
  file_ = opened(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
}

hid_t Hdf5Parts::opened(hid_t id) const {
  if (id < 0) throw damaged_hdf5(path_);
  return id;
}

bool Hdf5Parts::has(hid_t parent, const char* name) const {
  return H5Lexists(parent, name, H5P_DEFAULT) > 0;
}

hid_t Hdf5Parts::open(hid_t parent, const char* name, H5I_type_t type) const {
  H5L_info_t link;
  if (H5Lget_info(parent, name, &link, H5P_DEFAULT) < 0 || link.type != H5L_TYPE_HARD)
    throw damaged_hdf5(path_);
  const hid_t part = opened(H5Oopen(parent, name, H5P_DEFAULT));
  if (H5Iget_type(part) != type) throw damaged_hdf5(path_);
  return part;
}

std::uint64_t Hdf5Parts::count(hid_t group) const {
  H5G_info_t info;
  if (H5Gget_info(group, &info) < 0) throw damaged_hdf5(path_);
  return info.nlinks;
}

std::string Hdf5Parts::string_of(hid_t stored, hid_t space,
                                 const std::function<herr_t(hid_t, void*)>& read) const {
  constexpr std::size_t kMostBytes = 4096;
  if (H5Tget_class(stored) != H5T_STRING || H5Sget_simple_extent_npoints(space) != 1)
    throw damaged_hdf5(path_);
  const hid_t wanted = opened(H5Tcopy(H5T_C_S1));
  const bool variable = H5Tis_variable_str(stored) > 0;
  const std::size_t bytes = variable ? 0 : H5Tget_size(stored);
  if (bytes > kMostBytes || H5Tset_size(wanted, variable ? H5T_VARIABLE : bytes + 1) < 0 ||
      H5Tset_cset(wanted, H5Tget_cset(stored)) < 0)
    throw damaged_hdf5(path_);
  char* text = nullptr;
  std::string fixed(bytes + 1, '\0');
  if (read(wanted, variable ? static_cast<void*>(&text) : fixed.data()) < 0)
    throw damaged_hdf5(path_);
  if (variable && !text) throw damaged_hdf5(path_);
  return variable ? text : fixed.c_str();
}

std::string Hdf5Parts::text(hid_t dataset) const {
  return string_of(opened(H5Dget_type(dataset)), opened(H5Dget_space(dataset)),
                   [&](hid_t type, void* to) {
                     return H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, to);
                   });
}

std::string Hdf5Parts::attribute(hid_t object, const char* name) const {
  if (H5Aexists(object, name) <= 0) return "";
  const hid_t one = opened(H5Aopen(object, name, H5P_DEFAULT));
  return string_of(opened(H5Aget_type(one)), opened(H5Aget_space(one)),
                   [&](hid_t type, void* to) { return H5Aread(one, type, to); });
}

Hdf5Numbers Hdf5Parts::numbers(hid_t dataset) const {
  const hid_t type = opened(H5Dget_type(dataset)), space = opened(H5Dget_space(dataset));
  const H5T_class_t kind = H5Tget_class(type);
  const std::size_t bytes = H5Tget_size(type);
  const int axes = H5Sget_simple_extent_ndims(space);
  if ((kind != H5T_FLOAT && kind != H5T_INTEGER) || bytes < 1 || bytes > 8 || axes < 0 ||
      axes > kMostAxes)
    throw damaged_hdf5(path_);
  hsize_t size[kMostAxes] = {};
  if (axes > 0 && H5Sget_simple_extent_dims(space, size, nullptr) != axes)
    throw damaged_hdf5(path_);
  Hdf5Numbers out{.size = {size, size + axes}, .values = {}, .whole = kind == H5T_INTEGER};
  const std::uint64_t most = most_stored_bytes(dataset) / bytes;
  std::uint64_t count = 1;
  for (const std::uint64_t n : out.size) {
    if (n > 0 && count > most / n) throw damaged_hdf5(path_);
    count *= n;
  }
  if (count > most) throw damaged_hdf5(path_);
  out.values.resize(count);
  if (H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.values.data()) < 0)
    throw damaged_hdf5(path_);
  return out;
}

// Nothing that deflate packs gets smaller by more than this.
std::uint64_t Hdf5Parts::most_stored_bytes(hid_t dataset) const {
  constexpr std::uint64_t kMostPacked = 1032;
  const hid_t how = opened(H5Dget_create_plist(dataset));
  const H5D_layout_t layout = H5Pget_layout(how);
  if ((layout != H5D_COMPACT && layout != H5D_CONTIGUOUS && layout != H5D_CHUNKED) ||
      H5Pget_external_count(how) != 0)
    throw damaged_hdf5(path_);
  const std::uint64_t stored = std::min<std::uint64_t>(H5Dget_storage_size(dataset), file_bytes_);
  return layout == H5D_CHUNKED ? kMostPacked * stored : stored;
}

std::vector<StoredTransform> read_hdf5_apart(
    const Path& path, const std::function<std::vector<StoredTransform>(const Hdf5Parts&)>& read) {
  const std::uint64_t stored_bytes = file_bytes(path);
  require_signature(path);
  const std::string bytes =
      run_apart(limits_for(stored_bytes, 16 * stored_bytes), damaged_hdf5(path),
                [&] { return packed(read(Hdf5Parts(path, stored_bytes))); });
  std::vector<StoredTransform> stored;
  try {
    for (std::string_view rest = bytes; !rest.empty();) stored.push_back(take_transform(rest));
  } catch (const Error&) {
    throw damaged_hdf5(path);
  }
  return stored;
}

}  // namespace aladdin
