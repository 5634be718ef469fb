// Inside this folder only: a file read through zlib, checked to the last byte. Plain files are read
// as they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "aladdin/core/files.h"

struct gzFile_s;

namespace aladdin {

class GzipReader {
 public:
  explicit GzipReader(const Path& path);
  ~GzipReader();
  GzipReader(const GzipReader&) = delete;
  GzipReader& operator=(const GzipReader&) = delete;

  // The bytes that could be read: fewer than asked at the end of the file. Throws on a stream that
  // is broken or ends too early.
  std::size_t read(std::byte* into, std::size_t bytes);
  // Passes over so many bytes, or fewer at the end of the file.
  void skip(std::uint64_t bytes);
  // Up to `bytes` of them. Memory is taken as they come, never more than kAhead or twice what there is:
  // a header may claim anything.
  std::vector<std::byte> read_growing(std::size_t bytes);
  static constexpr std::size_t kAhead = 16U << 20;
  // Reads to the end, where gzip keeps its checksum.
  void finish();

 private:
  [[noreturn]] void refuse();

  Path path_;
  gzFile_s* file_;
};

}  // namespace aladdin
