#include "aladdin/train/velocity_store.h"

#include <algorithm>

#include "aladdin/core/error.h"
#include "aladdin/core/log.h"
#include "aladdin/method/tensor_file.h"

namespace aladdin {
namespace {

constexpr const char* kVersion = "1";
constexpr const char* kTensor = "velocity";
constexpr std::uint64_t kMostHeader = 4096;

std::map<std::string, std::string> describe(const std::string& origin,
                                            const VelocityStore::Key& key) {
  return {{"format", "aladdin velocity"}, {"version", kVersion}, {"origin", origin},
          {"round", key.round},           {"given", key.given},  {"of", key.of}};
}

bool is_finite(const at::Tensor& tensor) { return at::isfinite(tensor).all().item<bool>(); }

}  // namespace

VelocityStore::VelocityStore(Path folder, std::string origin, std::vector<int64_t> sizes)
    : folder_(std::move(folder)), origin_(std::move(origin)), sizes_(std::move(sizes)) {}

Path VelocityStore::path_of(const Key& key) const {
  return folder_ / fmt::format("{}-{}-{}.safetensors", origin_, key.round, key.of);
}

std::optional<at::Tensor> VelocityStore::find(const Key& key) const {
  const Path path = path_of(key);
  std::error_code missing;
  const std::uint64_t bytes = std::filesystem::file_size(path, missing);
  if (missing) return std::nullopt;
  try {
    const auto needed = static_cast<std::uint64_t>(c10::multiply_integers(sizes_)) * sizeof(float);
    if (bytes < needed || bytes > needed + kMostHeader)
      fail("'{}' has {} bytes, its velocity needs {}", path.string(), bytes, needed);
    const Safetensors file(path);
    auto notes = file.metadata;
    if (notes.erase("checksum") == 0) fail("'{}' has no checksum", path.string());
    if (notes != describe(origin_, key)) {
      log::detail("'{}' belongs to another training", path.string());
      return std::nullopt;
    }
    const at::Tensor found = at::tensor(file.values<float>(kTensor, sizes_)).view(sizes_);
    if (!is_finite(found)) fail("'{}' has values that are not finite", path.string());
    return found;
  } catch (const Error& error) {
    log::warn("{}; registering the subject again", error.what());
    return std::nullopt;
  }
}

bool VelocityStore::put(const Key& key, const at::Tensor& velocity) const {
  if (velocity.sizes() != at::IntArrayRef(sizes_)) fail("the velocities have different sizes");
  if (!is_finite(velocity)) return false;
  Safetensors file;
  file.metadata = describe(origin_, key);
  add_tensor(file, kTensor, velocity);
  file.write(path_of(key));
  return true;
}

void VelocityStore::remove(const Key& key) const {
  std::error_code ignored;
  std::filesystem::remove(path_of(key), ignored);
}

bool VelocityStore::is_own(const Path& path) const {
  return path.filename().string().starts_with(origin_ + "-");
}

std::int64_t VelocityStore::count() const {
  std::error_code ignored;
  const std::filesystem::directory_iterator files(folder_, ignored);
  return std::count_if(begin(files), end(files), [&](const auto& file) { return is_own(file); });
}

void VelocityStore::remove_other_origins() const {
  std::error_code ignored;
  for (const auto& file : std::filesystem::directory_iterator(folder_, ignored))
    if (!is_own(file)) std::filesystem::remove(file, ignored);
}

}  // namespace aladdin
