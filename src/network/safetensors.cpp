#include "aladdin/network/safetensors.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "aladdin/core/checksum.h"
#include "aladdin/core/error.h"
#include "aladdin/core/parse_json.h"
#include "aladdin/core/text.h"

namespace aladdin {
namespace {

using Json = nlohmann::ordered_json;
using Shape = std::vector<std::int64_t>;

constexpr std::size_t kPrefix = 8;
constexpr std::uint64_t kMostHeader = 100'000'000;  // as the safetensors library
constexpr const char* kMetadata = "__metadata__";
constexpr const char* kChecksum = "checksum";               // of the data
constexpr const char* kHeaderChecksum = "header_checksum";  // of all else

std::string dump(const Json& header) {
  return header.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// The checksum of the header without the checksum itself.
std::string checksum_of(Json header) {
  header[kMetadata].erase(kHeaderChecksum);
  return hex_checksum(dump(header));
}

Dtype parse_dtype(const std::string& name) {
  for (const Dtype dtype : {Dtype::f32, Dtype::f64, Dtype::i64, Dtype::u8})
    if (name_of(dtype) == name) return dtype;
  fail("its type '{}' is not F32, F64, I64 or U8", one_line(name));
}

// Throws where a hostile shape would wrap around.
std::size_t bytes_needed(const Shape& shape, Dtype dtype) {
  std::size_t bytes = bytes_of(dtype);
  for (const auto length : shape) {
    if (length < 0) fail("its shape has a negative entry");
    const auto factor = static_cast<std::size_t>(length);
    if (factor != 0 && bytes > std::numeric_limits<std::size_t>::max() / factor)
      fail("its shape is larger than any memory");
    bytes *= factor;
  }
  return bytes;
}

std::vector<std::int64_t> whole_numbers(const Json& json, const char* what) {
  if (!json.is_array()) fail("its {} is not a list", what);
  std::vector<std::int64_t> out;
  for (const auto& entry : json) {
    // Beyond int64 there is nothing that a file could hold.
    if (!entry.is_number_integer() || entry.get<double>() > 9e18)
      fail("its {} has an entry that is not a whole number", what);
    out.push_back(entry.get<std::int64_t>());
  }
  return out;
}

Safetensors::Entry parse_entry(const Json& json, std::size_t data_bytes) {
  if (!json.is_object() || !json.contains("dtype") || !json["dtype"].is_string() ||
      !json.contains("shape") || !json.contains("data_offsets"))
    fail("it has no 'dtype', 'shape' and 'data_offsets'");
  Safetensors::Entry entry;
  entry.dtype = parse_dtype(json["dtype"].get<std::string>());
  entry.shape = whole_numbers(json["shape"], "shape");
  const auto offsets = whole_numbers(json["data_offsets"], "data_offsets");
  if (offsets.size() != 2 || offsets[0] < 0 || offsets[1] < offsets[0] ||
      static_cast<std::size_t>(offsets[1]) > data_bytes)
    fail("its data_offsets are not within the {} bytes of data", data_bytes);
  entry.begin = static_cast<std::size_t>(offsets[0]);
  entry.bytes = static_cast<std::size_t>(offsets[1] - offsets[0]);
  if (bytes_needed(entry.shape, entry.dtype) != entry.bytes)
    fail("it has {} bytes, its shape and type need {}", entry.bytes,
         bytes_needed(entry.shape, entry.dtype));
  return entry;
}

std::string list(const Shape& shape) { return fmt::format("({})", fmt::join(shape, ", ")); }

}  // namespace

std::string name_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::f32:
      return "F32";
    case Dtype::f64:
      return "F64";
    case Dtype::i64:
      return "I64";
    case Dtype::u8:
      return "U8";
  }
  return "";
}

std::size_t bytes_of(Dtype dtype) { return dtype == Dtype::u8 ? 1 : dtype == Dtype::f32 ? 4 : 8; }

Safetensors::Safetensors(const Path& path) : source_(path) {
  const std::uint64_t bytes = file_bytes(path);
  std::ifstream stream(path, std::ios::binary);
  if (!stream) fail("cannot read '{}': {}", path.string(), std::strerror(errno));
  const auto read = [&](std::uint64_t count) {
    std::string part(count, '\0');
    if (!stream.read(part.data(), static_cast<std::streamsize>(count)))
      fail("it cannot be read to its end");
    return part;
  };
  try {
    std::uint64_t length = 0;
    if (bytes < kPrefix) fail("it has {} bytes, expected at least 8", bytes);
    std::memcpy(&length, read(kPrefix).data(), kPrefix);
    if (length > kMostHeader || length > bytes - kPrefix)
      fail("its header would have {} bytes; the file is truncated or of another kind", length);
    const std::uint64_t data_bytes = bytes - kPrefix - length;
    parse(read(length), data_bytes);
    data_ = read(data_bytes);
    const auto sum = metadata.find(kChecksum);
    if (sum != metadata.end() && sum->second != digest()) fail("its checksum is wrong");
  } catch (Error& error) {
    throw error.within(fmt::format("'{}' is damaged or not a safetensors file", path.string()));
  }
}

