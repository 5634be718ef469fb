#include "aladdin/core/files.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <fstream>
#include <vector>

#include "aladdin/core/error.h"
#include "aladdin/core/option_name.h"
#include "aladdin/core/text.h"
#include "aladdin/core/transfer.h"

namespace aladdin {
namespace {

std::string reason() { return std::strerror(errno); }

// With a code of errno.
[[noreturn]] void fail_to_write(const Path& path, int code) {
  Error error(fmt::format("cannot write '{}': {}", path.string(), std::strerror(code)));
  const bool only_this = code == ENAMETOOLONG || code == EISDIR;
  throw only_this ? error : error.of_output();
}

// 0, or a code of errno.
int flush(const Path& path, int flags) {
  const int file = open(path.c_str(), flags | O_RDONLY | O_CLOEXEC);
  const int code = file >= 0 && fsync(file) == 0 ? 0 : errno;
  if (file >= 0) close(file);
  return code;
}

// One that we may write into need not be one that we may read, and some file systems cannot sync a
// folder; that is not a reason to lose the file.
void flush_folder(const Path& folder) {
  const int code = flush(folder, O_DIRECTORY);
  for (const int harmless : {0, EACCES, EBADF, EINVAL, ENOSYS, ENOTSUP})
    if (code == harmless) return;
  fail_to_write(folder, code);
}

// The files that a signal must remove: a fixed table, since a handler may neither lock nor allocate.
enum class Slot { free, filling, live, removing };
struct Unfinished {
  std::atomic<Slot> state{Slot::free};
  char name[PATH_MAX] = {};
};
std::array<Unfinished, 64> unfinished;
static_assert(std::atomic<Slot>::is_always_lock_free);

// -1 where there is no place: the file is then left behind by a signal, no worse.
int remember(const Path& path) {
  if (path.native().size() >= PATH_MAX) return -1;
  for (std::size_t slot = 0; slot < unfinished.size(); ++slot) {
    Slot expected = Slot::free;
    if (!unfinished[slot].state.compare_exchange_strong(expected, Slot::filling)) continue;
    std::strcpy(unfinished[slot].name, path.c_str());
    unfinished[slot].state = Slot::live;
    return static_cast<int>(slot);
  }
  return -1;
}

// A name that the handler is just reading stays as it is.
void forget(int slot) {
  if (slot < 0) return;
  Slot expected = Slot::live;
  unfinished[slot].state.compare_exchange_strong(expected, Slot::free);
}

extern "C" void remove_unfinished(int signal) {
  for (auto& file : unfinished) {
    Slot expected = Slot::live;
    if (file.state.compare_exchange_strong(expected, Slot::removing)) unlink(file.name);
  }
  std::signal(signal, SIG_DFL);
  raise(signal);
}

Path folder_of(const Path& path) { return path.has_parent_path() ? path.parent_path() : Path("."); }

}  // namespace

void make_folder(const Path& folder) {
  std::error_code problem;
  std::vector<Path> parents;  // of the folders that are not there yet
  for (Path path = folder;
       std::filesystem::status(path, problem).type() == std::filesystem::file_type::not_found;
       path = parents.back())
    parents.push_back(folder_of(path));
  std::filesystem::create_directories(folder, problem);
  if (problem)
    throw Error(fmt::format("cannot make the folder '{}': {}", folder.string(), problem.message()))
        .of_output();
  for (const Path& parent : parents) flush_folder(parent);
}

AtomicFile::AtomicFile(Path target) : target_(std::move(target)) {
  static std::atomic<int> counter{0};
  const Path folder = folder_of(target_);
  make_folder(folder);
  if (access(folder.c_str(), W_OK) != 0)
    throw Error(fmt::format("cannot write into the folder '{}': {}", folder.string(), reason()))
        .of_output();
  // What is there already is not ours: a leftover, a file of the process of this number on another
  // machine, a link that would lead elsewhere. Then the next number.
  int file = -1;
  do {
    beside_ = folder / fmt::format(".{}.{}.{}{}", stem_of(target_), getpid(), counter++,
                                   full_extension(target_));
    slot_ = remember(beside_);
    file = open(beside_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0) forget(slot_);
  } while (file < 0 && errno == EEXIST);
  if (file < 0) fail_to_write(target_, errno);
  close(file);
}

AtomicFile::~AtomicFile() {
  if (committed_) return;
  std::error_code ignored;
  std::filesystem::remove(beside_, ignored);
  forget(slot_);
}

void AtomicFile::commit() {
  if (const int code = flush(beside_, 0)) fail_to_write(target_, code);
  std::error_code problem;
  std::filesystem::rename(beside_, target_, problem);
  if (problem) fail_to_write(target_, problem.value());
  committed_ = true;
  forget(slot_);
  flush_folder(folder_of(target_));
}

FileWriter::FileWriter(const Path& path, Path shown)
    : shown_(std::move(shown)),
      file_(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666)) {
  if (file_ < 0) fail_to_write(shown_, errno);
}

FileWriter::~FileWriter() { close(file_); }

void FileWriter::write(std::string_view bytes) {
  if (!move_all(pwrite, file_, bytes.data(), bytes.size(), written_)) fail_to_write(shown_, errno);
  written_ += bytes.size();
}

void remove_unfinished_files_on_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    // Whoever started us may have it ignored, as nohup does.
    if (sigaction(signal, nullptr, &before) != 0 || before.sa_handler == SIG_IGN) continue;
    std::signal(signal, remove_unfinished);
  }
}

void write_text(const Path& target, std::string_view text) {
  AtomicFile file(target);
  FileWriter(file.path(), target).write(text);
  file.commit();
}

std::string read_text(const Path& path, std::uint64_t most_bytes) {
  const std::uint64_t bytes = file_bytes(path);
  if (bytes > most_bytes)
    fail("'{}' has {} bytes, expected at most {}", path.string(), bytes, most_bytes);
  return read_start(path, bytes);
}

std::string read_start(const Path& path, std::uint64_t most_bytes) {
  std::string text(std::min(file_bytes(path), most_bytes), '\0');
  std::ifstream stream(path, std::ios::binary);
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!stream) fail("cannot read '{}': {}", path.string(), reason());
  return text;
}

std::uint64_t file_bytes(const Path& path) {
  std::error_code problem;
  const auto status = std::filesystem::status(path, problem);
  if (status.type() == std::filesystem::file_type::none)
    fail("cannot read '{}': {}", path.string(), problem.message());
  if (!std::filesystem::exists(status)) fail("no such file: '{}'", path.string());
  if (std::filesystem::is_directory(status))
    fail("'{}' is a folder, expected a file", path.string());
  if (!std::filesystem::is_regular_file(status)) fail("'{}' is not a file", path.string());
  const auto bytes = std::filesystem::file_size(path, problem);
  if (problem) fail("cannot read '{}': {}", path.string(), problem.message());
  return bytes;
}

void require_file(const Path& path) {
  if (file_bytes(path) == 0) fail("'{}' is empty (0 bytes)", path.string());
}

void require_writable(const Path& path, bool force) {
  std::error_code problem;
  if (std::filesystem::is_directory(path, problem))
    fail("'{}' is a folder, expected the name of a file", path.string());
  const auto there = std::filesystem::symlink_status(path, problem);  // also a link to nothing
  if (std::filesystem::is_other(there)) fail("'{}' is not a file", path.string());
  if (!force && std::filesystem::exists(there))
    throw Error(fmt::format("'{}' exists already", path.string()))
        .hint(fmt::format("choose another name or overwrite it with {}", option_name("force")));
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
