#include "aladdin/transform/demons.h"

#include <itkDiffeomorphicDemonsRegistrationFilter.h>
#include <itkFastSymmetricForcesDemonsRegistrationFilter.h>
#include <itkHistogramMatchingImageFilter.h>

#include "aladdin/core/error.h"
#include "aladdin/core/parallel.h"

namespace aladdin {
namespace {

using Values = std::vector<float>;
using Spacing = std::array<double, 3>;

template <unsigned Dims>
using Picture = itk::Image<float, Dims>;
template <unsigned Dims>
using Field = itk::Image<itk::Vector<float, Dims>, Dims>;

template <class Image>
typename Image::Pointer make(const kernels::Shape& grid, const Spacing& spacing_mm) {
  constexpr unsigned dims = Image::ImageDimension;
  typename Image::SizeType size;
  typename Image::SpacingType spacing;
  const std::array<std::int64_t, 3> sizes{grid.w, grid.h, grid.d};
  for (unsigned axis = 0; axis < dims; ++axis) {
    size[axis] = static_cast<itk::SizeValueType>(sizes[axis]);
    spacing[axis] = spacing_mm[axis];
  }
  auto image = Image::New();
  image->SetRegions(size);
  image->SetSpacing(spacing);
  image->Allocate();
  return image;
}

template <unsigned Dims>
typename Picture<Dims>::Pointer to_itk(const Values& image, const kernels::Shape& grid,
                                       const Spacing& spacing_mm) {
  auto out = make<Picture<Dims>>(grid, spacing_mm);
  std::copy(image.begin(), image.end(), out->GetBufferPointer());
  return out;
}

template <unsigned Dims>
typename Field<Dims>::Pointer field_to_itk(const Values& u, const kernels::Shape& grid,
                                           const Spacing& spacing_mm) {
  auto out = make<Field<Dims>>(grid, spacing_mm);
  auto* vectors = out->GetBufferPointer();
  for (std::int64_t v = 0; v < grid.voxels(); ++v)
    for (unsigned c = 0; c < Dims; ++c)
      vectors[v][c] = static_cast<float>(u[c * grid.voxels() + v] * spacing_mm[c]);
  return out;
}

template <unsigned Dims>
Values field_from_itk(const Field<Dims>& field, const kernels::Shape& grid,
                      const Spacing& spacing_mm) {
  Values out(static_cast<std::size_t>(Dims * grid.voxels()));
  const auto* vectors = field.GetBufferPointer();
  for (std::int64_t v = 0; v < grid.voxels(); ++v)
    for (unsigned c = 0; c < Dims; ++c)
      out[c * grid.voxels() + v] = static_cast<float>(vectors[v][c] / spacing_mm[c]);
  return out;
}

template <unsigned Dims, class Filter>
Values run(const DemonsOptions& options, const kernels::Shape& grid, const Spacing& spacing_mm,
           const Values& fixed, const Values& moving, const Values& start) {
  auto filter = Filter::New();
  filter->SetFixedImage(to_itk<Dims>(fixed, grid, spacing_mm));
  filter->SetMovingImage(to_itk<Dims>(moving, grid, spacing_mm));
  filter->SetInitialDisplacementField(field_to_itk<Dims>(start, grid, spacing_mm));
  filter->SetNumberOfIterations(static_cast<unsigned>(options.iterations));
  filter->SetSmoothDisplacementField(options.sigma_vox > 0);
  if (options.sigma_vox > 0) filter->SetStandardDeviations(options.sigma_vox);
  filter->SetNumberOfWorkUnits(static_cast<unsigned>(threads()));
  filter->Update();
  return field_from_itk<Dims>(*filter->GetOutput(), grid, spacing_mm);
}

template <unsigned Dims>
Values demons_of(const DemonsOptions& options, const kernels::Shape& grid,
                 const Spacing& spacing_mm, const Values& fixed, const Values& moving,
                 const Values& start) {
  using P = Picture<Dims>;
  if (options.kind == DemonsKind::fast_symmetric)
    return run<Dims, itk::FastSymmetricForcesDemonsRegistrationFilter<P, P, Field<Dims>>>(
        options, grid, spacing_mm, fixed, moving, start);
  return run<Dims, itk::DiffeomorphicDemonsRegistrationFilter<P, P, Field<Dims>>>(
      options, grid, spacing_mm, fixed, moving, start);
}

template <unsigned Dims>
Values matched(const kernels::Shape& grid, const Values& moving, const Values& fixed) {
  auto filter = itk::HistogramMatchingImageFilter<Picture<Dims>, Picture<Dims>>::New();
  filter->SetInput(to_itk<Dims>(moving, grid, {1, 1, 1}));
  filter->SetReferenceImage(to_itk<Dims>(fixed, grid, {1, 1, 1}));
  filter->SetNumberOfHistogramLevels(256);
  filter->SetNumberOfMatchPoints(7);
  filter->ThresholdAtMeanIntensityOn();
  filter->Update();
  const float* values = filter->GetOutput()->GetBufferPointer();
  return {values, values + grid.voxels()};
}

template <class Body>
Values translated(Body&& body) {
  try {
    return body();
  } catch (const itk::ExceptionObject& error) {
    fail("ITK's demons failed: {}", error.GetDescription());
  }
}

}  // namespace

Values demons(const DemonsOptions& options, const kernels::Shape& grid, const Spacing& spacing_mm,
              const Values& fixed, const Values& moving, const Values& start) {
  return translated([&] {
    return grid.dims == 2 ? demons_of<2>(options, grid, spacing_mm, fixed, moving, start)
                          : demons_of<3>(options, grid, spacing_mm, fixed, moving, start);
  });
}

Values match_histogram(const kernels::Shape& grid, const Values& moving, const Values& fixed) {
  return translated([&] {
    return grid.dims == 2 ? matched<2>(grid, moving, fixed) : matched<3>(grid, moving, fixed);
  });
}

}  // namespace aladdin
