#include "aladdin/image/dataset.h"
#include "aladdin/core/checksum.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdlib>

#include "aladdin/core/parallel.h"
#include "aladdin/core/rng.h"
#include "aladdin/image/io.h"
#include "aladdin/image/itk_test_dicom.h"
#include "aladdin/image/record_file.h"
#include "aladdin/image/resample.h"
#include "aladdin/image/test_files.h"

namespace aladdin {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Three subjects of different grids; the last has no labels.
class DatasetTest : public ::testing::Test {
 protected:
  DatasetTest() {
    Rng rng(5);
    for (int n = 0; n < 3; ++n) {
      Grid grid;
      grid.size = {11 + n, 13, 9};
      grid.spacing = {1, 1, 1 + 0.1 * n};
      grid.origin = {100.0 * n, 7, 0};
      Image image(grid);
      for (auto& value : image.values) value = static_cast<float>(1000 * (n + 1) * rng.uniform());
      write_image(folder_ / fmt::format("images/s{}.nii.gz", n), image);
      if (n == 2) continue;
      Labels labels(grid);
      labels.at(4, 5, 6) = 2;
      labels.at(5, 5, 5) = n == 0 ? 7 : 100000;
      write_labels(folder_ / fmt::format("labels/s{}.nii.gz", n), labels);
    }
    testing::write_bytes(folder_ / "c.csv",
                         "id,image,label\ns0,images/s0.nii.gz,labels/s0.nii.gz\n"
                         "s1,images/s1.nii.gz,labels/s1.nii.gz\ns2,images/s2.nii.gz,\n");
  }

  Dataset load(Storage storage, std::uint64_t budget = 0, WorkingGridOptions grid = {}) const {
    const Cohort cohort = read_cohort((folder_ / "c.csv").string());
    const auto scans = scan_cohort(cohort);
    const WorkingGrid working = choose_working_grid(cohort, scans, grid);
    return Dataset(cohort, scans, working, {storage, budget, folder_ / "cache"});
  }
  static std::vector<float> image(const Dataset& data, std::size_t n) {
    std::vector<float> out(static_cast<std::size_t>(data.grid().voxels()));
    data.image(n, out.data());
    return out;
  }
  static std::vector<std::int32_t> labels(const Dataset& data, std::size_t n) {
    std::vector<std::int32_t> out(static_cast<std::size_t>(data.grid().voxels()));
    data.labels(n, out.data());
    return out;
  }
  std::vector<Path> caches() const {
    std::vector<Path> found;
    if (std::filesystem::exists(folder_ / "cache"))
      for (const auto& entry : std::filesystem::directory_iterator(folder_ / "cache"))
        found.push_back(entry);
    return found;
  }

