// Inside this folder only: what an HDF5 file that may be hostile holds, read in a process of its own.
//
// HDF5's library overruns memory and loops on damaged files, and a file may have it open others: it works apart
// (core/apart.h), links, plugins and outside storage are refused, and numbers are bounded by the length of the file.
#pragma once

#include <hdf5.h>

#include <functional>

#include "aladdin/transform/stored_transform.h"

namespace aladdin {

struct Hdf5Numbers {
  std::vector<std::uint64_t> size;  // none: a single number
  std::vector<double> values;
  bool whole = false;  // stored as integers
};

// In the child. What is opened stays open: the process ends. Throws where a part is not there or not as it should be.
class Hdf5Parts {
 public:
  Hdf5Parts(const Path& path, std::uint64_t stored_bytes);

  hid_t file() const { return file_; }
  const Path& path() const { return path_; }
  bool has(hid_t parent, const char* name) const;
  // A part of this file; links to other files are refused.
  hid_t open(hid_t parent, const char* name, H5I_type_t type) const;
  std::uint64_t count(hid_t group) const;
  // A dataset of one string.
  std::string text(hid_t dataset) const;
  // An attribute of one string; empty where there is none.
  std::string attribute(hid_t object, const char* name) const;
  Hdf5Numbers numbers(hid_t dataset) const;

 private:
  hid_t opened(hid_t id) const;
  std::string string_of(hid_t stored, hid_t space,
                        const std::function<herr_t(hid_t, void*)>& read) const;
  std::uint64_t most_stored_bytes(hid_t dataset) const;

  const Path& path_;
  std::uint64_t file_bytes_;
  hid_t file_ = -1;
};

Error damaged_hdf5(const Path& path);

// What `read` finds in the file at `path`; it runs in the child.
std::vector<StoredTransform> read_hdf5_apart(
    const Path& path, const std::function<std::vector<StoredTransform>(const Hdf5Parts&)>& read);

}  // namespace aladdin
