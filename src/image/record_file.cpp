#include "aladdin/image/record_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <regex>

#include "aladdin/core/checksum.h"
#include "aladdin/core/error.h"
#include "aladdin/core/log.h"
#include "aladdin/core/parallel.h"
#include "aladdin/core/progress.h"
#include "aladdin/core/transfer.h"

namespace aladdin {
namespace {

constexpr std::string_view kMagic = "aladdin records 1\n";
constexpr std::size_t kPage = 4096;

std::size_t whole_pages(std::size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

template <class T>
void append(std::string& text, T value) {
  text.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// Everything before the first record, padded to whole pages.
std::string header_of(const std::string& key, const RecordShape& shape,
                      const std::vector<std::uint64_t>& sums) {
  std::string header(kMagic);
  append(header, static_cast<std::uint64_t>(key.size()));
  header += key;
  append(header, static_cast<std::uint64_t>(shape.count));
  append(header, static_cast<std::uint64_t>(shape.bytes));
  for (const auto sum : sums) append(header, sum);
  append(header, checksum(reinterpret_cast<const std::byte*>(header.data()), header.size()));
  header.resize(whole_pages(header.size()));
  return header;
}

class Descriptor {
 public:
  Descriptor(const Path& path, int flags) : number_(open(path.c_str(), flags | O_CLOEXEC)) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int operator*() const { return number_; }

 private:
  int number_;
};

void write_at(int file, const void* bytes, std::size_t count, std::size_t offset,
              const Path& path) {
  if (!move_all(pwrite, file, static_cast<const char*>(bytes), count, offset))
    fail("cannot write the cache '{}': {}", path.string(), std::strerror(errno));
}

// Whoever writes a cache has it locked from before it takes any room until it has its name; the system unlocks what a
// dead process has left, which nobody else would remove.
void remove_abandoned(const Path& folder) {
  static const std::regex unfinished(R"(\..+\.[0-9]+\.[0-9]+\.records)");
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (!std::regex_match(entry.path().filename().string(), unfinished)) continue;
    const Descriptor file(entry.path(), O_RDWR | O_NOFOLLOW | O_NONBLOCK);
    struct stat status {};
    // An empty one may be about to be locked.
    if (*file < 0 || flock(*file, LOCK_EX | LOCK_NB) != 0 || fstat(*file, &status) != 0 ||
        !S_ISREG(status.st_mode) || status.st_size == 0)
      continue;
    log::detail("removed '{}', an unfinished cache", entry.path().string());
    std::filesystem::remove(entry.path(), ignored);
  }
}

}  // namespace

std::vector<std::byte> make_records(const RecordShape& shape, const FillRecord& fill) {
  std::vector<std::byte> all(shape.count * shape.bytes);
  Progress progress("loading the cohort", static_cast<std::int64_t>(shape.count));
  parallel_for(static_cast<std::int64_t>(shape.count), [&](std::int64_t n) {
    fill(static_cast<std::size_t>(n), all.data() + static_cast<std::size_t>(n) * shape.bytes);
    progress.advance();
  });
  return all;
}

RecordFile::RecordFile(const Path& path, const std::string& key, const RecordShape& shape,
                       const FillRecord& fill)
    : path_(path),
      first_(header_of(key, shape, std::vector<std::uint64_t>(shape.count)).size()),
      stride_(whole_pages(shape.bytes)) {
  mapped_ = first_ + shape.count * stride_;
  if (open_existing(key, shape)) return;
  build(key, shape, fill);
  rebuilt_ = true;
  if (!open_existing(key, shape)) {
    unmap();
    fail("the cache '{}' cannot be read back", path.string());
  }
}

RecordFile::~RecordFile() { unmap(); }

void RecordFile::unmap() {
  if (map_) munmap(const_cast<std::byte*>(map_), mapped_);
  map_ = nullptr;
}

bool RecordFile::open_existing(const std::string& key, const RecordShape& shape) {
  unmap();
  const Descriptor file(path_, O_RDONLY);
  struct stat status {};
  if (*file < 0 || fstat(*file, &status) != 0) return false;
  if (static_cast<std::size_t>(status.st_size) != mapped_) {
    log::detail("the cache '{}' has an unexpected size and is rebuilt", path_.string());
    return false;
  }
  void* map = mmap(nullptr, mapped_, PROT_READ, MAP_SHARED, *file, 0);
  if (map == MAP_FAILED)
    fail("cannot map the cache '{}': {}", path_.string(), std::strerror(errno));
  map_ = static_cast<const std::byte*>(map);
  std::vector<std::uint64_t> sums(shape.count);
  parallel_for(static_cast<std::int64_t>(shape.count), [&](std::int64_t n) {
    sums[n] = checksum(record(static_cast<std::size_t>(n)), shape.bytes);
  });
  const std::string header = header_of(key, shape, sums);
  if (std::memcmp(header.data(), map_, header.size()) == 0) return true;
  log::detail("the cache '{}' is damaged or belongs to other data and is rebuilt", path_.string());
  unmap();
  return false;
}

void RecordFile::build(const std::string& key, const RecordShape& shape, const FillRecord& fill) {
  remove_abandoned(path_.parent_path());
  AtomicFile whole(path_);
  const Descriptor file(whole.path(), O_RDWR | O_NOFOLLOW);
  if (*file < 0) fail("cannot write the cache '{}': {}", path_.string(), std::strerror(errno));
  while (flock(*file, LOCK_EX) != 0 && errno == EINTR) continue;
  // Room for all of it now: better no start than a full disk after an hour.
  if (const int problem = posix_fallocate(*file, 0, static_cast<off_t>(mapped_)))
    throw Error(fmt::format("cannot make room for the cache '{}' ({:.1f} GB): {}", path_.string(),
                            static_cast<double>(mapped_) / 1e9, std::strerror(problem)))
        .hint("choose another cache folder or a coarser grid");
  std::vector<std::uint64_t> sums(shape.count);
  Progress progress("writing the cache", static_cast<std::int64_t>(shape.count));
  parallel_for(static_cast<std::int64_t>(shape.count), [&](std::int64_t n) {
    std::vector<std::byte> one(shape.bytes);
    fill(static_cast<std::size_t>(n), one.data());
    sums[n] = checksum(one.data(), one.size());
    write_at(*file, one.data(), one.size(), first_ + static_cast<std::size_t>(n) * stride_, path_);
    progress.advance();
  });
  const std::string header = header_of(key, shape, sums);
  write_at(*file, header.data(), header.size(), 0, path_);
  whole.commit();
}

}  // namespace aladdin
