#include "aladdin/image/read_once.h"

#include <sys/stat.h>

#include <map>
#include <mutex>
#include <tuple>

#include "aladdin/image/kept_volumes.h"

namespace aladdin {
namespace {

// A file as it is now: another one in its place has another inode, a changed one another time.
using Stamp = std::tuple<std::string, dev_t, ino_t, off_t, time_t, long>;

struct Kept {
  std::mutex mutex;
  bool active = false;
  std::uint64_t room = 0, bytes = 0;
  std::map<Stamp, std::shared_ptr<const RawImage>> volumes;
};

Kept& kept() {
  static Kept all;
  return all;
}

}  // namespace

ReadOnce::ReadOnce(std::uint64_t most_bytes) {
  Kept& all = kept();
  const std::scoped_lock lock(all.mutex);
  active_ = !all.active;
  if (!active_) return;
  all.active = true;
  all.room = most_bytes;
}

ReadOnce::~ReadOnce() {
  if (!active_) return;
  forget();
  const std::scoped_lock lock(kept().mutex);
  kept().active = false;
}

std::uint64_t ReadOnce::bytes() const {
  const std::scoped_lock lock(kept().mutex);
  return kept().bytes;
}

void ReadOnce::forget() {
  Kept& all = kept();
  const std::scoped_lock lock(all.mutex);
  all.volumes.clear();
  all.room = all.bytes = 0;
}

std::shared_ptr<const RawImage> read_or_kept(const Path& path,
                                             const std::function<RawImage()>& read) {
  const auto read_now = [&] { return std::make_shared<const RawImage>(read()); };
  Kept& all = kept();
  struct stat status {};
  Stamp stamp;
  {
    const std::scoped_lock lock(all.mutex);
    if (!all.active || stat(file_of_image(path).c_str(), &status) != 0) return read_now();
    stamp = {path.string(),  status.st_dev,         status.st_ino,
             status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
    if (const auto found = all.volumes.find(stamp); found != all.volumes.end())
      return found->second;
  }
  auto volume = read_now();
  const std::uint64_t bytes = volume->bytes.size();
  const std::scoped_lock lock(all.mutex);
  if (all.active && bytes <= all.room && all.volumes.emplace(stamp, volume).second) {
    all.room -= bytes;
    all.bytes += bytes;
  }
  return volume;
}

}  // namespace aladdin
