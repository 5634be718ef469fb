// Velocities of many subjects, of one size, in a file without a name: a cohort of any length takes no memory, and the
// system removes it with the process.
#pragma once

#include <ATen/ATen.h>

#include <map>

#include "aladdin/core/files.h"

namespace aladdin {

class VelocityFile {
 public:
  explicit VelocityFile(const Path& folder);
  ~VelocityFile();
  VelocityFile(const VelocityFile&) = delete;
  VelocityFile& operator=(const VelocityFile&) = delete;

  bool has(std::size_t subject) const { return place_.contains(subject); }
  // Takes the place of what the subject had.
  void put(std::size_t subject, const at::Tensor& velocity);
  at::Tensor get(std::size_t subject) const;  // on the device of the last one put

 private:
  Path folder_;
  int file_;
  std::map<std::size_t, std::size_t> place_;  // in the file
  std::vector<int64_t> sizes_;
  at::Device device_ = at::kCPU;
};

}  // namespace aladdin
