// `aladdin segment` in memory: the labels of a new image, from the atlas of a run.
//
// The shares of the labels in the atlas are carried to the image (evaluate/label_fusion.h), or, as a bridge, the label
// maps of the run's training subjects, each vote weighted by how much the subject's image looks like the new one nearby.
#pragma once

#include <functional>

#include "aladdin/evaluate/label_fusion.h"
#include "aladdin/evaluate/source.h"
#include "aladdin/network/registrar.h"
#include "aladdin/run/run_directory.h"

namespace aladdin {

struct Segmentation {
  Labels labels;  // on the image's grid
  // One volume for each label of the table, one after the other; empty unless asked for.
  std::vector<float> probabilities;
  std::vector<double> volumes;  // of each label of the table: mm3, in 2-D mm2
};

class Segmenter {
 public:
  // Throws where the run has no labels, or, as a bridge, where the images and labels of its training subjects are not
  // there.
  Segmenter(const Path& run, bool bridge);

  // Registrar::require_refinable.
  void require_refinable(std::optional<int> refine) const { registrar_.require_refinable(refine); }
  // The labels that there are; [0] is 0, the background.
  const std::vector<std::int32_t>& table() const { return table_; }
  // Of the volumes, from table()[1] on; `more` adds to the names that the cohort had. A name that two labels have has the
  // label behind it.
  std::vector<std::string> columns(const LabelNames& more = {}) const;
  // How often `step` of label_image() is called.
  std::int64_t steps() const {
    return bridge_ ? static_cast<std::int64_t>(source_.subjects.size()) + 1 : 1;
  }

  Segmentation label_image(
      const Image& image, const Labels* mask = nullptr, const std::string& name = "image",
      std::optional<int> refine = {}, bool probabilities = false,
      const std::function<void()>& step = [] {});

 private:
  int count() const { return static_cast<int>(table_.size()); }
  void add_subject(const evaluate::SourceSubject& subject, const Image& image, Chain chain,
                   evaluate::LabelFusion& fusion) const;

  RunDirectory run_;
  bool bridge_;
  std::vector<std::int32_t> table_;
  Registrar registrar_;
  std::optional<evaluate::AtlasShares> shares_;
  evaluate::Source source_;
};

}  // namespace aladdin
