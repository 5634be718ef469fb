#include "aladdin/train/velocity_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "aladdin/core/error.h"
#include "aladdin/core/transfer.h"

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
  if (!move_all(pwrite, file_, static_cast<char*>(plain.data_ptr()), plain.nbytes(),
                place * plain.nbytes()))
    fail_in(folder_);
}

at::Tensor VelocityFile::get(std::size_t subject) const {
  at::Tensor out = at::empty(sizes_, at::kFloat);
  if (!move_all(pread, file_, static_cast<char*>(out.data_ptr()), out.nbytes(),
                place_.at(subject) * out.nbytes()))
    fail_in(folder_);
  return out.to(device_);
}

}  // namespace aladdin
