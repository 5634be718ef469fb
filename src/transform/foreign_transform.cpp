#include "aladdin/transform/foreign_transform.h"

#include <sstream>

#include "aladdin/core/error.h"
#include "aladdin/core/text.h"

namespace aladdin {
namespace {

[[noreturn]] void refuse(const Path& path, const char* what, const char* hint) {
  throw Error(fmt::format("'{}' is {}, which is not supported", path.string(), what)).hint(hint);
}

// Four lines of four numbers, the last 0 0 0 1; lines that are empty do not count.
bool is_matrix_text(const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  std::vector<double> numbers;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string word;
    std::size_t count = 0;
    for (; words >> word; ++count) {
      const auto number = parse_number(word);
      if (!number || numbers.size() == 16) return false;
      numbers.push_back(*number);
    }
    if (count != 0 && count != 4) return false;
  }
  return numbers.size() == 16 && numbers[12] == 0 && numbers[13] == 0 && numbers[14] == 0 &&
         numbers[15] == 1;
}

}  // namespace

bool has_foreign_extension(const Path& path) {
  const std::string extension = full_extension(path);
  return extension == ".lta" || extension == ".x5" || extension == ".1d";
}

void refuse_foreign_transform(const Path& path) {
  file_bytes(path);  // that it is there, and no pipe
  const std::string extension = full_extension(path);
  if (extension == ".lta")
    refuse(path, "a linear transform of FreeSurfer (LTA)",
           "convert it with FreeSurfer's 'lta_convert --inlta IN.lta --outitk OUT.txt'");
  if (extension == ".x5")
    refuse(path, "a transform in the X5 format", "convert it to ITK's format with NiTransforms");
  if (extension == ".1d")
    refuse(path, "a matrix of AFNI (.1D)", "convert it to ITK's format with NiTransforms");
  const std::string text = read_start(path, 1 << 16);
  if (text.starts_with("MNI Transform File"))
    refuse(path, "an MNI transform (.xfm)", "convert it to ITK's format with NiTransforms");
  if (is_matrix_text(text))
    refuse(
        path,
        "a plain 4 x 4 matrix, which does not say whether it is RAS mm (Greedy, c3d, NiftyReg) or "
        "voxels (FSL)",
        "convert it with 'c3d_affine_tool IN -oitk OUT.tfm', one of FSL with 'c3d_affine_tool "
        "-ref REF -src SRC IN -fsl2ras -oitk OUT.tfm'");
}

}  // namespace aladdin
