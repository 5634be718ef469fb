// Inside this folder only: a file read through zlib, checked to the last byte. Plain files are read
// as they are.
#pragma once

#include <cstddef>

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
  // Reads to the end, where gzip keeps its checksum.
  void finish();

 private:
  [[noreturn]] void refuse();

  Path path_;
  gzFile_s* file_;
};

}  // namespace aladdin
