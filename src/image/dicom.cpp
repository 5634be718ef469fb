#include <itkGDCMImageIO.h>
#include <itkGDCMSeriesFileNames.h>
#include <itkImageSeriesReader.h>
#include <itkMetaDataObject.h>

#include <algorithm>

#include "aladdin/image/itk_error.h"
#include "aladdin/image/raw_image.h"

namespace aladdin {
namespace {

using ItkVolume = itk::Image<float, 3>;
using SeriesReader = itk::ImageSeriesReader<ItkVolume>;

SeriesReader::Pointer open_series(const Path& folder) {
  auto names = itk::GDCMSeriesFileNames::New();
  names->SetUseSeriesDetails(true);
  names->SetDirectory(folder.string());
  const auto series = names->GetSeriesUIDs();
  if (series.empty())
    throw Error(fmt::format("the folder '{}' holds no DICOM series", folder.string()))
        .hint("'aladdin cohort' describes a folder of images");
  if (series.size() > 1)
    throw Error(fmt::format("the folder '{}' holds {} DICOM series, expected one", folder.string(),
                            series.size()))
        .hint("keep each series in a folder of its own");
  auto reader = SeriesReader::New();
  reader->SetImageIO(itk::GDCMImageIO::New());
  reader->SetFileNames(names->GetFileNames(series.front()));
  reader->ForceOrthogonalDirectionOff();
  reader->UpdateOutputInformation();
  return reader;
}

Grid grid_of(const ItkVolume& volume, const Path& folder) {
  Grid grid;
  const auto size = volume.GetLargestPossibleRegion().GetSize();
  for (int axis = 0; axis < 3; ++axis) {
    grid.size[axis] = static_cast<std::int64_t>(size[axis]);
    grid.spacing[axis] = volume.GetSpacing()[axis];
    grid.origin[axis] = volume.GetOrigin()[axis];
    for (int row = 0; row < 3; ++row) grid.direction[row][axis] = volume.GetDirection()[row][axis];
  }
  return usable_grid(grid, folder);
}

// ITK takes the slices as evenly spaced; a lost slice would bend the anatomy without a word.
void require_even_slices(const ItkVolume& volume, const Path& folder) {
  double deviation = 0;
  itk::ExposeMetaData(volume.GetMetaDataDictionary(), "ITK_non_uniform_sampling_deviation",
                      deviation);
  if (deviation > 0.05 * volume.GetSpacing()[2])
    throw Error(fmt::format("the DICOM series in '{}' has uneven slices, up to {:.3g} mm off",
                            folder.string(), deviation))
        .hint("is a slice missing?");
}

}  // namespace

ImageHeader dicom_header(const Path& folder) {
  const QuietItk quiet;
  return translated(folder, "read the DICOM series in", [&] {
    const auto reader = open_series(folder);
    const auto component = static_cast<int>(reader->GetImageIO()->GetComponentType());
    const Scalar type = itk_scalar(component, folder);
    return ImageHeader{grid_of(*reader->GetOutput(), folder), "DICOM", name_of(type), 1,
                       is_integer(type)};
  });
}

Image read_dicom(const Path& folder) {
  const QuietItk quiet;
  return translated(folder, "read the DICOM series in", [&] {
    const auto reader = open_series(folder);
    const double claimed = double(grid_of(*reader->GetOutput(), folder).voxels());
    if (claimed > most_stored_bytes(folder))
      fail("the DICOM series in '{}' claims {:.4g} voxels, more than its files can hold",
           folder.string(), claimed);
    reader->Update();
    const ItkVolume& volume = *reader->GetOutput();
    require_even_slices(volume, folder);
    Image image(grid_of(volume, folder));
    std::copy_n(volume.GetBufferPointer(), image.values.size(), image.values.begin());
    return image;
  });
}

}  // namespace aladdin
