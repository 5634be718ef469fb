// For the tests: a DICOM series.
#pragma once

#include <fmt/format.h>
#include <itkGDCMImageIO.h>
#include <itkImage.h>
#include <itkImageFileWriter.h>
#include <itkMetaDataObject.h>

#include <string>

#include "aladdin/core/files.h"

namespace aladdin::testing {

// One slice a file, as scanners write them; `missing` leaves one out.
inline void write_dicom(const Path& folder, int slices, int missing = -1,
                        const std::string& type = "ORIGINAL\\PRIMARY") {
  std::filesystem::create_directories(folder);
  using Slice = itk::Image<short, 3>;
  for (int k = 0; k < slices; ++k) {
    if (k == missing) continue;
    auto slice = Slice::New();
    slice->SetRegions(Slice::SizeType{{6, 5, 1}});
    slice->Allocate();
    for (int v = 0; v < 30; ++v) slice->GetBufferPointer()[v] = static_cast<short>(100 * k + v);
    const double spacing[3] = {0.5, 0.75, 2};
    slice->SetSpacing(spacing);
    const double origin[3] = {-7, 11, 5 + 2.0 * k};
    slice->SetOrigin(origin);
    auto io = itk::GDCMImageIO::New();
    io->KeepOriginalUIDOn();
    auto& tags = io->GetMetaDataDictionary();
    const auto tag = [&](const char* key, const std::string& value) {
      itk::EncapsulateMetaData<std::string>(tags, key, value);
    };
    tag("0008|0008", type);
    tag("0008|0060", "MR");
    tag("0008|0016", "1.2.840.10008.5.1.4.1.1.4");
    tag("0008|0018", fmt::format("1.2.3.4.{}", k + 1));
    tag("0020|000d", "1.2.3");
    tag("0020|000e", "1.2.3.4");
    tag("0020|0013", std::to_string(k + 1));
    tag("0020|0032", fmt::format("{}\\{}\\{}", origin[0], origin[1], origin[2]));
    tag("0020|0037", "1\\0\\0\\0\\1\\0");
    tag("0018|0050", "2");
    auto writer = itk::ImageFileWriter<Slice>::New();
    writer->SetImageIO(io);
    writer->UseInputMetaDataDictionaryOff();
    writer->SetInput(slice);
    writer->SetFileName((folder / fmt::format("slice{}.dcm", slices - k)).string());
    writer->Update();
  }
}

}  // namespace aladdin::testing
