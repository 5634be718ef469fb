#include <fmt/format.h>

#include <algorithm>

#include "aladdin/core/text.h"
#include "aladdin/report/run_data.h"
#include "aladdin/report/slices.h"

namespace aladdin::report {
namespace {

constexpr std::string_view kStem = "epoch_";
constexpr int kPanel_px = 160;

std::uint32_t big_endian(const std::uint8_t* bytes) {
  return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 |
         std::uint32_t{bytes[2]} << 8 | std::uint32_t{bytes[3]};
}

// Nothing if it is no PNG: somebody else's file is left alone.
std::optional<AtlasPicture> read_picture(const Path& path, std::int64_t epoch) {
  const std::string text = read_text(path);
  if (text.size() < 33 || text.compare(1, 3, "PNG") != 0) return std::nullopt;
  AtlasPicture picture;
  picture.epoch = epoch;
  picture.png.assign(text.begin(), text.end());
  picture.width = static_cast<int>(big_endian(picture.png.data() + 16));
  picture.height = static_cast<int>(big_endian(picture.png.data() + 20));
  return picture;
}

Path picture_path(const RunDirectory& run, std::int64_t epoch) {
  return run.evolution() / fmt::format("{}{:06}.png", kStem, epoch);
}

}  // namespace

bool has_atlas_picture(const RunDirectory& run, std::int64_t epoch) {
  std::error_code ignored;
  return std::filesystem::exists(picture_path(run, epoch), ignored);
}

void write_atlas_picture(const RunDirectory& run, std::int64_t epoch, const Image& atlas) {
  SliceOptions options;
  options.panel_px = kPanel_px;
  options.captions = false;
  const Bytes bytes = encode_png(render_slices({{"", &atlas, nullptr}}, options));
  write_text(picture_path(run, epoch), {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

std::vector<AtlasPicture> read_atlas_pictures(const RunDirectory& run) {
  std::vector<AtlasPicture> pictures;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(run.evolution(), ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(kStem) || !name.ends_with(".png")) continue;
    const auto epoch = parse_integer(name.substr(kStem.size(), name.size() - kStem.size() - 4));
    if (!epoch || *epoch < 0) continue;
    if (auto picture = read_picture(entry.path(), *epoch)) pictures.push_back(std::move(*picture));
  }
  std::sort(pictures.begin(), pictures.end(),
            [](const auto& a, const auto& b) { return a.epoch < b.epoch; });
  return pictures;
}

}  // namespace aladdin::report
