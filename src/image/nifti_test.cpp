// NIfTI as we read and write it ourselves, held against ITK where ITK can read it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <itkNiftiImageIO.h>

#include <cmath>

#include "aladdin/image/gzip_writer.h"
#include "aladdin/image/io.h"
#include "aladdin/image/test_files.h"

namespace aladdin {
namespace {

using ::testing::HasSubstr;
using testing::Nifti1;
using testing::TemporaryFolder;

using Rows = std::array<std::array<float, 4>, 3>;

// Spacing 2, 3, 4; no form yet.
Nifti1 plain() {
  Nifti1 file({2, 3, 2});
  file.set<float>(80, 2).set<float>(84, 3).set<float>(88, 4);
  file.append(std::vector<std::uint8_t>(12, 1));
  return file;
}

// A turn by 40 degrees about an oblique axis.
void set_qform(Nifti1& file, int code) {
  file.set<std::int16_t>(252, static_cast<std::int16_t>(code));
  file.set<float>(256, 0.2F).set<float>(260, -0.1F).set<float>(264, 0.26F);
  file.set<float>(268, 10).set<float>(272, 20).set<float>(276, 30);
}

void set_sform(Nifti1& file, int code, const Rows& rows) {
  file.set<std::int16_t>(254, static_cast<std::int16_t>(code));
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 4; ++c) file.set<float>(280 + 16 * r + 4 * c, rows[r][c]);
}

const Rows kTurned{{{0, -3, 0, -1}, {2, 0, 0, -2}, {0, 0, 4, -3}}};
const Rows kSheared{{{2, 1.5F, 0, -1}, {0, 3, 0, -2}, {0, 0, 4, -3}}};
const Rows kScaled{{{2.5F, 0, 0, -1}, {0, 3, 0, -2}, {0, 0, 4, -3}}};

// What ITK makes of the header, or nothing where it refuses.
std::optional<Grid> grid_of_itk(const Path& path) {
  auto io = itk::NiftiImageIO::New();
  io->SetLegacyAnalyze75Mode(itk::NiftiImageIOEnums::Analyze75Flavor::AnalyzeITK4);
  io->SetFileName(path.string());
  try {
    io->ReadImageInformation();
  } catch (const itk::ExceptionObject&) {
    return std::nullopt;
  }
  Grid grid;
  for (int axis = 0; axis < 3; ++axis) {
    grid.size[axis] = static_cast<std::int64_t>(io->GetDimensions(axis));
    grid.spacing[axis] = io->GetSpacing(axis);
    grid.origin[axis] = io->GetOrigin(axis);
    for (int row = 0; row < 3; ++row) grid.direction[row][axis] = io->GetDirection(axis)[row];
  }
  return grid;
}

TEST(Nifti, BothVersionsTakeTheFormThatItkTakes) {
  const TemporaryFolder folder;
  itk::Object::GlobalWarningDisplayOff();
  int qforms = 0, sforms = 0, refused = 0;
  for (const Rows& rows : {kTurned, kSheared, kScaled})
    for (int qform = 0; qform <= 4; ++qform)
      for (int sform = 0; sform <= 4; ++sform)
        for (const float qfac : {1.F, -1.F}) {
          Nifti1 file = plain();
          file.set<float>(76, qfac);
          set_qform(file, qform), set_sform(file, sform, rows);
          file.save(folder / "one.nii");
          testing::as_version_2(file).save(folder / "two.nii");
          const auto expected = grid_of_itk(folder / "one.nii");
          for (const char* name : {"one.nii", "two.nii"}) {
            SCOPED_TRACE(fmt::format("{}: qform {}, sform {}, {}", name, qform, sform, rows[0][0]));
            // Here alone we differ: ITK knows no shear.
            if (rows == kSheared && (sform == 1 || (sform > 0 && qform == 0))) {
              const Grid grid = read_header(folder / name).grid;
              EXPECT_TRUE(is_sheared(grid));
              EXPECT_LT(norm(grid.to_point({1, 1, 1}) - Vec3{-2.5, -1, 1}), 1e-5);
              continue;
            }
            if (!expected) {
              EXPECT_THAT(testing::error_of([&] { read_header(folder / name); }),
                          HasSubstr("has an unusable geometry"));
              ++refused;
              continue;
            }
            const Grid grid = read_header(folder / name).grid;
            EXPECT_TRUE(same_grid(grid, *expected, 1e-5)) << describe(grid);
            qforms += std::abs(grid.origin[2] - 30) < 1e-6;
            sforms += std::abs(grid.origin[2] + 3) < 1e-6;
          }
        }
  EXPECT_GT(qforms, 0);
  EXPECT_GT(sforms, 0);
  EXPECT_EQ(refused, 2 * 4 * 2);  // a bad sform without a qform
}

// The other programs of a user may take the other form: ITK and nibabel do differ there.
TEST(Nifti, AssumptionsAboutItsGeometryAreNoted) {
  const TemporaryFolder folder;
  const auto note_of = [&](Nifti1 file) {
    file.save(folder / "one.nii");
    return read_header(folder / "one.nii").note;
  };
  Nifti1 file = plain();
  EXPECT_THAT(note_of(file), HasSubstr("taken as L, P and S"));
  file.set<std::int16_t>(252, 1);  // the quaternion of no turn
  EXPECT_EQ(note_of(file), "");
  Rows rows{{{2, 0, 0, 0}, {0, 3, 0, 0}, {0, 0, 4, 0}}};
  set_sform(file, 2, rows);
  EXPECT_EQ(note_of(file), "");
  rows[1][3] = 0.19F;  // rounding: less than a tenth of the smallest spacing
  set_sform(file, 2, rows);
  EXPECT_EQ(note_of(file), "");
  rows[1][3] = 5;
  set_sform(file, 2, rows);
  EXPECT_THAT(note_of(file), HasSubstr("up to 5 mm apart: the qform is taken"));
  set_sform(file, 1, rows);
  EXPECT_THAT(note_of(file), HasSubstr("up to 5 mm apart: the sform is taken"));
  file.set<std::int8_t>(123, 1);  // metres
  EXPECT_THAT(note_of(file), HasSubstr("up to 5e+03 mm apart"));
  // A mirror: the far corner is where the near one should be.
  file = plain();
  file.set<std::int16_t>(252, 1);
  set_sform(file, 4, {{{-2, 0, 0, 2}, {0, 3, 0, 0}, {0, 0, 4, 0}}});
  EXPECT_THAT(note_of(file), HasSubstr("up to 2 mm apart: the qform is taken"));
}

// Header and voxels in two files; Analyze has no magic word, and its header no forms, units or slope.
TEST(Nifti, PairsAreReadAsItkReadsThem) {
  const TemporaryFolder folder;
  for (const bool analyze : {false, true})
    for (const bool packed : {false, true}) {
      SCOPED_TRACE(fmt::format("Analyze {}, gzip {}", analyze, packed));
      Nifti1 file = plain();
      set_qform(file, 1), set_sform(file, 2, kTurned);
      file.set<float>(108, 3).set<float>(112, 2).set<float>(116, 1);
      if (analyze) file.set<std::int8_t>(123, 1);  // would be metres
      std::memcpy(file.bytes.data() + 344, analyze ? "\0\0\0" : "ni1", 4);
      testing::write_bytes(folder / "pair.hdr", file.bytes.substr(0, 348));
      const std::string voxels = "xyz" + std::string(12, '\5');
      std::filesystem::remove(folder / "pair.img");
      std::filesystem::remove(folder / "pair.img.gz");
      if (packed) {
        FileWriter out(folder / "pair.img.gz", folder / "pair.img.gz");
        write_gzip(out, "", voxels, Content::any);
      } else {
        testing::write_bytes(folder / "pair.img", voxels);
      }
      const auto expected = grid_of_itk(folder / "pair.hdr");
      ASSERT_TRUE(expected);
      for (const char* name : {"pair.hdr", packed ? "pair.img.gz" : "pair.img"}) {
        const Image image = read_image(folder / name);
        EXPECT_TRUE(same_grid(image.grid, *expected, 1e-5)) << describe(image.grid);
        EXPECT_EQ(image.values, std::vector<float>(12, analyze ? 5.F : 11.F));
      }
    }
  EXPECT_EQ(read_header(folder / "pair.hdr").format, "Analyze");
}

TEST(Nifti, TheFileOfAPairThatWasNamedIsTheOneThatIsRead) {
  const TemporaryFolder folder;
  Nifti1 file = plain();
  std::memcpy(file.bytes.data() + 344, "ni1", 4);
  file.set<float>(108, 0);
  const auto write_voxels = [&](const char* name, char value) {
    FileWriter out(folder / name, folder / name);
    const std::string voxels(12, value);
    if (full_extension(name) == ".img.gz") return write_gzip(out, "", voxels, Content::any);
    out.write(voxels);
  };
  testing::write_bytes(folder / "x.hdr", file.bytes.substr(0, 348));
  write_voxels("x.img", 1), write_voxels("x.img.gz", 2);
  EXPECT_EQ(read_image(folder / "x.img").values[0], 1.F);
  EXPECT_EQ(read_image(folder / "x.img.gz").values[0], 2.F);
  testing::write_bytes(folder / "BRAIN.HDR", file.bytes.substr(0, 348));
  write_voxels("BRAIN.IMG", 3);
  for (const char* name : {"BRAIN.HDR", "BRAIN.IMG"})
    EXPECT_EQ(read_image(folder / name).values[0], 3.F) << name;
  // Another image of that name is none of the pair's.
  Grid grid;
  grid.size = {30, 30, 30};
  write_image(folder / "x.nii.gz", testing::ramp(grid));
  EXPECT_EQ(read_image(folder / "x.nii.gz").grid.size[0], 30);
}

// What we write is where ITK sees it, by either form, for every handedness.
TEST(Nifti, ItkReadsWhatWeWriteByBothForms) {
  const TemporaryFolder folder;
  for (const char* axes : {"turned", "mirrored", "half turns"})
    for (int turn = 0; turn < 6; ++turn) {
      SCOPED_TRACE(fmt::format("{} {}", axes, turn));
      Grid grid;
      grid.size = {3, 4, 5};
      grid.spacing = {0.5, 1.25, 2};
      grid.origin = {-10, 20.5, 31};
      const double c = axes[0] == 'h' ? -1 : std::cos(0.7 + turn),
                   s = axes[0] == 'h' ? 0 : std::sin(0.7 + turn);
      const int a = turn % 3, b = (turn + 1) % 3;
      grid.direction[a][a] = c, grid.direction[a][b] = -s;
      grid.direction[b][a] = s, grid.direction[b][b] = c;
      if (axes[0] == 'm')
        for (auto& row : grid.direction) row[turn % 3] *= -1;
      write_image(folder / "whole.nii", testing::ramp(grid));
      EXPECT_TRUE(same_grid(*grid_of_itk(folder / "whole.nii"), grid, 1e-4));
      EXPECT_TRUE(same_grid(read_header(folder / "whole.nii").grid, grid, 1e-4));
      std::string bytes = read_text(folder / "whole.nii");
      bytes.replace(254, 2, std::string(2, '\0'));  // without the sform
      testing::write_bytes(folder / "qform.nii", bytes);
      EXPECT_TRUE(same_grid(*grid_of_itk(folder / "qform.nii"), grid, 1e-4))
          << describe(*grid_of_itk(folder / "qform.nii"));
    }
}

TEST(Nifti, UnitsScaleSpacingAndOrigin) {
  const TemporaryFolder folder;
  Nifti1 file = plain();
  set_sform(file, 1, kTurned);
  file.bytes[123] = 1;  // metres
  file.save(folder / "m.nii");
  const Grid grid = read_header(folder / "m.nii").grid;
  EXPECT_NEAR(norm(grid.spacing - Vec3{2000, 3000, 4000}), 0, 1e-6);
  EXPECT_NEAR(norm(grid.origin - Vec3{1000, 2000, -3000}), 0, 1e-6);
}

TEST(Nifti, ALargeOffsetIsNoShear) {
  const TemporaryFolder folder;
  Nifti1 file = plain();
  file.set<float>(80, 0.3F).set<float>(84, 0.3F).set<float>(88, 0.3F);
  set_sform(file, 1, {{{0.3F, 0, 0, -755.3F}, {0, 0.3F, 0, -300}, {0, 0, 0.3F, 1755}}});
  file.save(folder / "far.nii");
  EXPECT_NEAR(read_header(folder / "far.nii").grid.origin[2], 1755, 1e-9);
}

// One slice in a 3-D file, its axes given in LPS.
Grid slice(const Path& path, const Vec3& i, const Vec3& j, const Vec3& origin = {7, 8, 9}) {
  Nifti1 file({4, 5, 1});
  file.append(std::vector<std::uint8_t>(20, 1)).set<float>(80, 2).set<float>(84, 3);
  Rows rows{};
  const Vec3 k{i[1] * j[2] - i[2] * j[1], i[2] * j[0] - i[0] * j[2], i[0] * j[1] - i[1] * j[0]};
  for (int r = 0; r < 3; ++r) {
    const double sign = r < 2 ? -1 : 1;
    rows[r] = {static_cast<float>(sign * 2 * i[r]), static_cast<float>(sign * 3 * j[r]),
               static_cast<float>(sign * k[r]), static_cast<float>(sign * origin[r])};
  }
  set_sform(file, 1, rows);
  file.save(path);
  return read_image(path).grid;
}

class Slices : public ::testing::Test {
 protected:
  // Reads the slice; what is noted of it goes to said_. Distances must be those of the slice.
  Grid read(const char* name, const Vec3& i, const Vec3& j) {
    const Grid grid = slice(folder_ / name, i, j);
    said_ = read_header(folder_ / name).note;
    EXPECT_EQ(grid.dims, 2);
    EXPECT_NEAR(norm(grid.to_point({3, 4, 0}) - grid.to_point({0, 0, 0})), std::hypot(6, 12), 1e-4);
    EXPECT_NEAR(norm(grid.to_point({1, 0, 0}) - grid.to_point({0, 1, 0})), std::hypot(2, 3), 1e-4);
    return grid;
  }

