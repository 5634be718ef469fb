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
// made there, empty at first, becomes `target` on commit() and is removed if commit() is never reached.
class AtomicFile {
 public:
  // Makes the folder of `target` if needed.
  explicit AtomicFile(Path target);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  const Path& path() const { return beside_; }
  void commit();  // fsync, rename, fsync of the folder

 private:
  Path target_;
  Path beside_;
  int slot_;  // where the signal handler finds it
  bool committed_ = false;
};

// Writes a file from its beginning to its end. Errors give the system's reason and name `shown`, the file that the
// user knows.
class FileWriter {
 public:
  FileWriter(const Path& path, Path shown);
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  void write(std::string_view bytes);

 private:
  Path shown_;
  int file_;
  std::size_t written_ = 0;
};

// From now on SIGINT, SIGTERM and SIGHUP remove the files of every AtomicFile that is not committed
// yet, then end the process as they would have. For main(): a library does not take signals.
void remove_unfinished_files_on_signals();

void write_text(const Path& target, std::string_view text);
std::string read_text(const Path& path, std::uint64_t most_bytes = 256ULL << 20);
// The beginning of a file, however long it is.
std::string read_start(const Path& path, std::uint64_t most_bytes);

// Makes a folder and those above it that are not there; the disk keeps them from then on.
void make_folder(const Path& folder);

// The size of a file. Throws where nothing is at `path`, and where a folder, a pipe or a device is, which to open may
// take forever.
std::uint64_t file_bytes(const Path& path);
// Throws unless a file is at `path` and it is not empty.
void require_file(const Path& path);

// Throws unless nothing is at `path`, or a file and `force` is set: nothing is overwritten without
// --force, and a folder not even with it.
void require_writable(const Path& path, bool force);

// False also where nothing can be seen: no right to look, a name too long.
bool is_folder(const Path& path);

// ".nii.gz" for a/b.nii.gz, ".csv" for b.csv; lower case.
std::string full_extension(const Path& path);
// The file name without full_extension.
std::string stem_of(const Path& path);

}  // namespace aladdin
