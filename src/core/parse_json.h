// JSON of others. nlohmann's library reads any depth, but copies and prints by calling itself: ten thousand
// brackets in a file would end the program.
#pragma once

#include <nlohmann/json.hpp>

namespace aladdin {

// Throws nlohmann's exceptions, also on what is nested deeper than any file of ours.
template <class Json>
Json parse_json(const std::string& text) {
  constexpr int kDeepest = 64;
  return Json::parse(text, [](int depth, typename Json::parse_event_t, Json&) {
    if (depth > kDeepest)
      throw Json::parse_error::create(101, std::size_t{0}, "nested too deeply", nullptr);
    return true;
  });
}

}  // namespace aladdin
