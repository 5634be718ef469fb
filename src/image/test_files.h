// For the tests: images with known content, NIfTI files written byte by byte, a folder that goes
// away.
#pragma once

#include <cstdint>
#include <cstring>
#include <fstream>
#include <functional>
#include <string>

#include "aladdin/core/error.h"
#include "aladdin/core/files.h"
#include "aladdin/image/image.h"

namespace aladdin::testing {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "aladdin_test_XXXXXX").string();
    if (!mkdtemp(name.data())) fail("cannot make a temporary folder");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  Path operator/(const Path& name) const { return path_ / name; }
  const Path& path() const { return path_; }

 private:
  Path path_;
};

// The sentence that `action` fails with, or "" when it does not fail.
inline std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

inline void write_bytes(const Path& path, const std::string& bytes) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

// A single-file NIfTI-1 with one byte a voxel unless told otherwise; change fields, then save.
struct Nifti1 {
  std::string bytes = std::string(352, '\0');

  explicit Nifti1(const std::vector<int>& size, int datatype = 2, int bits = 8) {
    set<std::int32_t>(0, 348);
    set<std::int16_t>(40, static_cast<std::int16_t>(size.size()));
    for (int d = 1; d <= 7; ++d)
      set<std::int16_t>(40 + 2 * d, static_cast<std::int16_t>(
                                        d <= static_cast<int>(size.size()) ? size[d - 1] : 1));
    set<std::int16_t>(70, static_cast<std::int16_t>(datatype));
    set<std::int16_t>(72, static_cast<std::int16_t>(bits));
    for (int d = 0; d < 8; ++d) set<float>(76 + 4 * d, 1);
    set<float>(108, 352);
    bytes[123] = 2;  // mm
    std::memcpy(bytes.data() + 344, "n+1", 4);
  }

  template <class T>
  Nifti1& set(std::size_t offset, T value) {
    std::memcpy(bytes.data() + offset, &value, sizeof(T));
    return *this;
  }
  template <class T>
  Nifti1& append(const std::vector<T>& values) {
    bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
    return *this;
  }
  const Nifti1& save(const Path& path) const {
    write_bytes(path, bytes);
    return *this;
  }
};

// Smooth, positive, different everywhere.
inline Image ramp(const Grid& grid) {
  Image image(grid);
  for (std::int64_t k = 0; k < grid.size[2]; ++k)
    for (std::int64_t j = 0; j < grid.size[1]; ++j)
      for (std::int64_t i = 0; i < grid.size[0]; ++i)
        image.at(i, j, k) = static_cast<float>(i + 10 * j + 100 * k + 1);
  return image;
}

}  // namespace aladdin::testing
