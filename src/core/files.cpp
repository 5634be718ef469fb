#include "aladdin/core/files.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "aladdin/core/error.h"
#include "aladdin/core/text.h"

namespace aladdin {
namespace {

std::string reason() { return std::strerror(errno); }

void flush_to_disk(const Path& path, int flags) {
  const int file = open(path.c_str(), flags);
  if (file < 0) fail("cannot open '{}': {}", path.string(), reason());
  const int result = fsync(file);
  close(file);
  // Some file systems cannot sync a folder; that is not a reason to lose the file.
  if (result != 0 && !(flags & O_DIRECTORY)) fail("cannot flush '{}': {}", path.string(), reason());
}

Path folder_of(const Path& path) { return path.has_parent_path() ? path.parent_path() : Path("."); }

}  // namespace

AtomicFile::AtomicFile(Path target) : target_(std::move(target)) {
  static std::atomic<int> counter{0};
  const Path folder = folder_of(target_);
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (problem) fail("cannot make the folder '{}': {}", folder.string(), problem.message());
  if (access(folder.c_str(), W_OK) != 0)
    fail("cannot write into the folder '{}': {}", folder.string(), reason());
  beside_ = folder / fmt::format(".{}.{}.{}{}", stem_of(target_), getpid(), counter++,
                                 full_extension(target_));
}

AtomicFile::~AtomicFile() {
  if (committed_) return;
  std::error_code ignored;
  std::filesystem::remove(beside_, ignored);
}

void AtomicFile::commit() {
  flush_to_disk(beside_, O_RDONLY);
  std::error_code problem;
  std::filesystem::rename(beside_, target_, problem);
  if (problem) fail("cannot write '{}': {}", target_.string(), problem.message());
  committed_ = true;
  flush_to_disk(folder_of(target_), O_RDONLY | O_DIRECTORY);
}

void write_text(const Path& target, std::string_view text) {
  AtomicFile file(target);
  {
    std::ofstream stream(file.path(), std::ios::binary);
    stream.write(text.data(), static_cast<std::streamsize>(text.size()));
    stream.flush();
    if (!stream) fail("cannot write '{}': {}", target.string(), reason());
  }
  file.commit();
}

std::string read_text(const Path& path, std::uint64_t most_bytes) {
  std::error_code problem;
  if (!std::filesystem::exists(path, problem)) fail("no such file: '{}'", path.string());
  if (std::filesystem::is_directory(path, problem))
    fail("'{}' is a folder, expected a file", path.string());
  const auto bytes = std::filesystem::file_size(path, problem);
  if (problem) fail("cannot read '{}': {}", path.string(), problem.message());
  if (bytes > most_bytes)
    fail("'{}' has {} bytes, expected at most {}", path.string(), bytes, most_bytes);
  std::ifstream stream(path, std::ios::binary);
  std::string text(bytes, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(bytes));
  if (!stream) fail("cannot read '{}': {}", path.string(), reason());
  return text;
}

void require_writable(const Path& path, bool force) {
  std::error_code problem;
  if (std::filesystem::is_directory(path, problem))
    fail("'{}' is a folder, expected the name of a file", path.string());
  if (!force && std::filesystem::exists(path, problem))
    throw Error(fmt::format("'{}' exists already", path.string()))
        .hint("choose another name or overwrite it with --force");
}

bool is_folder(const Path& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

std::string full_extension(const Path& path) {
  std::string extension = path.extension().string();
  if (extension == ".gz" || extension == ".GZ")
    extension = path.stem().extension().string() + extension;
  return lower(extension);
}

std::string stem_of(const Path& path) {
  const std::string name = path.filename().string();
  return name.substr(0, name.size() - full_extension(path).size());
}

}  // namespace aladdin
