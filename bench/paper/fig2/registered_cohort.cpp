#include "registered_cohort.h"

#include <algorithm>

#include "aladdin/core/error.h"
#include "aladdin/evaluate/source.h"
#include "aladdin/image/cohort.h"
#include "aladdin/image/intensity.h"
#include "aladdin/image/io.h"
#include "aladdin/image/shape.h"
#include "aladdin/kernels/jacobian.h"
#include "aladdin/run/run_directory.h"
#include "aladdin/transform/pull_back.h"
#include "aladdin/transform/transform_file.h"

namespace aladdin::bench {
namespace {

evaluate::Source source_of_synth(const Path& folder) {
  evaluate::Source source;
  source.name = folder.string();
  for (const Subject& member : read_cohort((folder / "cohort.csv").string()).subjects) {
    if (!member.label) fail("subject '{}' of '{}' has no labels", member.id, source.name);
    evaluate::SourceSubject subject;
    subject.id = member.id;
    subject.image = member.image;
    subject.label = *member.label;
    const Path transforms = folder / "transforms";
    subject.native_to_atlas = [path = transforms / native_to_atlas_name(member.id)] {
      return read_transform(path);
    };
    subject.atlas_to_native = [path = transforms / atlas_to_native_name(member.id)] {
      return read_transform(path);
    };
    source.subjects.push_back(std::move(subject));
  }
  return source;
}

Registered read_subject(const evaluate::SourceSubject& subject) {
  Registered out;
  out.id = subject.id;
  out.image = read_image(subject.image);
  apply(subject.intensity ? *subject.intensity
                          : find_intensity_map(out.image, nullptr, {}, subject.image.string()),
        out.image);
  out.labels = read_labels(subject.label);
  if (!same_grid(out.image.grid, out.labels.grid))
    fail("'{}' and '{}' are not on one grid", subject.image.string(), subject.label.string());
  out.native_to_atlas = subject.native_to_atlas();
  out.atlas_to_native = to_displacement(subject.atlas_to_native(), out.image.grid);
  return out;
}

// |D Phi| on the atlas grid.
std::vector<float> determinants(const Chain& chain, const Grid& grid) {
  const VectorImage u = mm_to_voxels(to_displacement(chain, grid).vectors);
  std::vector<float> out(static_cast<std::size_t>(grid.voxels()));
  kernels::jacobian_determinant(u.values.data(), out.data(), shape_of(grid));
  return out;
}

Image forward_mean(const std::vector<Registered>& subjects, const Grid& grid) {
  Image sum(grid), weight(grid);
  for (const Registered& subject : subjects) {
    const Image warped = pull_back(subject.image, subject.native_to_atlas, grid);
    const auto jacobian = determinants(subject.native_to_atlas, grid);
    for (std::size_t v = 0; v < jacobian.size(); ++v) {
      sum.values[v] += jacobian[v] * warped.values[v];
      weight.values[v] += jacobian[v];
    }
  }
  for (std::size_t v = 0; v < sum.values.size(); ++v) sum.values[v] /= weight.values[v];
  return sum;
}

Grid grid_of(const Chain& chain, const std::string& name) {
  const auto* field = chain.size() == 1 ? std::get_if<Displacement>(&chain.front()) : nullptr;
  if (!field)
    fail("'{}': the transforms are not displacement fields, so there is no atlas grid", name);
  return field->grid();
}

}  // namespace

RegisteredCohort read_registered_cohort(const Path& folder) {
  const bool is_run = std::filesystem::exists(RunDirectory{folder}.record());
  const evaluate::Source source =
      is_run ? evaluate::source_of_run(folder, "") : source_of_synth(folder);
  RegisteredCohort out;
  out.name = folder.filename().string();
  for (const auto& subject : source.subjects) {
    if (subject.image.empty())
      fail("the image of subject '{}' of '{}' is gone", subject.id, source.name);
    out.subjects.push_back(read_subject(subject));
  }
  if (out.subjects.size() < 3)
    fail("'{}' has {} registered subjects with labels, expected at least 3", source.name,
         out.subjects.size());
  out.atlas = is_run ? read_image(source.atlas)
                     : forward_mean(out.subjects,
                                    grid_of(out.subjects.front().native_to_atlas, source.name));
  return out;
}

}  // namespace aladdin::bench