  testing::TemporaryFolder folder_;
};

TEST_F(DatasetTest, HoldsTheResampledImageWithinItsRounding) {
  const Dataset data = load(Storage::memory);
  ASSERT_EQ(data.size(), 3U);
  EXPECT_FALSE(data.on_disk());
  for (std::size_t n = 0; n < 3; ++n) {
    Image native = read_image(data.cohort().subjects[n].image);
    apply(data.intensity(n), native);
    const Image expected = resample(native, data.grid(), data.working().shift[n]);
    const auto got = image(data, n);
    float worst = 0;
    for (std::size_t v = 0; v < got.size(); ++v)
      worst = std::max(worst, std::abs(got[v] - expected.values[v]));
    EXPECT_LT(worst, 7.7e-6F);
    // The median spacing is that of subject 1, which comes over without interpolation.
    EXPECT_TRUE(n != 1 || *std::max_element(got.begin(), got.end()) == 1.F);
  }
  EXPECT_THAT(data.label_table(), ElementsAre(0, 2, 7, 100000));
  EXPECT_TRUE(data.has_labels(1));
  EXPECT_FALSE(data.has_labels(2));
  const auto found = labels(data, 1);
  EXPECT_EQ(std::count(found.begin(), found.end(), 100000), 1);
  EXPECT_EQ(std::count(found.begin(), found.end(), 7), 0);
  EXPECT_THAT(testing::error_of([&] { labels(data, 2); }), HasSubstr("s2 has no labels"));
}

TEST_F(DatasetTest, SameBitsFromMemoryAndFromDisk) {
  const Dataset memory = load(Storage::memory), disk = load(Storage::disk),
                again = load(Storage::disk);
  EXPECT_TRUE(disk.on_disk());
  EXPECT_EQ(caches().size(), 1U);
  for (const auto* other : {&disk, &again}) {
    for (std::size_t n = 0; n < 3; ++n) EXPECT_EQ(image(memory, n), image(*other, n));
    for (std::size_t n = 0; n < 2; ++n) EXPECT_EQ(labels(memory, n), labels(*other, n));
  }
}

TEST_F(DatasetTest, TheBudgetDecides) {
  const Dataset fits = load(Storage::automatic);
  EXPECT_FALSE(fits.on_disk());
  EXPECT_TRUE(caches().empty());
  const std::uint64_t needed = 3U * static_cast<std::uint64_t>(fits.grid().voxels()) * 3;
  EXPECT_EQ(dataset_bytes(fits.cohort(), scan_cohort(fits.cohort()), fits.working()), needed);
  EXPECT_FALSE(load(Storage::automatic, needed).on_disk());
  EXPECT_TRUE(load(Storage::automatic, needed - 1).on_disk());
}

TEST_F(DatasetTest, OtherDataOrAnotherGridMakeAnotherCache) {
  const auto before = image(load(Storage::disk), 0);
  WorkingGridOptions coarse;
  coarse.downsample = 2;
  load(Storage::disk, 0, coarse);
  EXPECT_EQ(caches().size(), 2U);
  Image changed = read_image(folder_ / "images/s0.nii.gz");
  changed.at(3, 3, 3) += 500;
  write_image(folder_ / "images/s0.nii.gz", changed);
  EXPECT_NE(image(load(Storage::disk), 0), before);
  EXPECT_EQ(caches().size(), 3U);
}

TEST_F(DatasetTest, ADamagedOrTruncatedCacheIsMadeAnew) {
  const auto before = image(load(Storage::disk), 1);
  const Path cache = caches().at(0);
  const std::string whole = read_text(cache);
  for (const std::size_t at : {std::size_t{3}, std::size_t{40}, whole.size() / 2}) {
    std::string hurt = whole;
    hurt[at] = static_cast<char>(hurt[at] ^ 1);
    testing::write_bytes(cache, hurt);
    EXPECT_EQ(image(load(Storage::disk), 1), before);
    EXPECT_TRUE(read_text(cache) == whole) << at;
  }
  for (const std::size_t length : {std::size_t{0}, std::size_t{100}, whole.size() - 1}) {
    testing::write_bytes(cache, whole.substr(0, length));
    EXPECT_EQ(image(load(Storage::disk), 1), before);
    EXPECT_TRUE(read_text(cache) == whole) << length;
  }
}

TEST_F(DatasetTest, AFailureLeavesNoCache) {
  const Cohort cohort = read_cohort((folder_ / "c.csv").string());
  const auto scans = scan_cohort(cohort);
  const WorkingGrid working = choose_working_grid(cohort, scans);
  std::filesystem::resize_file(folder_ / "images/s1.nii.gz", 900);
  for (const Storage storage : {Storage::memory, Storage::disk})
    EXPECT_THAT(testing::error_of([&] {
                  Dataset(cohort, scans, working, {storage, 0, folder_ / "cache"});
                }),
                AllOf(HasSubstr("while loading s1: "), HasSubstr("truncated")));
  EXPECT_TRUE(caches().empty());
}

TEST_F(DatasetTest, ReadersMayBeMany) {
  const Dataset data = load(Storage::disk);
  const auto expected = image(data, 2);
  std::vector<int> same(16);
  set_threads(4);
  parallel_for(16, [&](std::int64_t n) { same[n] = image(data, 2) == expected; });
  set_threads(0);
  EXPECT_THAT(same, ::testing::Each(1));
}

TEST_F(DatasetTest, AllUnusableVoxelsAreReportedTogether) {
  Image image = read_image(folder_ / "images/s0.nii.gz");
  image.at(1, 1, 1) = NAN;
  write_image(folder_ / "images/s0.nii.gz", image);
  std::fill(image.values.begin(), image.values.end(), 4.F);
  Image other = read_image(folder_ / "images/s2.nii.gz");
  std::fill(other.values.begin(), other.values.end(), 4.F);
  write_image(folder_ / "images/s2.nii.gz", other);
  Image soft = read_image(folder_ / "images/s1.nii.gz");
  write_image(folder_ / "labels/s1.nii.gz", soft);
  const Cohort cohort = read_cohort((folder_ / "c.csv").string());
  EXPECT_THAT(
      testing::error_of([&] { scan_cohort(cohort); }),
      AllOf(HasSubstr("has 3 problems:"), HasSubstr("s0: '"), HasSubstr("NaN"), HasSubstr("s1: '"),
            HasSubstr("is not a label map"), HasSubstr("s2: '"), HasSubstr("is constant")));
}

TEST(RecordFile, RemovesWhatAKilledProcessLeftAndNothingThatIsBeingWritten) {
  const testing::TemporaryFolder folder;
  const auto make = [&](const char* name, const FillRecord& fill) {
    const RecordFile file(folder / name, "key", {1, 5000}, fill);
  };
  const auto files = [&] {
    return std::distance(std::filesystem::directory_iterator(folder.path()), {});
  };
  EXPECT_EXIT(make("killed.records", [](auto, auto*) { raise(SIGKILL); }),
              ::testing::KilledBySignal(SIGKILL), "");
  ASSERT_EQ(files(), 1);
  make("first.records", [&](auto, auto*) {
    EXPECT_EQ(files(), 1);  // its own beginning
    make("second.records", [](auto, auto*) {});
    EXPECT_EQ(files(), 2);
  });
  EXPECT_TRUE(std::filesystem::exists(folder / "first.records"));
  EXPECT_TRUE(std::filesystem::exists(folder / "second.records"));
}

// A variable of the environment, set or (nullptr) taken away as long as this lives.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    set(value);
  }
  ~Variable() { set(before_ ? before_->c_str() : nullptr); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  void set(const char* value) const { value ? setenv(name_, value, 1) : unsetenv(name_); }

  const char* name_;
  std::optional<std::string> before_;
};

