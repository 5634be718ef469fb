// Files that are either whole or not there: written beside their final name, flushed to disk,
// renamed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace aladdin {

using Path = std::filesystem::path;

// A name beside `target`, with the same extensions (writers choose the format by them). The file
// made there becomes `target` on commit() and is removed if commit() is never reached.
class AtomicFile {
 public:
  // Creates the folder of `target` if needed.
  explicit AtomicFile(Path target);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  const Path& path() const { return beside_; }
  void commit();  // fsync, rename, fsync of the folder

 private:
  Path target_;
  Path beside_;
  bool committed_ = false;
};

void write_text(const Path& target, std::string_view text);
std::string read_text(const Path& path, std::uint64_t most_bytes = 256ULL << 20);

// Throws unless nothing is at `path` or `force` is set: nothing is overwritten without --force.
void require_writable(const Path& path, bool force);

// ".nii.gz" for a/b.nii.gz, ".csv" for b.csv; lower case.
std::string full_extension(const Path& path);
// The file name without full_extension.
std::string stem_of(const Path& path);

}  // namespace aladdin
