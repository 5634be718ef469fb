#include "aladdin/transform/hdf5_transform_file.h"

#include "aladdin/transform/itk_hdf5_parts.h"

namespace aladdin {
namespace {

std::vector<double> list(const Hdf5Parts& parts, hid_t parent, const char* name,
                         const char* old_name) {
  const char* there = parts.has(parent, name) ? name : old_name;
  Hdf5Numbers numbers = parts.numbers(parts.open(parent, there, H5I_DATASET));
  if (numbers.whole || numbers.size.size() != 1) throw damaged_hdf5(parts.path());
  return std::move(numbers.values);
}

StoredTransform read_one(const Hdf5Parts& parts, hid_t one) {
  StoredTransform stored{parts.text(parts.open(one, "TransformType", H5I_DATASET)), {}, {}};
  if (is_composite(stored)) return stored;
  stored.parameters = list(parts, one, "TransformParameters", "TranformParameters");
  stored.fixed = list(parts, one, "TransformFixedParameters", "TranformFixedParameters");
  return stored;
}

}  // namespace

std::vector<StoredTransform> read_hdf5_transforms(const Path& path) {
  return read_hdf5_apart(path, [](const Hdf5Parts& parts) {
    const hid_t group = parts.open(parts.file(), "TransformGroup", H5I_GROUP);
    std::vector<StoredTransform> all;
    for (std::uint64_t index = 0; index < parts.count(group); ++index)
      all.push_back(read_one(parts, parts.open(group, std::to_string(index).c_str(), H5I_GROUP)));
    return all;
  });
}

}  // namespace aladdin
