#include "aladdin/train/velocity_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "aladdin/core/error.h"

namespace aladdin {
namespace {

[[noreturn]] void fail_in(const Path& folder) {
  fail("cannot keep the registrations in a file in '{}': {}", folder.string(),
       std::strerror(errno));
}

int open_without_name(const Path& folder) {
  const int file = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR)) return file;
  // Some network disks have no such files.
  std::string name = (folder / ".velocities-XXXXXX").string();
  const int named = mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) unlink(name.c_str());
  return named;
}

// Calls move(bytes, count, offset) until all of them were moved.
template <class Move>
bool all_of(Move&& move, char* bytes, std::size_t count, off_t offset) {
  while (count > 0) {
    const ssize_t done = move(bytes, count, offset);
    if (done < 0 && errno == EINTR) continue;
    if (done == 0) errno = EIO;
    if (done <= 0) return false;
    bytes += done;
    offset += done;
    count -= static_cast<std::size_t>(done);
  }
  return true;
}

}  // namespace

VelocityFile::VelocityFile(const Path& folder) : folder_(folder), file_(open_without_name(folder)) {
  if (file_ < 0) fail_in(folder);
}

VelocityFile::~VelocityFile() { close(file_); }

void VelocityFile::put(std::size_t subject, const at::Tensor& velocity) {
  const at::Tensor plain = velocity.detach().to(at::kCPU, at::kFloat).contiguous();
  if (place_.empty()) sizes_ = plain.sizes().vec();
  if (plain.sizes() != at::IntArrayRef(sizes_)) fail("the velocities are of two sizes");
  device_ = velocity.device();
  const std::size_t place = place_.try_emplace(subject, place_.size()).first->second;
  const auto write = [&](char* from, std::size_t count, off_t at) {
    return pwrite(file_, from, count, at);
  };
  if (!all_of(write, static_cast<char*>(plain.data_ptr()), plain.nbytes(),
              static_cast<off_t>(place * plain.nbytes())))
    fail_in(folder_);
}

at::Tensor VelocityFile::get(std::size_t subject) const {
  at::Tensor out = at::empty(sizes_, at::kFloat);
  const auto read = [&](char* into, std::size_t count, off_t at) {
    return pread(file_, into, count, at);
  };
  if (!all_of(read, static_cast<char*>(out.data_ptr()), out.nbytes(),
              static_cast<off_t>(place_.at(subject) * out.nbytes())))
    fail_in(folder_);
  return out.to(device_);
}

}  // namespace aladdin
