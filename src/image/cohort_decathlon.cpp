// Medical Segmentation Decathlon: dataset.json lists {"image": "imagesTr/a.nii.gz", "label": …}.
// nnU-Net: version 1 lists the same names but stores a_0000.nii.gz; version 2 lists nothing.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "aladdin/core/parse_json.h"
#include "aladdin/core/text.h"
#include "aladdin/image/cohort_source.h"

namespace aladdin {
namespace {

using Json = nlohmann::json;

struct Dataset {
  Path folder;
  Json json;
  int channel;
  bool channels = false;  // files end in _0000, _0001, …
};

std::string channel_tail(int channel) { return fmt::format("_{:04}", channel); }

// "case_0003" -> 3; nothing for names without a channel.
std::optional<int> channel_of(const std::string& stem) {
  if (stem.size() < 6 || stem[stem.size() - 5] != '_') return std::nullopt;
  const auto number = parse_integer(std::string_view(stem).substr(stem.size() - 4));
  return number && *number >= 0 ? std::optional<int>(static_cast<int>(*number)) : std::nullopt;
}

bool is_there(const Path& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

void add(const std::string& id, const Path& image, const Path& label, const char* split,
         Cohort& cohort) {
  Subject subject;
  subject.id = id;
  subject.image = image;
  if (!label.empty()) subject.label = label;
  subject.split = split;
  cohort.subjects.push_back(std::move(subject));
}

// One entry of "training" ({"image", "label"}) or "test" (a name).
void add_listed(Dataset& data, const Json& entry, const char* split, Cohort& cohort,
                Problems& problems) {
  const bool pair = entry.is_object() && entry.contains("image") && entry["image"].is_string();
  if (!pair && !entry.is_string()) {
    problems.add(
        "dataset.json: an entry of the {} images is {}, expected {{\"image\", \"label\"}} or a "
        "name",
        split, entry.dump().substr(0, 60));
    return;
  }
  const Path name = (pair ? entry["image"] : entry).get<std::string>();
  Path image = (data.folder / name).lexically_normal();
  const std::string id = stem_of(name);
  if (!is_there(image)) {
    const Path channel =
        image.parent_path() / (id + channel_tail(data.channel) + full_extension(image));
    if (is_there(channel)) {
      image = channel;
      data.channels = true;
    }
  }
  Path label;
  if (pair && entry.contains("label") && entry["label"].is_string())
    label = (data.folder / entry["label"].get<std::string>()).lexically_normal();
  add(id, image, label, split, cohort);
}

// The images of a folder that no list names.
void add_folder(Dataset& data, const char* images, const char* labels, const char* split,
                Cohort& cohort) {
  if (!is_folder(data.folder / images)) return;
  const auto entries = visible_entries(data.folder / images);
  const bool channels = std::any_of(entries.begin(), entries.end(), [](const Path& path) {
    return has_image_name(path) && channel_of(stem_of(path)) == 0;
  });
  data.channels |= channels;
  for (const auto& path : entries) {
    if (!has_image_name(path)) continue;
    std::string id = stem_of(path);
    if (channels) {
      if (channel_of(id) != data.channel) continue;
      id.resize(id.size() - 5);
    }
    const Path label = data.folder / labels / (id + full_extension(path));
    // Training images have a label each, missing or not; test images where somebody has put one.
    add(id, path, std::string_view(split) == "train" || is_there(label) ? label : Path(), split,
        cohort);
  }
}

// {"1": "Anterior"} or, in nnU-Net version 2, {"Anterior": 1}; all else is passed over.
void read_label_names(const Json& json, Cohort& cohort) {
  if (!json.contains("labels") || !json["labels"].is_object()) return;
  for (const auto& [key, value] : json["labels"].items()) {
    if (value.is_string()) {
      if (const auto label = parse_integer(key))
        cohort.label_names[static_cast<int>(*label)] = value;
    } else if (value.is_number_integer()) {
      cohort.label_names[value.get<int>()] = key;
    }
  }
}

void note_channels(const Dataset& data, Cohort& cohort) {
  for (const char* key : {"channel_names", "modality"}) {
    if (!data.json.contains(key) || !data.json[key].is_object() || data.json[key].size() < 2)
      continue;
    cohort.notes.push_back(fmt::format("the images have {} channels ({}); only channel {} is used",
                                       data.json[key].size(), data.json[key].dump(), data.channel));
    return;
  }
}

}  // namespace

bool is_decathlon(const Path& folder) { return is_there(folder / "dataset.json"); }

void read_decathlon_source(const Path& folder, const CohortOptions& options, Cohort& cohort,
                           Problems& problems) {
  Dataset data{folder, {}, options.channel};
  const Path file = folder / "dataset.json";
  const std::string text = read_text(file);
  try {
    data.json = parse_json<Json>(text);
  } catch (const Json::parse_error& error) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, text.size()));
    throw Error(fmt::format("'{}' is not valid JSON, line {}", file.string(),
                            1 + std::count(text.begin(), end, '\n')))
        .hint("is it cut short, or is a comma or a quote missing?");
  } catch (const Json::exception&) {
    fail("'{}' holds a number that is too large", file.string());
  }
  if (!data.json.is_object()) fail("'{}' is not a JSON object", file.string());
  const auto listed = [&](const char* key) {
    return data.json.contains(key) && data.json[key].is_array() && !data.json[key].empty();
  };
  if (listed("training")) {
    for (const auto& entry : data.json["training"])
      add_listed(data, entry, "train", cohort, problems);
  } else {
    add_folder(data, "imagesTr", "labelsTr", "train", cohort);
  }
  if (listed("test")) {
    for (const auto& entry : data.json["test"]) add_listed(data, entry, "test", cohort, problems);
  } else {
    add_folder(data, "imagesTs", "labelsTs", "test", cohort);
  }
  if (cohort.subjects.empty() && !is_there(folder / "imagesTr"))
    fail("'{}' has a dataset.json but no folder imagesTr", folder.string());
  cohort.kind = data.channels ? "nnU-Net" : "Decathlon";
  if (cohort.subjects.empty() && data.channel > 0)
    fail("'{}' has no images of channel {}", folder.string(), data.channel);
  read_label_names(data.json, cohort);
  note_channels(data, cohort);
}

}  // namespace aladdin
