// While a ReadOnce lives, read_image() and read_labels(), in any thread, keep the voxels that they read, as the file stores
// them, and a file that has not changed is not read again. What does not fit into `most_bytes` is read each time. A build
// looks at its cohort several times (scan.h, dataset.h, publishing, the report): it has one of these.
#pragma once

#include <cstdint>

namespace aladdin {

class ReadOnce {
 public:
  // Does nothing where there is one already.
  explicit ReadOnce(std::uint64_t most_bytes);
  ~ReadOnce();
  ReadOnce(const ReadOnce&) = delete;
  ReadOnce& operator=(const ReadOnce&) = delete;

  std::uint64_t bytes() const;  // what is kept now
  void forget();                // keeps nothing from now on

 private:
  bool active_;
};

}  // namespace aladdin