TEST(CacheFolder, IsPrivateWhereThereIsNoHome) {
  const testing::TemporaryFolder folder;
  const Variable own("ALADDIN_CACHE", nullptr), cache("XDG_CACHE_HOME", nullptr),
      home("HOME", nullptr), shared("TMPDIR", folder.path().c_str());
  const Path path = folder / fmt::format("aladdin-{}", geteuid());
  EXPECT_EQ(default_cache_folder(), path);
  EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms{0700});
  EXPECT_EQ(default_cache_folder(), path);  // the second time it is there
  const auto expect_refused = [] {
    EXPECT_THAT(testing::error_of([] { default_cache_folder(); }),
                HasSubstr("is not a private folder of yours"));
  };
  std::filesystem::permissions(path, std::filesystem::perms{0770});
  expect_refused();
  std::filesystem::permissions(path, std::filesystem::perms{0700});
  std::filesystem::rename(path, folder / "elsewhere");
  std::filesystem::create_directory_symlink("elsewhere", path);
  expect_refused();
  std::filesystem::remove(path);
  std::filesystem::rename(folder / "elsewhere", path);
  if (geteuid() == 0 && chown(path.c_str(), 65534, 65534) == 0) expect_refused();
}

TEST(DicomCache, TheKeyListsTheFilesInOrder) {
  const testing::TemporaryFolder folder;
  testing::write_dicom(folder / "in/series", 9);
  const Cohort cohort = read_cohort((folder / "in").string());
  const auto scans = scan_cohort(cohort);
  const WorkingGrid working = choose_working_grid(cohort, scans);
  const Dataset data(cohort, scans, working, {Storage::disk, 0, folder / "cache"});
  const std::filesystem::directory_iterator cache(folder / "cache");
  const std::string bytes = read_text(cache->path());  // the key is in front of the records
  std::size_t at = 0;
  for (int slice = 1; slice <= 9; ++slice) {
    const auto found = bytes.find(fmt::format("slice{}.dcm", slice));
    ASSERT_NE(found, std::string::npos);
    EXPECT_GT(found, at) << slice;
    at = found;
  }
}

TEST(Checksum, EveryByteCounts) {
  std::vector<std::byte> bytes(77);
  const auto before = checksum(bytes.data(), bytes.size());
  for (auto& byte : bytes) {
    byte ^= std::byte{1};
    EXPECT_NE(checksum(bytes.data(), bytes.size()), before);
    byte ^= std::byte{1};
  }
  EXPECT_NE(checksum(bytes.data(), 76), before);
}

TEST(RealCohorts, GoOntoOneGrid) {
  const Path root = ALADDIN_SHARED_DATA;
  if (!std::filesystem::exists(root)) GTEST_SKIP() << "no data in " << root;
  Cohort cohort = read_cohort((root / "hippocampus/subjects.csv").string());
  cohort.subjects.resize(60);
  const auto scans = scan_cohort(cohort);
  const WorkingGrid working = choose_working_grid(cohort, scans);
  EXPECT_EQ(axis_codes(working.visible), "LPS");
  EXPECT_TRUE(working.notes.empty());
  const Dataset data(cohort, scans, working, {Storage::memory});
  // 1 mm everywhere: voxels fall onto voxels, so every label voxel is kept as it is.
  std::vector<std::uint16_t> indices(static_cast<std::size_t>(data.grid().voxels()));
  for (std::size_t n = 0; n < data.size(); n += 5) {
    data.label_indices(n, indices.data());
    for (const auto& [label, voxels] : scans[n].labels)
      EXPECT_EQ(std::count(indices.begin(), indices.end(), label), voxels) << cohort.subjects[n].id;
  }
}

}  // namespace
}  // namespace aladdin
