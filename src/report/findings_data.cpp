#include "aladdin/report/findings_data.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "aladdin/core/error.h"
#include "aladdin/report/encode.h"
#include "aladdin/report/subject_view.h"

namespace aladdin::report {
namespace {

constexpr std::size_t kMostDataBytes = 24'000'000;
constexpr std::uint16_t kNoNumber = 65535;
constexpr double kTopCode = 65534;
constexpr float kSmallestP = 1e-20F;

struct NamedMap {
  const char* name;
  const std::vector<float>* values;
  bool is_p;
};

std::vector<NamedMap> maps_of(const stats::FoundMaps& maps) {
  std::vector<NamedMap> out;
  const auto add = [&](const char* name, const std::vector<float>& values, bool is_p = false) {
    if (!values.empty()) out.push_back({name, &values, is_p});
  };
  add("statistic", maps.statistic);
  add("effect", maps.effect);
  add("effect_low", maps.effect_low);
  add("effect_high", maps.effect_high);
  add("partial_r", maps.partial_r);
  add("tfce", maps.tfce);
  add("p", maps.p, true);
  add("p_permuted", maps.p_permuted, true);
  add("p_fdr", maps.p_fdr, true);
  add("p_fwe", maps.p_fwe, true);
  add("p_tfce", maps.p_tfce, true);
  return out;
}

void check(const stats::Findings& f) {
  const auto grid = static_cast<std::size_t>(f.atlas.grid.voxels());
  if (f.atlas.values.size() != grid)
    fail("the atlas of the findings has {} values for {} voxels", f.atlas.values.size(), grid);
  if (!f.labels.values.empty() && f.labels.values.size() != grid)
    fail("the labels of the findings have {} values for {} voxels", f.labels.values.size(), grid);
  std::int64_t before = -1;
  for (const std::int64_t voxel : f.voxels) {
    if (voxel <= before || voxel >= static_cast<std::int64_t>(grid))
      fail("the analysed voxels must ascend within the atlas grid, but {} follows {}", voxel,
           before);
    before = voxel;
  }
  for (const NamedMap& map : maps_of(f.maps))
    if (map.values->size() != f.voxels.size())
      fail("the map '{}' has {} values for {} analysed voxels", map.name, map.values->size(),
           f.voxels.size());
  if (!f.data.empty() && f.data.size() != f.voxels.size() * f.ids.size())
    fail("the data of the findings are {} values for {} voxels of {} subjects", f.data.size(),
         f.voxels.size(), f.ids.size());
  for (const std::size_t size : {f.groups.size(), f.tested.size()})
    if (size != 0 && size != f.ids.size())
      fail("what is tested has {} values for {} subjects", size, f.ids.size());
}

struct Quantised {
  double low = 0, high = 0;
  Bytes bytes;
};

Quantised quantise(const NamedMap& map) {
  const auto value = [&](std::size_t v) -> double {
    const float x = (*map.values)[v];
    return map.is_p && std::isfinite(x) ? std::log10(std::max(x, kSmallestP)) : x;
  };
  const std::size_t n = map.values->size();
  Quantised out;
  out.low = std::numeric_limits<double>::infinity();
  out.high = -out.low;
  for (std::size_t v = 0; v < n; ++v) {
    const double x = value(v);
    if (!std::isfinite(x)) continue;
    out.low = std::min(out.low, x);
    out.high = std::max(out.high, x);
  }
  if (out.low > out.high) out.low = out.high = 0;
  const double scale = out.high > out.low ? kTopCode / (out.high - out.low) : 0;
  out.bytes.resize(2 * n);
  for (std::size_t v = 0; v < n; ++v) {
    const double x = value(v);
    const auto code = std::isfinite(x)
                          ? static_cast<std::uint16_t>(std::lround((x - out.low) * scale))
                          : kNoNumber;
    out.bytes[v] = static_cast<std::uint8_t>(code >> 8);
    out.bytes[n + v] = static_cast<std::uint8_t>(code & 255);
  }
  return out;
}

void append(Bytes& out, float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  for (int shift = 0; shift < 32; shift += 8)
    out.push_back(static_cast<std::uint8_t>(bits >> shift & 255));
}

std::string data_volumes(const stats::Findings& f, Json& json) {
  const std::size_t subjects = f.ids.size();
  if (f.data.empty() || subjects == 0) return "";
  const std::vector<bool> kept = kept_voxels(f, kMostDataBytes);
  Bytes data, ranges, mask;
  for (std::size_t v = 0; v < f.voxels.size(); ++v) {
    mask.push_back(kept[v] ? 1 : 0);
    if (!kept[v]) continue;
    const float* values = f.data.data() + v * subjects;
    float low = std::numeric_limits<float>::infinity();
    float high = -low;
    for (std::size_t s = 0; s < subjects; ++s)
      if (std::isfinite(values[s])) {
        low = std::min(low, values[s]);
        high = std::max(high, values[s]);
      }
    if (low > high) low = high = 0;
    append(ranges, low);
    append(ranges, high);
    for (std::size_t s = 0; s < subjects; ++s)
      data.push_back(high > low ? to_byte((values[s] - low) / (high - low)) : 0);
  }
  std::string out = volume_script("data", gzip(data)) + volume_script("ranges", gzip(ranges));
  const bool all = std::find(kept.begin(), kept.end(), false) == kept.end();
  if (!all) out += volume_script("kept", gzip(mask));
  json["data"] = true;
  json["all_kept"] = all;
  return out;
}

std::string label_volume(const stats::Findings& f, Json& json) {
  json["labels"] = Json::array();
  if (f.labels.values.empty()) return "";
  std::map<std::int32_t, std::uint16_t> place;
  for (const std::int32_t label : f.labels.values)
    if (label != 0) place[label] = 0;
  if (place.size() > 65535)
    fail("the atlas has {} labels; a page holds at most 65535", place.size());
  std::uint16_t next = 0;
  for (auto& [label, at] : place) {
    at = ++next;
    const auto name = f.label_names.find(label);
    json["labels"].push_back(name != f.label_names.end() ? name->second
                                                         : fmt::format("label {}", label));
  }
  Bytes bytes;
  bytes.reserve(2 * f.labels.values.size());
  for (const std::int32_t label : f.labels.values) {
    const std::uint16_t at = label == 0 ? 0 : place[label];
    bytes.push_back(static_cast<std::uint8_t>(at & 255));
    bytes.push_back(static_cast<std::uint8_t>(at >> 8));
  }
  return volume_script("labels", gzip(bytes));
}

Json clusters_json(const stats::Findings& f) {
  Json out = Json::array();
  for (const auto& c : f.clusters) out.push_back({{"peak", c.peak_index}});
  return out;
}

Json structures_json(const stats::Findings& f) {
  Json out = Json::array();
  for (const auto& s : f.structures)
    out.push_back({{"name", s.name},
                   {"mean", s.mean},
                   {"statistic", s.statistic},
                   {"partial_r", s.partial_r},
                   {"effect", s.effect},
                   {"low", s.effect_low},
                   {"high", s.effect_high},
                   {"p", s.p},
                   {"p_fdr", s.p_fdr},
                   {"p_fwe", s.p_fwe}});
  return out;
}

}  // namespace

Correction correction_of(const stats::FoundMaps& maps) {
  if (!maps.p_tfce.empty()) return {"p_tfce", "family-wise by TFCE", &maps.p_tfce};
  if (!maps.p_fwe.empty()) return {"p_fwe", "family-wise by the maximum statistic", &maps.p_fwe};
  if (!maps.p_fdr.empty()) return {"p_fdr", "by the false discovery rate", &maps.p_fdr};
  if (!maps.p_permuted.empty())
    return {"p_permuted", "uncorrected, by permutation", &maps.p_permuted};
  return {"p", "uncorrected", &maps.p};
}

std::vector<bool> kept_voxels(const stats::Findings& f, std::size_t most_bytes) {
  const std::size_t n = f.voxels.size();
  const std::size_t each = f.ids.size() + 2 * sizeof(float);
  if (n * each <= most_bytes) return std::vector<bool>(n, true);
  const Size3 size = f.atlas.grid.size;
  const auto on_lattice = [&](std::size_t v, std::int64_t step) {
    const std::int64_t at = f.voxels[v];
    return at % size[0] % step == 0 && at / size[0] % size[1] % step == 0 &&
           at / (size[0] * size[1]) % step == 0;
  };
  const std::vector<float>& p = *correction_of(f.maps).p;
  const auto mark = [&](std::vector<bool>& kept, std::int64_t step, bool significant_only) {
    for (std::size_t v = 0; v < n; ++v)
      if (!kept[v] && on_lattice(v, step) &&
          (!significant_only || (!p.empty() && p[v] <= static_cast<float>(f.alpha))))
        kept[v] = true;
    return static_cast<std::size_t>(std::count(kept.begin(), kept.end(), true)) * each;
  };
  const std::int64_t coarsest = std::max({size[0], size[1], size[2]});
  std::vector<bool> peaks(n, false);
  for (const auto& cluster : f.clusters) {
    const auto& [i, j, k] = cluster.peak_index;
    const auto found =
        std::lower_bound(f.voxels.begin(), f.voxels.end(), f.atlas.grid.offset(i, j, k));
    if (found != f.voxels.end() && *found == f.atlas.grid.offset(i, j, k))
      peaks[static_cast<std::size_t>(found - f.voxels.begin())] = true;
  }
  std::vector<bool> kept = peaks;
  std::int64_t step = 1;
  while (mark(kept, step, true) > most_bytes / 4 * 3 && step < coarsest) {
    kept = peaks;
    ++step;
  }
  const std::vector<bool> clusters = kept;
  for (++step; mark(kept, step, false) > most_bytes && step < coarsest; ++step) kept = clusters;
  return kept;
}

std::string findings_data_html(const stats::Findings& f) {
  check(f);
  const Grid& grid = f.atlas.grid;
  Json json{{"statistic", f.statistic},
            {"dof_test", f.dof_test},
            {"dof_error", f.dof_error},
            {"alpha", f.alpha},
            {"correction", correction_of(f.maps).map},
            {"measure", f.measure},
            {"dims", grid.dims},
            {"size", grid.size},
            {"spacing", grid.spacing},
            {"origin", grid.origin},
            {"direction", grid.direction},
            {"voxels", f.voxels.size()},
            {"ids", f.ids},
            {"groups", f.groups},
            {"tested", f.tested},
            {"tested_name", f.tested_name},
            {"clusters", clusters_json(f)},
            {"structures", structures_json(f)},
            {"maps", Json::array()}};
  Bytes atlas, mask(static_cast<std::size_t>(grid.voxels()), 0);
  for (const float value : f.atlas.values) atlas.push_back(to_byte(value));
  for (const std::int64_t voxel : f.voxels) mask[static_cast<std::size_t>(voxel)] = 1;
  std::string volumes = volume_script("atlas", gzip(atlas)) + volume_script("mask", gzip(mask));
  volumes += label_volume(f, json);
  for (const NamedMap& map : maps_of(f.maps)) {
    const Quantised quantised = quantise(map);
    json["maps"].push_back(
        {{"name", map.name}, {"is_p", map.is_p}, {"low", quantised.low}, {"high", quantised.high}});
    volumes += volume_script(fmt::format("map-{}", map.name), gzip(quantised.bytes));
  }
  volumes += data_volumes(f, json);
  return fmt::format("<script type=\"application/json\" id=\"data\">{}</script>\n{}",
                     json_for_script(json), volumes);
}

}  // namespace aladdin::report
