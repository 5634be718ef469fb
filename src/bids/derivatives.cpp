#include "aladdin/bids/derivatives.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "aladdin/core/error.h"
#include "aladdin/core/sha256.h"
#include "aladdin/core/text.h"
#include "aladdin/run/run_record.h"
#include "aladdin/transform/transform_file.h"

namespace aladdin {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kDescription = "dataset_description.json";
constexpr const char* kGenerator = "Aladdin";
constexpr const char* kBidsVersion = "1.11.1";  // the first with templates, tpl-*, is 1.11
constexpr const char* kReadme =
    "An atlas and the registrations to it, built by 'aladdin build --bids'.\n\n"
    "tpl-*/ holds the atlas, sub-*/ the transforms of every image. The same files, with the model that\n"
    "registers new images, are a run directory of Aladdin: atlas.nii.gz, model.safetensors, transforms/,\n"
    "run.json and others, which .bidsignore lists.\n\n"
    "A transform maps points (LPS, mm) of the space behind 'to' into the space behind 'from', and resamples\n"
    "images from 'from' to 'to', as in ITK and ANTs.\n";

struct Image {
  std::string id;      // sub-X[_ses-Y][_…]
  std::string suffix;  // T1w
  Path file;
  std::string source;  // its BIDS URI
  bool trains = true;

  // sub-X[/ses-Y]/anat
  Path folder() const {
    Path out;
    for (const auto& entity : split(id, '_'))
      if (entity.starts_with("sub-") || entity.starts_with("ses-")) out /= entity;
    return out / "anat";
  }
};

class Derivatives {
 public:
  Derivatives(const RunDirectory& run, std::string label)
      : run_(run), label_(std::move(label)), record_(read_finished_record(run)) {
    root_ = record_.cohort.source;
    root_ = std::filesystem::absolute(root_).lexically_normal();
    if (!root_.has_filename()) root_ = root_.parent_path();
    for (const SubjectRecord& subject : record_.subjects) images_.push_back(image_of(subject));
  }

  void write() {
    write_template();
    for (const Image& image : images_) write_image_files(image);
    write_text(run_.folder / "README", kReadme);
    write_text(run_.folder / ".bidsignore", ignored());
    write_json(run_.folder / kDescription, description());
  }

 private:
  Image image_of(const SubjectRecord& subject) const {
    Image image;
    image.id = subject.id;
    image.file = subject.image;
    const std::string stem = stem_of(image.file);
    image.suffix = stem.substr(stem.rfind('_') + 1);
    image.source = "bids:raw:" + image.file.lexically_relative(root_).generic_string();
    image.trains = subject.is_for_training();
    return image;
  }

  static void write_json(const Path& path, const Json& json) {
    write_text(path, json.dump(2) + "\n");
  }

  // A hard link beside the name, then renamed: the name is never without a file.
  static void link(const Path& from, const Path& to) {
    make_folder(to.parent_path());
    AtomicFile file(to);
    std::error_code failed;
    std::filesystem::remove(file.path(), failed);
    std::filesystem::create_hard_link(from, file.path(), failed);
    if (failed) {
      failed.clear();
      std::filesystem::copy_file(from, file.path(), failed);
    }
    if (failed)
      throw Error(fmt::format("cannot write '{}': {}", to.string(), failed.message())).of_output();
    file.commit();
  }

  static Path sidecar(const Path& image) {
    return image.parent_path() / (stem_of(image) + ".json");
  }

  std::string suffix() const { return images_.empty() ? "T1w" : images_.front().suffix; }
  std::string tpl() const { return "tpl-" + label_; }
  std::string template_uri() const {
    return fmt::format("bids::{0}/{0}_{1}.nii.gz", tpl(), suffix());
  }
  Json settings() const { return {{"File", "bids::config.toml"}, {"Hash", record_.settings}}; }
  std::string name_of(int label) const {
    if (label == 0) return "background";
    const LabelNames& names = record_.cohort.label_names;
    const auto found = names.find(label);
    return found != names.end() ? found->second : fmt::format("label{}", label);
  }

  void write_template() {
    const Path folder = run_.folder / tpl();
    Json sources = Json::array();
    for (const Image& image : images_)
      if (image.trains) sources.push_back(image.source);
    const auto add = [&](const Path& from, const std::string& end, Json sidecar_json) {
      std::error_code ignored;
      if (!std::filesystem::exists(from, ignored)) return;
      const Path to = folder / (tpl() + "_" + end);
      link(from, to);
      sidecar_json["Sources"] = sources;
      sidecar_json["SpatialReference"] = template_uri();
      sidecar_json["Settings"] = settings();
      write_json(sidecar(to), sidecar_json);
    };
    const bool stripped =
        std::ranges::all_of(images_, [](const Image& one) { return is_skull_stripped(one.file); });
    add(run_.atlas(), suffix() + ".nii.gz",
        {{"Description", "The atlas: the mean of the registered images, intensities 0 to 1"},
         {"SkullStripped", stripped}});
    add(run_.atlas_variability(), "desc-variability_" + suffix() + ".nii.gz",
        {{"Description", "Standard deviation of the registered images"},
         {"SkullStripped", stripped}});
    add(run_.atlas_labels(), "dseg.nii.gz",
        {{"Description", "The most frequent label of the registered label maps"},
         {"Manual", false}});
    std::string table = "index\tname\n";
    Json map = Json::array();
    if (record_.results)
      for (const std::int32_t label : record_.results->labels) {
        table += fmt::format("{}\t{}\n", label, name_of(label));
        map.push_back(name_of(label));
      }
    add(run_.atlas_probabilities(), "probseg.nii.gz",
        {{"Description", "The share of registered label maps with each label"}, {"LabelMap", map}});
    if (std::filesystem::exists(run_.atlas_labels()))
      write_text(folder / (tpl() + "_dseg.tsv"), table);
  }