void Safetensors::parse(const std::string& text, std::size_t data_bytes) {
  Json json;
  try {
    json = parse_json<Json>(text);
  } catch (const Json::exception&) {  // said below
  }
  if (!json.is_object()) fail("its header is not JSON");
  const auto notes = json.find(kMetadata);
  // Files of others, and our first ones, have none.
  if (notes != json.end() && notes->is_object() && notes->contains(kHeaderChecksum) &&
      notes->at(kHeaderChecksum) != checksum_of(json))
    fail("the checksum of its header is wrong");
  for (const auto& [name, value] : json.items()) {
    if (name == kMetadata) {
      if (!value.is_object()) fail("its metadata are not a JSON object");
      for (const auto& [key, entry] : value.items()) {
        if (!entry.is_string()) fail("its metadata '{}' are not text", one_line(key));
        if (key != kHeaderChecksum) metadata[key] = entry.get<std::string>();
      }
      continue;
    }
    try {
      entries_[name] = parse_entry(value, data_bytes);
    } catch (Error& error) {
      throw error.within(fmt::format("tensor '{}'", one_line(name)));
    }
  }
  std::vector<const Entry*> order;
  for (const auto& [name, entry] : entries_) order.push_back(&entry);
  std::sort(order.begin(), order.end(), [](const Entry* a, const Entry* b) {
    return std::pair(a->begin, a->bytes) < std::pair(b->begin, b->bytes);
  });
  std::size_t end = 0;
  for (const Entry* entry : order) {
    if (entry->begin != end) fail("its tensors overlap or leave gaps");
    end += entry->bytes;
  }
  if (end != data_bytes) fail("it has {} bytes of data, its tensors have {}", data_bytes, end);
}

void Safetensors::write(const Path& path) const {
  // Those of eight bytes first, so that every tensor is aligned.
  std::vector<std::pair<std::string, Entry>> order(entries_.begin(), entries_.end());
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return bytes_of(a.second.dtype) > bytes_of(b.second.dtype);
  });
  std::string data;
  data.reserve(data_.size());
  Json tensors = Json::object();
  for (const auto& [name, entry] : order) {
    tensors[name] = {{"dtype", name_of(entry.dtype)},
                     {"shape", entry.shape},
                     {"data_offsets", {data.size(), data.size() + entry.bytes}}};
    data.append(data_, entry.begin, entry.bytes);
  }
  auto notes = metadata;
  notes.erase(kHeaderChecksum);
  notes[kChecksum] = hex_checksum(data);
  Json header{{kMetadata, notes}};
  header.update(tensors);
  header[kMetadata][kHeaderChecksum] = checksum_of(header);
  std::string text = dump(header);
  text.resize((text.size() + 7) / 8 * 8, ' ');
  const std::uint64_t length = text.size();
  std::string file(kPrefix, '\0');
  std::memcpy(file.data(), &length, kPrefix);
  write_text(path, file + text + data);
}

void Safetensors::add_bytes(const std::string& name, Dtype dtype, const Shape& shape,
                            const std::byte* bytes) {
  if (name == kMetadata || entries_.count(name)) fail("there are two tensors '{}'", name);
  const std::size_t count = bytes_needed(shape, dtype);
  entries_[name] = {dtype, shape, data_.size(), count};
  if (count > 0) data_.append(reinterpret_cast<const char*>(bytes), count);
}

const Safetensors::Entry& Safetensors::find(const std::string& name, Dtype dtype,
                                            const Shape& shape) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) fail("'{}' has no tensor '{}'", source_.string(), name);
  const Entry& entry = found->second;
  if (entry.dtype != dtype || entry.shape != shape)
    fail("the tensor '{}' of '{}' is {} {}, expected {} {}", name, source_.string(),
         name_of(entry.dtype), list(entry.shape), name_of(dtype), list(shape));
  return entry;
}

void Safetensors::copy_bytes(const Entry& entry, std::byte* out) const {
  if (entry.bytes > 0) std::memcpy(out, data_.data() + entry.begin, entry.bytes);
}

std::string Safetensors::digest() const { return hex_checksum(data_); }

const std::string& Safetensors::text(const std::string& key) const {
  const auto found = metadata.find(key);
  if (found == metadata.end()) fail("'{}' has no '{}' in its metadata", source_.string(), key);
  return found->second;
}

}  // namespace aladdin
