#include <itkGDCMImageIO.h>
#include <itkGDCMSeriesFileNames.h>
#include <itkImageSeriesReader.h>
#include <itkMetaDataObject.h>
#include <itkMultiThreaderBase.h>

#include "aladdin/core/apart.h"
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

// What ITK's reader says of a series, as it comes from the process it ran in.
struct Series {
  Grid grid;
  double uneven_mm = 0;
  int component = 0;
};

Series describe_series(SeriesReader& reader) {
  const ItkVolume& volume = *reader.GetOutput();
  Series out;
  const auto size = volume.GetLargestPossibleRegion().GetSize();
  for (int axis = 0; axis < 3; ++axis) {
    out.grid.size[axis] = static_cast<std::int64_t>(size[axis]);
    out.grid.spacing[axis] = volume.GetSpacing()[axis];
    out.grid.origin[axis] = volume.GetOrigin()[axis];
    for (int row = 0; row < 3; ++row)
      out.grid.direction[row][axis] = volume.GetDirection()[row][axis];
  }
  itk::ExposeMetaData(volume.GetMetaDataDictionary(), "ITK_non_uniform_sampling_deviation",
                      out.uneven_mm);
  out.component = static_cast<int>(reader.GetImageIO()->GetComponentType());
  return out;
}

double voxels_of(const Grid& grid) {
  double voxels = 1;
  for (const auto size : grid.size) voxels *= static_cast<double>(size);
  return voxels;
}

// GDCM passes over what it cannot read: a series with a slice less.
void require_whole_files(const Path& folder) {
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.is_directory()) continue;
    require_file(entry.path());
    require_whole_dicom(entry.path());
  }
}

// The description and, if asked for, the voxels behind it; as in itk_image.cpp.
std::string read_apart(const Path& folder, bool voxels) {
  if (voxels) require_whole_files(folder);
  const std::uint64_t stored = bytes_on_disk(folder);
  const QuietItk quiet;
  return run_apart(limits_for(stored, 16 * stored), not_survived(folder), [&] {
    return translated(folder, "read the DICOM series in", [&] {
      // A pool of threads would take the memory that there is for reading.
      itk::MultiThreaderBase::SetGlobalDefaultThreader(
          itk::MultiThreaderBaseEnums::Threader::Platform);
      itk::MultiThreaderBase::SetGlobalDefaultNumberOfThreads(1);
      const auto reader = open_series(folder);
      refuse_mosaic(reader->GetImageIO()->GetMetaDataDictionary(), folder);
      const double claimed = voxels_of(describe_series(*reader).grid);
      if (claimed > most_stored_bytes(folder))
        fail("the DICOM series in '{}' claims {:.4g} voxels, more than its files can hold",
             folder.string(), claimed);
      if (voxels) reader->Update();
      std::string bytes;
      append_bytes(bytes, describe_series(*reader));
      if (voxels)
        bytes.append(reinterpret_cast<const char*>(reader->GetOutput()->GetBufferPointer()),
                     reader->GetOutput()->GetBufferedRegion().GetNumberOfPixels() * sizeof(float));
      return bytes;
    });
  });
}

Series take_series(std::string_view& bytes, const Path& folder) {
  auto series = take<Series>(bytes);
  series.grid.dims = 3;
  series.grid = usable_grid(series.grid, folder);
  return series;
}

}  // namespace

void refuse_mosaic(const itk::MetaDataDictionary& dictionary, const Path& path) {
  std::string type;
  itk::ExposeMetaData(dictionary, "0008|0008", type);
  if (type.find("MOSAIC") == std::string::npos) return;
  throw Error(
      fmt::format("'{}' is a Siemens mosaic, all slices of a volume in one picture", path.string()))
      .hint("convert it with 'dcm2niix'");
}

ImageHeader dicom_header(const Path& folder) {
  const std::string bytes = read_apart(folder, false);
  std::string_view rest = bytes;
  const Series series = take_series(rest, folder);
  const Scalar type = itk_scalar(series.component, folder);
  return {series.grid, "DICOM", name_of(type), 1, is_integer(type)};
}

Image read_dicom(const Path& folder) {
  const std::string bytes = read_apart(folder, true);
  std::string_view rest = bytes;
  const Series series = take_series(rest, folder);
  // ITK takes the slices as evenly spaced; a lost slice would bend the anatomy without a word.
  if (series.uneven_mm > 0.05 * series.grid.spacing[2])
    throw Error(fmt::format("the DICOM series in '{}' has uneven slices, up to {:.3g} mm off",
                            folder.string(), series.uneven_mm))
        .hint("is a slice missing?");
  if (voxels_of(series.grid) * sizeof(float) != static_cast<double>(rest.size()))
    throw not_survived(folder);
  Image image(series.grid);
  rest.copy(reinterpret_cast<char*>(image.values.data()), rest.size());
  return image;
}

}  // namespace aladdin
