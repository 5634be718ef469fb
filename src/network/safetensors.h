// Tensors by name in a file that Python's safetensors reads as well: no code, no surprises.
//
//   8 bytes        little-endian length of the header
//   header         JSON: {"__metadata__": {text: text}, name: {"dtype", "shape", "data_offsets"}, …}
//   data           the tensors, row-major, one after the other, without gaps
//
// The metadata holds checksums of the data ("checksum") and of the header ("header_checksum"); a file that
// has one is held to it.
// Everything the header says is checked against the size of the file before anything is allocated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "aladdin/core/files.h"

namespace aladdin {

enum class Dtype { f32, f64, i64, u8 };
std::string name_of(Dtype dtype);  // "F32", …
std::size_t bytes_of(Dtype dtype);

template <class T>
constexpr Dtype dtype_of();
template <>
constexpr Dtype dtype_of<float>() {
  return Dtype::f32;
}
template <>
constexpr Dtype dtype_of<double>() {
  return Dtype::f64;
}
template <>
constexpr Dtype dtype_of<std::int64_t>() {
  return Dtype::i64;
}
template <>
constexpr Dtype dtype_of<std::uint8_t>() {
  return Dtype::u8;
}

class Safetensors {
 public:
  struct Entry {
    Dtype dtype = Dtype::f32;
    std::vector<std::int64_t> shape;
    std::size_t begin = 0, bytes = 0;  // in the data
  };

  Safetensors() = default;
  // Throws one sentence, which names the file, on anything that is not as above.
  explicit Safetensors(const Path& path);
  void write(const Path& path) const;

  std::map<std::string, std::string> metadata;

  // A name twice is our bug and throws.
  template <class T>
  void add(const std::string& name, const std::vector<std::int64_t>& shape, const T* values) {
    add_bytes(name, dtype_of<T>(), shape, reinterpret_cast<const std::byte*>(values));
  }
  bool contains(const std::string& name) const { return entries_.count(name) > 0; }
  const std::map<std::string, Entry>& entries() const { return entries_; }

  // The values, or an error if they are not there, of another type or of another shape.
  template <class T>
  std::vector<T> values(const std::string& name, const std::vector<std::int64_t>& shape) const {
    const Entry& entry = find(name, dtype_of<T>(), shape);
    std::vector<T> out(entry.bytes / sizeof(T));
    copy_bytes(entry, reinterpret_cast<std::byte*>(out.data()));
    return out;
  }
  // The metadata of this key, or an error.
  const std::string& text(const std::string& key) const;
  // A checksum of all values, in the order in which they were added.
  std::string digest() const;

 private:
  void add_bytes(const std::string& name, Dtype dtype, const std::vector<std::int64_t>& shape,
                 const std::byte* bytes);
  const Entry& find(const std::string& name, Dtype dtype,
                    const std::vector<std::int64_t>& shape) const;
  void copy_bytes(const Entry& entry, std::byte* out) const;
  void parse(const std::string& json, std::size_t data_bytes);

  std::map<std::string, Entry> entries_;
  std::string data_;
  Path source_;
};

}  // namespace aladdin