  TemporaryFolder folder_;
  std::string said_;
};

TEST_F(Slices, AnAxialSliceKeepsItsAxes) {
  const double c = std::cos(0.3), s = std::sin(0.3);
  const Grid grid = read("axial.nii", {-c, s, 0}, {s, c, 0});
  EXPECT_EQ(said_, "");
  EXPECT_NEAR(norm(grid.to_point({1, 0, 0}) - Vec3{7 - 2 * c, 8 + 2 * s, 0}), 0, 1e-5);
}

TEST_F(Slices, ATiltedSliceKeepsItsLengthsAndItsSides) {
  const double h = std::sqrt(0.5);
  const Grid grid = read("tilted.nii", {-1, 0, 0}, {0, h, h});
  EXPECT_THAT(said_, HasSubstr("it is a tilted slice"));
  EXPECT_EQ(axis_codes(grid), "RP");
  EXPECT_NEAR(norm(grid.origin - Vec3{7, h * (8 + 9), 0}), 0, 1e-5);
  const double c = std::cos(0.3), s = std::sin(0.3);
  read("oblique.nii", {c, s * h, s * h}, {-s, c * h, c * h});
  EXPECT_THAT(said_, HasSubstr("it is a tilted slice"));
}

TEST_F(Slices, ASagittalSliceGetsAxesOfItsOwn) {
  const Grid grid = read("sagittal.nii", {0, 1, 0}, {0, 0, -1});
  EXPECT_THAT(said_, HasSubstr("across the first two world axes; its own axes are used"));
  EXPECT_EQ(grid.direction, kIdentity3);
  EXPECT_NEAR(norm(grid.origin - Vec3{8, -9, 0}), 0, 1e-5);
  read("steep.nii", {0, 1, 0}, {0.1, 0, std::sqrt(0.99)});
  EXPECT_THAT(said_, HasSubstr("across the first two world axes"));
}

TEST_F(Slices, OfOtherFormatsToo) {
  const std::string head =
      "NRRD0004\ntype: uchar\ndimension: 3\nspace: left-posterior-superior\nsizes: 2 2 1\n";
  testing::write_bytes(folder_ / "tilted.nrrd",
                       head +
                           "space directions: (1,0,0) (0,0.6,0.8) (0,-0.8,0.6)\n"
                           "space origin: (0,0,0)\nencoding: raw\n\nxxxx");
  const Grid grid = read_image(folder_ / "tilted.nrrd").grid;
  EXPECT_THAT(read_header(folder_ / "tilted.nrrd").note, HasSubstr("it is a tilted slice"));
  EXPECT_NEAR(norm(grid.to_point({0, 1, 0}) - grid.origin), 1, 1e-6);
}

TEST(Nifti, LargeImagesAreWrittenAsVersion2) {
  const TemporaryFolder folder;
  for (const char* extension : {".nii", ".nii.gz"})
    for (const int dims : {2, 3}) {
      SCOPED_TRACE(fmt::format("{}-D{}", dims, extension));
      Grid grid;
      grid.dims = dims;
      grid.size = {40000, 2, dims == 3 ? 3 : 1};
      grid.spacing = {0.5, 1.25, dims == 3 ? 2.0 : 1.0};
      grid.origin = {-3, 4, dims == 3 ? 5.0 : 0.0};
      grid.direction = {{{0.6, -0.8, 0}, {0.8, 0.6, 0}, {0, 0, 1}}};
      const Path image = folder / (std::string("image") + extension);
      write_image(image, testing::ramp(grid));
      EXPECT_EQ(read_image(image).values, testing::ramp(grid).values);
      const ImageHeader header = read_header(image);
      EXPECT_EQ(header.grid.dims, dims);
      EXPECT_EQ(header.type, "float32");
      EXPECT_TRUE(same_grid(header.grid, grid, 1e-6)) << describe(header.grid);
      if (extension == std::string(".nii")) {
        EXPECT_EQ(read_text(image).substr(4, 3), "n+2");
      }
      Labels labels(grid);
      labels.values[39999] = 300;
      const Path map = folder / (std::string("labels") + extension);
      write_labels(map, labels);
      EXPECT_EQ(read_labels(map).values, labels.values);
      EXPECT_EQ(read_header(map).type, "uint16");
      VectorImage vectors(grid);
      for (std::size_t v = 0; v < vectors.values.size(); ++v)
        vectors.values[v] = static_cast<float>(v) - 0.5F;
      const Path field = folder / (std::string("field") + extension);
      write_vectors(field, vectors);
      EXPECT_EQ(read_vectors(field).values, vectors.values);
    }
}

// 2^32 + 2 would be 2 in 32 bits.
TEST(Nifti, MoreComponentsThanAnIntHoldsAreRefused) {
  const TemporaryFolder folder;
  const std::int64_t components = (std::int64_t{1} << 32) + 2;
  Nifti1 file = testing::as_version_2(Nifti1({2, 2, 1, 1, 2}));
  file.set<std::int32_t>(504, 1007).set<std::int64_t>(56, components);
  file.save(folder / "many.nii");
  std::filesystem::resize_file(folder / "many.nii", 544 + 4 * components);  // a hole, no blocks
  EXPECT_THAT(testing::error_of([&] { read_header(folder / "many.nii"); }),
              HasSubstr("has 4294967298 values per voxel"));
}

}  // namespace
}  // namespace aladdin
