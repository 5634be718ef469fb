#include <algorithm>
#include <vector>

#include "aladdin/core/error.h"
#include "aladdin/core/option_name.h"
#include "aladdin/image/io.h"
#include "aladdin/transform/fsl_file.h"
#include "aladdin/transform/itk_file.h"
#include "aladdin/transform/lta_file.h"
#include "aladdin/transform/matrix_text.h"
#include "aladdin/transform/mrtrix_file.h"
#include "aladdin/transform/transform_file.h"
#include "aladdin/transform/x5_file.h"

namespace aladdin {
namespace {

using Format = TransformFormat;

enum class Shape { matrix, field, composite, ants };

struct Plan {
  Format format;
  Shape shape;
};

bool has_extension(const Path& path, std::initializer_list<const char*> known) {
  const std::string extension = full_extension(path);
  return std::ranges::any_of(known, [&](const char* one) { return extension == one; });
}
bool is_nifti(const Path& path) { return has_extension(path, {".nii", ".nii.gz"}); }
bool is_vector_image(const Path& path) {
  return is_nifti(path) || has_extension(path, {".nrrd", ".mha"});
}

[[noreturn]] void refuse_name(const Path& path, Format format, const char* expected) {
  throw Error(
      fmt::format("'{}' does not end in a transform format that can be written{}", path.string(),
                  format == Format::automatic ? "" : " as '" + name_of(format) + "'"),
      ExitCode::usage)
      .hint(fmt::format("expected {}", expected));
}

Format format_by_name(const Path& path) {
  if (full_extension(path) == ".lta") return Format::lta;
  if (full_extension(path) == ".x5") return Format::x5;
  if (is_mrtrix_name(path)) return Format::mrtrix;
  if (is_vector_image(path) || has_extension(path, {".tfm", ".txt", ".mat", ".h5", ".hdf5"}))
    return Format::itk;
  refuse_name(path, Format::automatic,
              ".tfm, .txt, .mat, .h5, .nii.gz, .nii, .nrrd, .mha, .mif, .mif.gz, .lta or .x5");
}

bool is_affine(const Chain& chain) {
  return std::ranges::all_of(
      chain, [](const Transform& one) { return std::holds_alternative<Affine>(one); });
}

Plan plan_itk(const Path& path, const Chain& chain) {
  if (is_vector_image(path)) return {Format::itk, Shape::field};
  if (!has_extension(path, {".tfm", ".txt", ".mat", ".h5", ".hdf5"}))
    refuse_name(path, Format::itk, ".tfm, .txt, .mat, .h5, .nii.gz, .nii, .nrrd or .mha");
  const bool matrix = is_affine(chain) || full_extension(path) == ".mat";
  return {Format::itk, matrix ? Shape::matrix : Shape::composite};
}

Plan plan_of(const Path& path, const Chain& chain, const TransformOutput& output) {
  const Format format = output.format == Format::automatic ? format_by_name(path) : output.format;
  const bool text = has_extension(path, {".txt", ".mat"});
  switch (format) {
    case Format::ants:
      return {format, Shape::ants};
    case Format::lta:
      if (full_extension(path) != ".lta") refuse_name(path, format, ".lta");
      return {format, Shape::matrix};
    case Format::x5:
      if (full_extension(path) != ".x5") refuse_name(path, format, ".x5");
      return {format, Shape::composite};
    case Format::spm:
      if (!is_nifti(path)) refuse_name(path, format, ".nii or .nii.gz");
      return {format, Shape::field};
    case Format::mrtrix:
      if (is_mrtrix_name(path) || is_nifti(path)) return {format, Shape::field};
      if (!text) refuse_name(path, format, ".txt for an affine, .mif, .mif.gz or .nii.gz");
      return {format, Shape::matrix};
    case Format::greedy:
      if (is_vector_image(path)) return {format, Shape::field};
      if (!text) refuse_name(path, format, ".mat or .txt for an affine, .nii.gz for a field");
      return {format, Shape::matrix};
    case Format::niftyreg:
    case Format::niftyreg_displacement:
    case Format::fsl:
      if (is_nifti(path)) return {format, Shape::field};
      if (!text) refuse_name(path, format, ".txt or .mat for an affine, .nii.gz for a field");
      return {format, Shape::matrix};
    default:
      return plan_itk(path, chain);
  }
}

Affine whole_affine(const Chain& chain, int dims) {
  Affine whole;
  whole.dims = dims;
  for (const auto& one : chain) whole = compose(std::get<Affine>(one), whole);
  return whole;
}

int dims_of(const Chain& chain, const TransformOutput& output) {
  if (!chain.empty()) return aladdin::dims_of(chain.front());
  return output.grid ? output.grid->dims : 3;
}

// None where neither the user nor the chain has one.
std::optional<Grid> grid_of(const Chain& chain, const TransformOutput& output) {
  if (output.grid) return output.grid;
  if (!chain.empty())
    if (const auto* field = std::get_if<Displacement>(&chain.front())) return field->grid();
  return std::nullopt;
}

void require_what_it_takes(const Path& path, const Chain& chain, const TransformOutput& output,
                           const Plan& plan) {
  const bool fsl = plan.format == Format::fsl, lta = plan.format == Format::lta;
  const auto missing = [&](const char* what, const char* option) {
    throw Error(fmt::format("'{}' cannot be written without {}", path.string(), what),
                ExitCode::usage)
        .hint(fmt::format("name it with {}", option_name(option)));
  };
  if (plan.shape == Shape::matrix && !is_affine(chain))
    throw Error(fmt::format("'{}' holds an affine only, the transform has a displacement field",
                            path.string()))
        .hint("write a field, e.g. .nii.gz, or a composite, .h5");
  if (plan.shape == Shape::matrix && dims_of(chain, output) != 3 && plan.format != Format::itk)
    fail("'{}' cannot be written: an affine of '{}' is 3-D, the transform is 2-D", path.string(),
         name_of(plan.format));
  if ((fsl || lta) && !output.source) missing("the image that it resamples", "source");
  if ((lta || (fsl && plan.shape == Shape::matrix)) && !output.grid)
    missing("an image of the space resampled to", "like");
  const bool field = plan.shape == Shape::field || (plan.shape == Shape::ants && !is_affine(chain));
  if (field && !grid_of(chain, output)) missing("the grid of the field", "like");
}

void write_matrix(const Path& path, const Affine& affine, const TransformOutput& output,
                  Format format) {
  switch (format) {
    case Format::fsl:
      return write_text(path, text_of_flirt(affine, *output.source, *output.grid));
    case Format::lta:
      return write_text(path, text_of_lta(affine, {*output.source, output.source_name},
                                          {*output.grid, output.grid_name}));
    case Format::itk:
      return write_affine(path, affine);
    default:
      return write_text(path, text_of_matrix(flip_ras(affine)));
  }
}

void write_field(const Path& path, const Displacement& field, const TransformOutput& output,
                 Format format) {
  switch (format) {
    case Format::fsl:
      return write_fnirt(path, field, *output.source);
    case Format::mrtrix:
      return write_mrtrix_deformation(path, field);
    case Format::spm:
      return write_vectors(path, field.vectors, VectorKind::spm_positions);
    case Format::niftyreg:
      return write_vectors(path, field.vectors, VectorKind::niftyreg_positions);
    case Format::niftyreg_displacement:
      return write_vectors(path, field.vectors, VectorKind::niftyreg_displacements);
    default:
      return write_displacement(path, field);
  }
}

// In ITK's files a transform is an affine or a field.
Chain storable(const Chain& chain) {
  Chain parts;
  for (const auto& one : chain) {
    const auto* inverted = std::get_if<InverseDisplacement>(&one);
    if (inverted)
      parts.emplace_back(to_displacement({one}, inverted->forward.grid()));
    else
      parts.push_back(one);
  }
  return parts;
}

std::vector<Path> ants_files(const Path& prefix, const Chain& chain) {
  const auto with = [&](const char* end) { return Path(prefix.string() + end); };
  std::vector<Path> files{with("0GenericAffine.mat")};
  if (!is_affine(chain)) {
    files.push_back(with("1Warp.nii.gz"));
    files.push_back(with("1InverseWarp.nii.gz"));
  }
  return files;
}

// A point goes through the warp, then through the affine.
void write_ants(const Path& prefix, const Chain& chain, const TransformOutput& output) {
  auto rest = chain.end();
  while (rest != chain.begin() && std::holds_alternative<Affine>(*(rest - 1))) --rest;
  const Chain warp(chain.begin(), rest), affine(rest, chain.end());
  const std::vector<Path> files = ants_files(prefix, chain);
  write_affine(files[0], whole_affine(affine, dims_of(chain, output)));
  if (warp.empty()) return;
  const Grid grid = *grid_of(chain, output);
  write_displacement(files[1], to_displacement(warp, grid));
  write_displacement(files[2], to_displacement(inverse(warp), grid));
}

}  // namespace

std::vector<Path> files_of_transform(const Path& path, const Chain& chain,
                                     const TransformOutput& output) {
  const Plan plan = plan_of(path, chain, output);
  require_what_it_takes(path, chain, output, plan);
  if (plan.shape == Shape::ants) return ants_files(path, chain);
  return {path};
}

void write_transform(const Path& path, const Chain& chain, const TransformOutput& output) {
  const Plan plan = plan_of(path, chain, output);
  require_what_it_takes(path, chain, output, plan);
  switch (plan.shape) {
    case Shape::matrix:
      return write_matrix(path, whole_affine(chain, dims_of(chain, output)), output, plan.format);
    case Shape::field:
      return write_field(path, to_displacement(chain, *grid_of(chain, output)), output,
                         plan.format);
    case Shape::composite:
      if (plan.format == Format::x5) return write_x5(path, storable(chain), output.grid);
      return write_itk_composite(path, storable(chain));
    case Shape::ants:
      return write_ants(path, chain, output);
  }
}

}  // namespace aladdin
