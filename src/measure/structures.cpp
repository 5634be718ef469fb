#include "aladdin/measure/structures.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "aladdin/core/error.h"
#include "aladdin/image/io.h"
#include "aladdin/image/label_map.h"
#include "aladdin/measure/log_jacobian.h"
#include "aladdin/measure/mask.h"
#include "aladdin/measure/smooth.h"

namespace aladdin::measure {
namespace {

Displacement read_field(const evaluate::SourceSubject& subject, const Grid& atlas) {
  const Chain chain =
      subject.native_to_atlas ? subject.native_to_atlas() : inverse(subject.atlas_to_native());
  return to_displacement(chain, atlas);
}

struct Sums {
  double voxels = 0, determinants = 0, logs = 0;
};

}  // namespace

Measurer::Measurer(const evaluate::Source& source, MeasureOptions options,
                   std::vector<std::uint8_t> mask)
    : options_(std::move(options)), names_(source.label_names), mask_(std::move(mask)) {
  if (!(options_.smooth_mm >= 0 && std::isfinite(options_.smooth_mm)))
    fail_usage("a smoothing of {} mm, expected 0 or more", options_.smooth_mm);
  read_atlas(source);
  if (mask_.empty()) mask_ = atlas_mask(source);
  if (mask_.size() != atlas_.values.size())
    fail("the mask has {} voxels, the atlas has {}", mask_.size(), atlas_.values.size());
  find_structures();
}

void Measurer::read_atlas(const evaluate::Source& source) {
  if (!source.segmentation.empty()) labels_ = read_labels(source.segmentation);
  if (!source.atlas.empty()) {
    atlas_ = read_image(source.atlas);
    if (!labels_.values.empty() && !same_grid(labels_.grid, atlas_.grid))
      fail("the labels of the atlas '{}' are not on its grid: {}, expected {}",
           source.segmentation.string(), describe(labels_.grid), describe(atlas_.grid));
    return;
  }
  if (labels_.values.empty())
    fail("'{}' has neither an image nor labels of its atlas", source.name);
  atlas_ = Image(labels_.grid);
  for (std::size_t v = 0; v < labels_.values.size(); ++v) atlas_.values[v] = labels_.values[v] != 0;
}

void Measurer::find_structures() {
  if (labels_.values.empty()) {
    if (!options_.total.empty())
      fail_usage("the atlas has no labels, so the total cannot be that of label {}",
                 options_.total.front());
    structure_of_.assign(mask_.begin(), mask_.end());
    in_total_ = {0, 1};
    return;
  }
  for (const auto& [label, unused] : count_labels(labels_))
    if (label != 0) table_.push_back(label);
  in_total_.assign(table_.size() + 1, options_.total.empty());
  in_total_[0] = 0;
  const auto place = [&](std::int32_t label) {
    return static_cast<std::size_t>(std::lower_bound(table_.begin(), table_.end(), label) -
                                    table_.begin());
  };
  for (const std::int32_t label : options_.total) {
    const std::size_t k = place(label);
    if (k == table_.size() || table_[k] != label)
      fail_usage("the atlas has no label {}, so it cannot be part of the total", label);
    in_total_[k + 1] = 1;
  }
  structure_of_.resize(labels_.values.size());
  for (std::size_t v = 0; v < labels_.values.size(); ++v)
    structure_of_[v] =
        labels_.values[v] == 0 ? 0 : static_cast<std::uint32_t>(place(labels_.values[v]) + 1);
}

// By place in table_, then the total.
std::vector<double> Measurer::native_volumes(const evaluate::SourceSubject& subject) const {
  std::vector<double> volumes(table_.size() + 1, 0);
  if (subject.label.empty()) {
    std::fill(volumes.begin(), volumes.end(), std::numeric_limits<double>::quiet_NaN());
    return volumes;
  }
  const Labels native = read_labels(subject.label);
  if (native.grid.dims != atlas_.grid.dims)
    fail("its labels are {}-D, the atlas is {}-D", native.grid.dims, atlas_.grid.dims);
  for (const auto& [label, voxels] : count_labels(native)) {
    const double volume = double(voxels) * voxel_volume(native.grid);
    const auto found = std::lower_bound(table_.begin(), table_.end(), label);
    const bool known = found != table_.end() && *found == label;
    const auto k = static_cast<std::size_t>(found - table_.begin());
    if (known) volumes[k] = volume;
    if (table_.empty() ? label != 0 : known && in_total_[k + 1]) volumes.back() += volume;
  }
  return volumes;
}

std::vector<StructureSize> Measurer::sizes(const Image& absolute, double affine,
                                           const std::vector<double>& volumes) const {
  std::vector<Sums> sums(in_total_.size());
  for (std::size_t v = 0; v < structure_of_.size(); ++v) {
    if (structure_of_[v] == 0) continue;
    Sums& sum = sums[structure_of_[v]];
    ++sum.voxels;
    sum.determinants += std::exp(double(absolute.values[v]));
    sum.logs += absolute.values[v];
  }
  const auto size_of = [&](std::int32_t label, std::string name, double volume, const Sums& sum) {
    const double mean = sum.logs / sum.voxels;
    return StructureSize{label,  std::move(name),
                         volume, sum.determinants * voxel_volume(absolute.grid),
                         mean,   mean - affine};
  };
  std::vector<StructureSize> all;
  Sums total;
  for (std::size_t k = 1; k < sums.size(); ++k) {
    if (in_total_[k]) {
      total.voxels += sums[k].voxels;
      total.determinants += sums[k].determinants;
      total.logs += sums[k].logs;
    }
    if (table_.empty()) continue;
    const std::int32_t label = table_[k - 1];
    const auto name = names_.find(label);
    all.push_back(size_of(label,
                          name == names_.end() ? fmt::format("label {}", label) : name->second,
                          volumes[k - 1], sums[k]));
  }
  all.push_back(size_of(0, "total", volumes.back(), total));
  return all;
}

Measured Measurer::measure_read(const evaluate::SourceSubject& subject) const {
  const Displacement field = read_field(subject, atlas_.grid);
  Measured out;
  SubjectMeasures& measures = out.measures;
  measures.id = subject.id;
  measures.split = subject.split;
  out.absolute = log_jacobian(field, &measures.folds);
  measures.affine_log_jacobian = affine_log_jacobian(field, mask_);
  measures.structures = sizes(out.absolute, measures.affine_log_jacobian, native_volumes(subject));
  smooth(out.absolute, mask_, options_.smooth_mm);
  // Smoothing keeps constants, so what is removed may be removed afterwards.
  out.relative = out.absolute;
  for (std::size_t v = 0; v < mask_.size(); ++v)
    if (mask_[v])
      out.relative.values[v] =
          static_cast<float>(double(out.absolute.values[v]) - measures.affine_log_jacobian);
  return out;
}

Measured Measurer::measure(const evaluate::SourceSubject& subject) const {
  try {
    return measure_read(subject);
  } catch (Error& error) {
    throw error.within(fmt::format("subject '{}'", subject.id));
  }
}

}  // namespace aladdin::measure
