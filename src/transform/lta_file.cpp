#include "aladdin/transform/lta_file.h"

#include <map>
#include <optional>
#include <sstream>

#include "aladdin/core/error.h"
#include "aladdin/core/text.h"
#include "aladdin/transform/matrix_text.h"

namespace aladdin {
namespace {

constexpr std::uint64_t kMostBytes = 1 << 20;

[[noreturn]] void refuse(const Path& path, const std::string& found) {
  throw Error(
      fmt::format("cannot read FreeSurfer's transform '{}': {}", path.string(), one_line(found)))
      .hint("is the file damaged or truncated?");
}

// "key = value", a section's name, the matrix: line after line.
struct Lta {
  std::map<std::string, std::string> head;
  std::map<std::string, std::string> volume[2];  // source, destination
  std::optional<Affine> matrix;
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (auto& line : split(text, '\n')) {
    line = trim(line.substr(0, line.find('#')));
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

Lta parse(const Path& path) {
  const std::vector<std::string> lines = lines_of(read_text(path, kMostBytes));
  Lta lta;
  std::map<std::string, std::string>* keys = &lta.head;
  for (std::size_t n = 0; n < lines.size(); ++n) {
    const std::string& line = lines[n];
    if (line == "src volume info" || line == "dst volume info") {
      keys = &lta.volume[line.starts_with("dst")];
    } else if (line == "1 4 4") {
      std::string rows;
      for (std::size_t row = n + 1; row <= n + 4 && row < lines.size(); ++row)
        rows += lines[row] + "\n";
      if (lta.matrix) refuse(path, "it has more than one matrix");
      lta.matrix = parse_matrix(rows);
      if (!lta.matrix) refuse(path, "the lines after '1 4 4' are not a matrix of 4 x 4 numbers");
      n += 4;
    } else if (const auto equals = line.find('='); equals != std::string::npos) {
      (*keys)[trim(line.substr(0, equals))] = trim(line.substr(equals + 1));
    } else if (!line.starts_with("subject") && !line.starts_with("fscale")) {
      refuse(path, fmt::format("it has the line '{}'", line));
    }
  }
  if (!lta.matrix) refuse(path, "it has no matrix");
  return lta;
}

Vec3 three(const std::map<std::string, std::string>& keys, const std::string& key,
           const Path& path) {
  const auto found = keys.find(key);
  if (found == keys.end()) refuse(path, fmt::format("the '{}' of a volume is missing", key));
  std::istringstream words(found->second);
  Vec3 out{};
  std::string word;
  for (double& value : out) {
    const auto number = words >> word ? parse_number(word) : std::nullopt;
    if (!number) refuse(path, fmt::format("'{} = {}' is not three numbers", key, found->second));
    value = *number;
  }
  return out;
}

// Voxel index to RAS mm.
Affine to_ras(const std::map<std::string, std::string>& keys, const Path& path) {
  const auto valid = keys.find("valid");
  if (valid == keys.end() || valid->second != "1")
    refuse(path, "a matrix of voxels (type 0) needs the geometry of both volumes");
  const Mat3 axes = transpose(
      Mat3{three(keys, "xras", path), three(keys, "yras", path), three(keys, "zras", path)});
  Affine affine;
  affine.matrix = axes * diagonal(three(keys, "voxelsize", path));
  affine.offset = three(keys, "cras", path) - affine.matrix * (0.5 * three(keys, "volume", path));
  return affine;
}

std::string row(const Vec3& values) {
  return fmt::format("{:.15e} {:.15e} {:.15e}", values[0], values[1], values[2]);
}

std::string text_of(const LtaVolume& volume) {
  const Grid& grid = volume.grid;
  const auto ras = [](const Vec3& lps) { return Vec3{-lps[0] + 0.0, -lps[1] + 0.0, lps[2]}; };
  const Mat3 axes = transpose(grid.direction);
  const Vec3 middle{0.5 * static_cast<double>(grid.size[0]),
                    0.5 * static_cast<double>(grid.size[1]),
                    0.5 * static_cast<double>(grid.size[2])};
  return fmt::format(
      "valid = 1  # volume info valid\nfilename = {}\nvolume = {} {} {}\nvoxelsize = {}\n"
      "xras   = {}\nyras   = {}\nzras   = {}\ncras   = {}\n",
      volume.name, grid.size[0], grid.size[1], grid.size[2], row(grid.spacing), row(ras(axes[0])),
      row(ras(axes[1])), row(ras(axes[2])), row(ras(grid.to_point(middle))));
}

}  // namespace

Affine read_lta(const Path& path) {
  const Lta lta = parse(path);
  const auto of = [&](const char* key) {
    const auto found = lta.head.find(key);
    return found == lta.head.end() ? std::string() : found->second;
  };
  if (of("nxforms") != "1")
    refuse(path, fmt::format("it has '{}' transforms, expected one", of("nxforms")));
  const std::string type = of("type");
  if (type != "0" && type != "1")
    throw Error(fmt::format("'{}' is an LTA of type '{}', expected 0 (voxels) or 1 (RAS mm)",
                            path.string(), one_line(type)))
        .hint("convert it with FreeSurfer's 'lta_convert --inlta IN.lta --outlta OUT.lta'");
  try {
    Affine to_destination = *lta.matrix;
    if (type == "0")
      to_destination = compose(to_ras(lta.volume[1], path),
                               compose(to_destination, inverse(to_ras(lta.volume[0], path))));
    return flip_ras(inverse(to_destination));
  } catch (Error& error) {
    const std::string sentence = error.what();
    if (sentence.find(path.string()) != std::string::npos) throw;
    throw error.within(fmt::format("'{}' has no inverse", path.string()));
  }
}

std::string text_of_lta(const Affine& affine, const LtaVolume& source,
                        const LtaVolume& destination) {
  const Affine matrix = flip_ras(inverse(affine));
  std::string rows;
  for (int line = 0; line < 3; ++line)
    rows += fmt::format("{} {:.15e}\n", row(matrix.matrix[line]), matrix.offset[line]);
  return fmt::format(
      "type      = 1 # LINEAR_RAS_TO_RAS\nnxforms   = 1\nmean      = 0 0 0\nsigma     = 1\n1 4 4\n"
      "{}{:.15e} {:.15e} {:.15e} {:.15e}\nsrc volume info\n{}dst volume info\n{}",
      rows, 0.0, 0.0, 0.0, 1.0, text_of(source), text_of(destination));
}

}  // namespace aladdin
