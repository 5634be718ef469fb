// Inside this folder only: records of one size, in memory or in a memory-mapped file.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "aladdin/core/files.h"

namespace aladdin {

struct RecordShape {
  std::size_t count;
  std::size_t bytes;  // of one record
};

// Fills record `n`, `bytes` zeros before. Called from many threads.
using FillRecord = std::function<void(std::size_t n, std::byte* record)>;

// Calls fill for every record of a buffer that lies in memory.
std::vector<std::byte> make_records(const RecordShape& shape, const FillRecord& fill);

// A file of records, mapped for reading.
//   "aladdin records 1\n", key bytes, count, record bytes, a checksum per record, a checksum of all
//   that; then the records, each from a multiple of 4096 bytes on.
class RecordFile {
 public:
  // Opens the file if it has this key and shape and all checksums hold. Else rebuilds it, and removes
  // unfinished files of killed processes from its folder; rebuilt() is then true.
  RecordFile(const Path& path, const std::string& key, const RecordShape& shape,
             const FillRecord& fill);
  ~RecordFile();
  RecordFile(const RecordFile&) = delete;
  RecordFile& operator=(const RecordFile&) = delete;

  const std::byte* record(std::size_t n) const { return map_ + first_ + n * stride_; }
  bool rebuilt() const { return rebuilt_; }

 private:
  bool open_existing(const std::string& key, const RecordShape& shape);
  void build(const std::string& key, const RecordShape& shape, const FillRecord& fill);
  void unmap();

  Path path_;
  const std::byte* map_ = nullptr;
  std::size_t mapped_ = 0, first_ = 0, stride_ = 0;
  bool rebuilt_ = false;
};

}  // namespace aladdin