  void write_image_files(const Image& image) {
    const Path folder = run_.folder / image.folder();
    const Json checksums{{image.source, "sha256:" + sha256_of_file(file_of(image.file))}};
    const auto add = [&](const Path& from, const std::string& end, const char* what,
                         const std::string& reference, bool is_image = false) {
      const Path to = folder / (image.id + "_" + end + ".nii.gz");
      link(from, to);
      Json json{{"Description", what},
                {"Sources", {image.source, template_uri()}},
                {"SourceChecksums", checksums},
                {"SpatialReference", reference},
                {"Settings", settings()}};
      if (is_image) json["SkullStripped"] = is_skull_stripped(image.file);
      write_json(sidecar(to), json);
    };
    const auto xfm = [&](const std::string& from, const std::string& to) {
      return fmt::format("from-{}_to-{}_mode-image_xfm", from, to);
    };
    add(run_.transforms() / native_to_atlas_name(image.id), xfm(image.suffix, label_),
        "Displacement field (mm, LPS, as ITK and ANTs read it) that resamples the image onto the atlas",
        template_uri());
    add(run_.transforms() / atlas_to_native_name(image.id), xfm(label_, image.suffix),
        "Displacement field (mm, LPS, as ITK and ANTs read it) that resamples the atlas onto the image",
        image.source);
    const Path warped = run_.warped() / (image.id + ".nii.gz");
    if (std::filesystem::exists(warped))
      add(warped, fmt::format("space-{}_{}", label_, image.suffix), "The image on the atlas grid",
          template_uri(), true);
  }

  // "func.nii.gz,12" is a volume of a file.
  static Path file_of(const Path& image) {
    std::error_code ignored;
    if (std::filesystem::exists(image, ignored)) return image;
    const std::string name = image.string();
    return name.substr(0, name.rfind(','));
  }

  // As the sidecar of the image says; false where there is none, as for an image of a whole head.
  static bool is_skull_stripped(const Path& image) {
    std::error_code ignored;
    const Path beside = sidecar(file_of(image));
    if (!std::filesystem::exists(beside, ignored)) return false;
    const Json json = Json::parse(read_text(beside), nullptr, false);
    return json.is_object() && json.contains("SkullStripped") && json["SkullStripped"] == true;
  }

  Json generator() const {
    const auto version = record_.versions.find("aladdin");
    return {{"Name", kGenerator},
            {"Version", version == record_.versions.end() ? "" : version->second},
            {"Description", record_.command}};
  }

  Json description() const {
    const std::string raw = root_.lexically_relative(run_folder()).generic_string();
    return {{"Name", fmt::format("Atlas '{}' and registrations to it", label_)},
            {"BIDSVersion", kBidsVersion},
            {"DatasetType", "derivative"},
            {"GeneratedBy", Json::array({generator()})},
            {"DatasetLinks", {{"raw", raw}}}};
  }
  Path run_folder() const {
    const Path folder = std::filesystem::absolute(run_.folder).lexically_normal();
    return folder.has_filename() ? folder : folder.parent_path();
  }

  // The run directory's own files. Folders twice: validators differ in what they take for one.
  std::string ignored() const {
    std::set<std::string> names;
    std::error_code problem;
    for (const auto& entry : std::filesystem::directory_iterator(run_.folder, problem)) {
      const std::string name = entry.path().filename().string();
      if (name == kDescription || name == "README" || name.starts_with("sub-") ||
          name.starts_with("tpl-") || name.starts_with('.'))
        continue;
      names.insert(name);
      if (entry.is_directory()) names.insert(name + "/**");
    }
    // Transforms have names of an extension that is not in the standard yet (BEP 14).
    names.insert({"report.html", "log.txt", ".lock", "*_xfm.*"});
    return fmt::format("{}\n", fmt::join(names, "\n"));
  }

  const RunDirectory& run_;
  std::string label_;
  RunRecord record_;
  Path root_;
  std::vector<Image> images_;
};

}  // namespace

void require_bids_label(const std::string& label) {
  const bool good = !label.empty() && std::ranges::all_of(label, [](unsigned char letter) {
    return letter < 128 && std::isalnum(letter);
  });
  if (!good) fail_usage("'{}' is not a label of BIDS, expected letters and digits only", label);
}

void require_bids_run(const RunDirectory& run) {
  if (read_record(run).cohort.kind != "BIDS")
    fail("'{}' was not built from a BIDS tree", run.folder.string());
}

void write_bids(const RunDirectory& run, const std::string& label) {
  require_bids_label(label);
  require_bids_run(run);
  remove_bids(run);
  Derivatives(run, label).write();
}

void remove_bids(const RunDirectory& run) {
  std::error_code problem;
  const Path description = run.folder / kDescription;
  if (!std::filesystem::exists(description, problem)) return;
  const Json json = Json::parse(read_text(description), nullptr, false);
  if (!json.is_object() || !json.contains("GeneratedBy") ||
      json["GeneratedBy"].dump().find(kGenerator) == std::string::npos)
    fail("'{}' describes a dataset of another program", description.string());
  std::vector<Path> made{description, run.folder / "README", run.folder / ".bidsignore"};
  for (const auto& entry : std::filesystem::directory_iterator(run.folder, problem)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("sub-") || name.starts_with("tpl-")) made.push_back(entry.path());
  }
  for (const Path& path : made) {
    std::filesystem::remove_all(path, problem);
    if (problem) fail("'{}' cannot be removed: {}", path.string(), problem.message());
  }
}

}  // namespace aladdin
