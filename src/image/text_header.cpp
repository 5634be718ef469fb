#include "aladdin/image/text_header.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "aladdin/core/error.h"
#include "aladdin/core/text.h"

namespace aladdin {
namespace {

constexpr std::size_t kMostHeader = 1 << 16;
constexpr std::size_t kMostLine = 500;
constexpr long long kMostDimensions = 7;  // MetaIO has room for ten, NrrdIO for sixteen

constexpr const char* kDataKeys[] = {"elementdatafile", "data file", "datafile"};

// What stands before the first ':' or '='.
std::string exact_key(const std::string& line) {
  const auto at = line.find_first_of(":=");
  return at == std::string::npos ? "" : trim(line.substr(0, at));
}
std::string key_of(const std::string& line) { return lower(exact_key(line)); }

bool names_data(const std::string& line) {
  return std::find(std::begin(kDataKeys), std::end(kDataKeys), key_of(line)) != std::end(kDataKeys);
}

[[noreturn]] void refuse(const Path& path, const std::string& why) {
  throw Error(fmt::format("'{}' has an unusable header: {}", path.string(), why))
      .hint("is the file damaged?");
}

// The lines up to the one that ends the header.
std::vector<std::string> header_lines(const Path& path, const std::string& text, bool nrrd) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    if (line.ends_with('\r')) line.pop_back();
    begin = end + 1;
    if (nrrd && line.empty()) return lines;
    // Values that a program of another kind has put there may be long; the library keeps them whole.
    const bool remark = nrrd && (line.starts_with('#') || line.find(":=") != std::string::npos);
    if (line.size() > (remark ? kMostHeader / 2 : kMostLine))
      refuse(path, fmt::format("a line of {} bytes", line.size()));
    if (line.find('\0') != std::string::npos) refuse(path, "a line with a byte of 0");
    lines.push_back(line);
    if (!nrrd && exact_key(line) == "ElementDataFile") return lines;
  }
  if (text.size() == kMostHeader)
    refuse(path, fmt::format("it does not end in {} bytes", kMostHeader));
  return lines;
}

void require_dimensions(const Path& path, const TextHeader& header, const char* key) {
  const std::string text = header.value_of(key);
  const auto dims = parse_integer(text);
  if (!dims || *dims < 1 || *dims > kMostDimensions)
    refuse(path,
           fmt::format("{} is '{}', expected 1 to {}", key, text.substr(0, 40), kMostDimensions));
}

// MetaIO takes keys letter by letter, the last of two, and reads as many numbers for each as NDims says at that
// moment, over the end of the line too. What we look at must be what it will see.
void require_plain_meta(const Path& path, const TextHeader& header) {
  static const std::vector<std::string> looked_at = {
      "NDims", "DimSize", "BinaryData", "CompressedData", "CompressedDataSize", "ElementDataFile"};
  static const std::set<std::string> before_dims = {"objecttype", "objectsubtype", "comment",
                                                    "transformtype"};
  std::set<std::string> seen;
  for (const auto& line : header.lines) {
    const std::string key = exact_key(line), word = lower(key);
    if (trim(line).empty()) continue;
    if (key.empty()) refuse(path, fmt::format("'{}' is not 'key = value'", line.substr(0, 40)));
    for (const auto& name : looked_at)
      if (word == lower(name) && key != name)
        refuse(path, fmt::format("'{}' should be written '{}'", key, name));
    if (!seen.insert(word).second)
      refuse(path, fmt::format("'{}' appears twice", key.substr(0, 40)));
    if (word != "ndims" && !seen.contains("ndims") && !before_dims.contains(word))
      refuse(path, fmt::format("'{}' comes before NDims", key.substr(0, 40)));
  }
}

// Both libraries give a pattern of file names to printf, MetaIO divides by its step and counts back from a negative
// number of files. Whichever of two such lines they take.
void require_one_data_file(const Path& path, const TextHeader& header) {
  for (const auto& line : header.lines) {
    if (!names_data(line)) continue;
    const std::string name = lower(trim(line.substr(line.find_first_of(":=") + 1)));
    if (name.find('%') != std::string::npos || name.starts_with("list"))
      throw Error(fmt::format("'{}' has its voxels in several files, which is not supported",
                              path.string()))
          .hint("store it in one file, for example as .nii.gz");
  }
}

// ITK's NrrdIO is built without bzip2 and takes such a file for a truncated one.
void require_known_encoding(const Path& path, const TextHeader& header) {
  const std::string encoding = lower(header.value_of("encoding"));
  if (encoding == "bzip2" || encoding == "bz2")
    throw Error(fmt::format("'{}' is an NRRD file with the encoding bzip2, which is not supported",
                            path.string()))
        .hint("store it with the encoding gzip or raw");
}

}  // namespace

std::string TextHeader::data_file() const {
  for (const char* key : kDataKeys)
    if (std::string name = value_of(key); !name.empty()) return name;
  return "";
}

std::string TextHeader::value_of(const std::string& key) const {
  std::string value;
  for (const auto& line : lines)
    if (key_of(line) == key) value = trim(line.substr(line.find_first_of(":=") + 1));
  return value;
}

double claimed_bytes(const Path& path, const TextHeader& header) {
  const bool meta = header.value_of("sizes").empty();
  const std::string dims = header.value_of(meta ? "ndims" : "dimension");
  const std::string sizes = header.value_of(meta ? "dimsize" : "sizes");
  double bytes = 8;  // the largest number there is
  std::istringstream words(sizes);
  std::string word;
  int axes = 0;
  for (; words >> word; ++axes) {
    const auto size = parse_integer(word);
    if (!size || *size < 0) refuse(path, fmt::format("a size of '{}'", word.substr(0, 40)));
    bytes *= static_cast<double>(std::max(1LL, *size));  // no voxels: said later, with the axis
  }
  if (parse_integer(dims) != axes)
    refuse(path, fmt::format("{} dimensions and {} sizes", dims.substr(0, 40), axes));
  const std::string channels = header.value_of("elementnumberofchannels");
  if (!meta || channels.empty()) return bytes;
  const auto count = parse_integer(channels);
  if (!count || *count < 1) refuse(path, fmt::format("'{}' channels", channels.substr(0, 40)));
  return bytes * static_cast<double>(*count);
}

std::optional<TextHeader> read_text_header(const Path& path) {
  std::string text(kMostHeader, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
  const std::string extension = full_extension(path);
  const bool meta = extension == ".mha" || extension == ".mhd", nrrd = text.starts_with("NRRD");
  if (!meta && !nrrd) return std::nullopt;
  if (meta && nrrd) refuse(path, "it begins like NRRD, but its name is that of a MetaImage");
  // MetaIO takes nothing for its own that has no NDims: neither do we, and the caller says so.
  if (meta && lower(text).find("ndims") == std::string::npos) return std::nullopt;
  TextHeader header{header_lines(path, text, nrrd)};
  require_dimensions(path, header, nrrd ? "dimension" : "ndims");
  if (meta) require_plain_meta(path, header);
  if (nrrd) require_known_encoding(path, header);
  require_one_data_file(path, header);
  return header;
}

}  // namespace aladdin
