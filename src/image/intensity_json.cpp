#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "aladdin/core/error.h"
#include "aladdin/core/parse_json.h"
#include "aladdin/core/text.h"
#include "aladdin/image/intensity.h"

namespace aladdin {
namespace {

using Json = nlohmann::ordered_json;
using Keys = std::array<const char*, 2>;

constexpr Keys kRule{"low_percent", "high_percent"}, kMap{"low", "high"};

// The two numbers of an object that has these two keys and no others.
std::array<double, 2> parse_pair(const std::string& text, const Keys& keys, const char* what) {
  Json json;
  try {
    json = parse_json<Json>(text);
  } catch (const Json::exception&) {  // said below
  }
  if (!json.is_object())
    fail("the {} is not a JSON object, expected {{\"{}\": …, \"{}\": …}}", what, keys[0], keys[1]);
  for (const auto& [key, value] : json.items())
    if (key != keys[0] && key != keys[1])
      throw Error(fmt::format("the {} has an unknown key '{}'", what, key))
          .hint(did_you_mean(key, {keys[0], keys[1]}));
  std::array<double, 2> out{};
  for (int n = 0; n < 2; ++n) {
    if (!json.contains(keys[n])) fail("the {} has no '{}'", what, keys[n]);
    if (!json[keys[n]].is_number())
      fail("'{}' of the {} is {}, expected a number", keys[n], what, json[keys[n]].dump());
    out[n] = json[keys[n]].get<double>();
  }
  return out;
}

}  // namespace

std::string to_json(const IntensityRule& rule) {
  rule.validate();
  return Json{{kRule[0], rule.low_percent}, {kRule[1], rule.high_percent}}.dump();
}

std::string to_json(const IntensityMap& map) {
  map.validate();
  return Json{{kMap[0], map.low}, {kMap[1], map.high}}.dump();
}

IntensityRule parse_intensity_rule(const std::string& json) {
  const auto [low, high] = parse_pair(json, kRule, "intensity rule");
  const IntensityRule rule{low, high};
  rule.validate();
  return rule;
}

IntensityMap parse_intensity_map(const std::string& json) {
  const auto [low, high] = parse_pair(json, kMap, "intensity map");
  const IntensityMap map{static_cast<float>(low), static_cast<float>(high)};
  map.validate();
  return map;
}

}  // namespace aladdin
