#include "aladdin/image/cohort.h"
#include "aladdin/image/io.h"
#include "fuzz.h"

using namespace aladdin;

// The participants.tsv of a BIDS folder.
ALADDIN_FUZZ(data, size) {
  const Path folder = fuzz::folder() / "bids";
  for (const char* id : {"sub-01", "sub-02"}) {
    const Path image = folder / id / "anat" / fmt::format("{}_T1w.nii", id);
    if (std::filesystem::exists(image)) continue;
    Grid grid;
    grid.size = {4, 4, 4};
    std::filesystem::create_directories(image.parent_path());
    write_image(image, Image(grid, 0.5F));
  }
  fuzz::input_file("bids/participants.tsv", data, size);
  fuzz::meet([&] { read_cohort(folder.string()); }, true);
  return 0;
}
