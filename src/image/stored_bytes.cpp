// How many bytes of voxels the files of an image can hold at most, before anything is allocated for
// them. A header may claim anything, also of voxels in other files, and name those as it likes.
#include <algorithm>
#include <cctype>
#include <fstream>

#include "aladdin/core/text.h"
#include "aladdin/image/raw_image.h"
#include "aladdin/image/text_header.h"

namespace aladdin {
namespace {

constexpr double kGzipLimit = 1100.0;  // gzip shrinks by at most about 1032
constexpr double kTextLimit = 8.0;     // a digit and a blank for a value of up to eight bytes

double size_of(const Path& path) {
  std::error_code problem;
  const auto bytes = std::filesystem::file_size(path, problem);
  return problem ? 0.0 : static_cast<double>(bytes);
}

bool is_gzip(const Path& path) {
  char start[2] = {};
  std::ifstream(path, std::ios::binary).read(start, sizeof start);
  return start[0] == '\x1f' && start[1] == '\x8b';
}

double size_of_folder(const Path& folder) {
  double sum = 0;
  std::error_code problem;
  for (const auto& entry : std::filesystem::directory_iterator(folder, problem))
    if (entry.is_regular_file(problem)) sum += size_of(entry.path());
  return sum;
}

// The bytes in the file where NRRD and MetaImage say that the voxels are.
double data_bytes(const Path& path, const TextHeader& header) {
  const std::string name = header.data_file();
  if (name.empty() || lower(name) == "local") return size_of(path);
  const Path folder = path.has_parent_path() ? path.parent_path() : Path(".");
  const double bytes = size_of(folder / name);
  if (bytes == 0)
    fail("cannot read '{}': its voxels should be in '{}', which is empty or missing", path.string(),
         name);
  return bytes;
}

double packing(const TextHeader& header) {
  const std::string encoding = lower(header.value_of("encoding"));
  if (lower(header.value_of("compresseddata")).starts_with("t") || encoding.starts_with("gz"))
    return kGzipLimit;
  // NRRD has no default; MetaImage is binary unless it says otherwise.
  const bool text = encoding == "txt" || encoding == "text" || encoding == "ascii" ||
                    lower(header.value_of("binarydata")).starts_with("f");
  return text ? kTextLimit : 1.0;
}

// MetaIO allocates what this says.
void require_packed_bytes(const Path& path, const TextHeader& header, double stored) {
  const std::string text = header.value_of("compresseddatasize");
  if (text.empty()) return;
  const auto bytes = parse_number(text);
  if (!bytes || *bytes < 0 || *bytes > stored)
    fail(
        "'{}' is truncated or its header is wrong: it claims '{}' compressed bytes, there are {:.0f}",
        path.string(), text, stored);
}

}  // namespace

bool has_pair_extension(const Path& path) {
  const std::string extension = full_extension(path);
  return extension.starts_with(".hdr") || extension.starts_with(".img");
}

std::optional<Path> half_of_pair(const Path& path, const std::string& extension) {
  if (full_extension(path).starts_with(extension)) return path;
  std::string loud = extension;
  for (char& letter : loud) letter = static_cast<char>(std::toupper(letter));
  for (const std::string& name : {extension, extension + ".gz", loud, loud + ".GZ"}) {
    const Path half = path.parent_path() / (stem_of(path) + name);
    std::error_code problem;
    if (std::filesystem::is_regular_file(half, problem)) return half;
  }
  return std::nullopt;
}

std::uint64_t bytes_on_disk(const Path& path) {
  if (is_folder(path)) return static_cast<std::uint64_t>(size_of_folder(path));
  if (has_pair_extension(path))
    return static_cast<std::uint64_t>(size_of(half_of_pair(path, ".img").value_or(path)));
  const auto header = read_text_header(path);
  return static_cast<std::uint64_t>(header ? data_bytes(path, *header) : size_of(path));
}

double most_stored_bytes(const Path& path) {
  if (is_folder(path)) return kGzipLimit * size_of_folder(path);  // DICOM slices
  const std::string extension = full_extension(path);
  if (extension == ".nii") return (is_gzip(path) ? kGzipLimit : 1.0) * size_of(path);
  if (const auto voxels = has_pair_extension(path) ? half_of_pair(path, ".img") : std::nullopt)
    return (full_extension(*voxels) == ".img" ? 1.0 : kGzipLimit) * size_of(*voxels);
  if (const auto header = read_text_header(path)) {
    const double stored = data_bytes(path, *header);
    require_packed_bytes(path, *header, stored);
    return packing(*header) * stored;
  }
  return kGzipLimit * size_of(path);  // .nii.gz, DICOM and whatever else is recognised
}

}  // namespace aladdin
