// Inside this folder only: the text headers of NRRD and MetaImage, looked at before ITK's libraries see
// them. NrrdIO and MetaIO copy what they read into arrays of fixed length, unchecked, and give patterns of
// file names to printf: a line of 2,000 letters, a number of dimensions above ten or a %n writes where it
// should not. MetaIO also sees other keys than a reader would: see require_plain_meta.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "aladdin/core/files.h"

namespace aladdin {

struct TextHeader {
  std::vector<std::string> lines;

  // The value of the last line "key = value" or "key: value", in any case; "" if there is none.
  std::string value_of(const std::string& key) const;
  // Where the voxels are, if not in the same file; "" or LOCAL.
  std::string data_file() const;
};

// Nothing if the file is neither NRRD nor MetaImage. Throws on a header that the libraries would not
// survive.
std::optional<TextHeader> read_text_header(const Path& path);

// The bytes that the voxels take by the sizes in the header, at eight each; throws on sizes that are none.
double claimed_bytes(const Path& path, const TextHeader& header);

}  // namespace aladdin
