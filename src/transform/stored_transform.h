// Inside this folder only: a transform as every file format of ITK stores it, a class of ITK by its name and two lists
// of numbers.
#pragma once

#include <string>
#include <vector>

#include "aladdin/core/error.h"
#include "aladdin/core/files.h"
#include "aladdin/transform/chain.h"

namespace aladdin {

struct StoredTransform {
  std::string type;  // "AffineTransform_double_3_3"
  std::vector<double> parameters;
  std::vector<double> fixed;  // the centre of an affine, the grid of a displacement field
};

// A composite has no numbers; all transforms behind it are its parts.
bool is_composite(const StoredTransform& stored);

// What the file at `path` holds, as a chain: the parts of a composite, the last one first as ITK applies them, or all
// transforms in their order. The file may be hostile: an object of ITK is given numbers only once they are finite and
// as many as its class has, and a field is allocated only once all its vectors are there.
Chain to_chain(const std::vector<StoredTransform>& stored, const Path& path);

// "cannot read the transform 'x': it is empty; expected an ITK or ANTs transform …"
Error not_a_transform(const Path& path, const std::string& found);

}  // namespace aladdin
