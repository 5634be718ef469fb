// Velocities of one size, a file each, so that a killed build need not find them again, with any number of processes.
//
// A file says what it was made from: the origin (all that was trained), its round, and what the round was given. It is
// found again by the same only, whole, finite and of that size; any other counts as not there, and is not read beyond
// the bytes that it may have.
#pragma once

#include <ATen/ATen.h>

#include <optional>

#include "aladdin/core/files.h"

namespace aladdin {

class VelocityStore {
 public:
  struct Key {
    std::string round;
    std::string given;  // a checksum, of what other velocities of this name were not made from
    std::string of;     // whose velocity it is
  };

  // `origin` begins the names of all files: a short word.
  VelocityStore(Path folder, std::string origin, std::vector<int64_t> sizes);

  // On the CPU, contiguous.
  std::optional<at::Tensor> find(const Key& key) const;
  // Takes the place of any of this name. What is not finite is not kept: false.
  bool put(const Key& key, const at::Tensor& velocity) const;
  void remove(const Key& key) const;

  std::int64_t count() const;  // of this origin, whole or not
  void remove_other_origins() const;

 private:
  Path path_of(const Key& key) const;
  bool is_own(const Path& path) const;

  Path folder_;
  std::string origin_;
  std::vector<int64_t> sizes_;
};

}  // namespace aladdin
