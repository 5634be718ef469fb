// Transforms in the files of other programs: each as its documentation has it, computed here in a few lines of its own, and
// through a file and back. bench/formats holds them to the programs themselves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "aladdin/image/io.h"
#include "aladdin/transform/test_fields.h"
#include "aladdin/transform/transform_file.h"

namespace aladdin {
namespace {

using namespace testing;
using ::testing::HasSubstr;

constexpr double kMm = 1e-3;

Vec3 flip(const Vec3& point) { return {-point[0], -point[1], point[2]}; }

Grid reference_grid() { return oblique_grid(3, small_size(3)); }
// Another handedness than the former: FSL counts its first index from the other end.
Grid source_grid() {
  Grid grid = oblique_grid(3, {23, 28, 21}, -0.25);
  grid.direction = grid.direction * diagonal({1, -1, 1});
  grid.spacing = {1.2, 0.9, 1.4};
  grid.origin = {-13, -20, -11};
  return grid;
}

Affine some_affine() {
  const Vec3 centre = reference_grid().centre();
  return compose(compose(rotation(2, 0.2, centre), rotation(0, -0.15, centre)),
                 compose(scaling({1.1, 0.95, 1.05}, centre), translation({1.5, -2.25, 0.75})));
}
Displacement some_field() { return smooth_field(reference_grid(), 1.5, 1, 7); }

class Formats : public ::testing::Test {
 protected:
  Formats() {
    write_image(folder_ / "ref.nii", Image(reference_grid()));
    write_image(folder_ / "src.nii", Image(source_grid()));
  }

  TransformOutput output(TransformFormat format = TransformFormat::automatic) const {
    return {format, reference_grid(), source_grid(), "ref.nii", "src.nii"};
  }
  TransformFile input(const std::string& name,
                      TransformFormat format = TransformFormat::automatic) const {
    return {folder_ / name, format, folder_ / "src.nii", folder_ / "ref.nii"};
  }
  std::vector<Vec3> points() const { return points_inside(reference_grid(), 1, 200); }

  void expect_same(const Chain& a, const Chain& b, const std::string& what) const {
    double most = 0;
    for (const Vec3& point : points())
      most = std::max(most, norm(map_point(a, point) - map_point(b, point)));
    EXPECT_LT(most, kMm) << what;
  }

  Path write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }

  TemporaryFolder folder_;
};

struct Cell {
  TransformFormat format;
  const char* affine;  // names of files; nullptr: it has none
  const char* field;
};
using F = TransformFormat;
constexpr Cell kCells[] = {
    {F::automatic, "a.tfm", "f.nii.gz"}, {F::automatic, "a.mat", "f.nrrd"},
    {F::automatic, "a.h5", "f.h5"},      {F::automatic, "a.txt", "f.mha"},
    {F::automatic, "a.lta", "f.mif"},    {F::automatic, "a.x5", "f.x5"},
    {F::automatic, nullptr, "g.tfm"},    {F::automatic, nullptr, "f.mif.gz"},
    {F::greedy, "g.mat", "g.nii.gz"},    {F::mrtrix, "m.txt", "m.nii.gz"},
    {F::niftyreg, "n.txt", "n.nii.gz"},  {F::niftyreg_displacement, "nd.txt", "nd.nii.gz"},
    {F::fsl, "fsl.mat", "fsl.nii.gz"},   {F::spm, nullptr, "y_f.nii"}};

TEST_F(Formats, AffinesAndTheirInversesComeBackFromEveryFormat) {
  for (const Cell& cell : kCells)
    for (const bool inverted : {false, true}) {
      if (!cell.affine) continue;
      Chain chain{some_affine()};
      if (inverted) chain = inverse(chain);
      const std::string name = std::string(inverted ? "i" : "") + cell.affine;
      write_transform(folder_ / name, chain, output(cell.format));
      const Chain back = read_transform(input(name, cell.format));
      ASSERT_EQ(back.size(), 1U) << name;
      EXPECT_TRUE(std::holds_alternative<Affine>(back[0])) << name;
      expect_same(back, chain, name);
    }
}

TEST_F(Formats, FieldsAndTheirInversesComeBackFromEveryFormat) {
  for (const Cell& cell : kCells)
    for (const bool inverted : {false, true}) {
      Chain chain{some_affine(), some_field()};
      if (inverted) chain = inverse(chain);
      // What the file can hold of it: the chain on the grid.
      const Chain expected{to_displacement(chain, reference_grid())};
      const std::string name = std::string(inverted ? "i" : "") + cell.field;
      TransformOutput where = output(cell.format);
      const bool composite =
          name.ends_with(".h5") || name.ends_with(".x5") || name.ends_with(".tfm");
      write_transform(folder_ / name, composite ? expected : chain, where);
      expect_same(read_transform(input(name, cell.format)), expected, name);
    }
}

TEST_F(Formats, ACompositeKeepsItsParts) {
  const Chain chain{some_field(), some_affine(), some_field()};
  for (const char* name : {"c.h5", "c.tfm", "c.x5"}) {
    write_transform(folder_ / name, chain);
    const Chain back = read_transform(folder_ / name);
    ASSERT_EQ(back.size(), 3U) << name;
    EXPECT_EQ(std::get<Affine>(back[1]).matrix, some_affine().matrix) << name;
    EXPECT_EQ(std::get<Displacement>(back[2]).vectors.values, some_field().vectors.values) << name;
  }
  for (const int dims : {2, 3}) {
    const Grid grid = oblique_grid(dims, small_size(dims));
    const Chain flat{smooth_field(grid, 1.5, 1, 7), rotation(2, 0.2, grid.centre(), dims)};
    write_transform(folder_ / "d.h5", flat);
    const Chain back = read_transform(folder_ / "d.h5");
    for (const Vec3& point : points_inside(grid, 2, 20))
      EXPECT_LT(norm(map_point(back, point) - map_point(flat, point)), 1e-9);
  }
}

// The warp first, then the affine; the inverse warp undoes the warp.
TEST_F(Formats, Ants) {
  const Chain chain{some_affine(), some_field(), some_affine()};
  const Path prefix = folder_ / "reg_";
  const TransformOutput where = output(TransformFormat::ants);
  EXPECT_EQ(files_of_transform(prefix, chain, where).size(), 3U);
  write_transform(prefix, chain, where);
  const auto part = [&](const char* end) {
    return read_transform(Path(prefix.string() + end)).at(0);
  };
  const Chain expected{to_displacement({chain[0], chain[1]}, reference_grid()), some_affine()};
  expect_same({part("1Warp.nii.gz"), part("0GenericAffine.mat")}, expected, "forward");
  const Chain there_and_back{part("1InverseWarp.nii.gz"), part("1Warp.nii.gz")};
  for (const Vec3& point : points_inside(reference_grid(), 8, 50))
    EXPECT_LT(norm(map_point(there_and_back, point) - point), 0.05);
}

// Each value of a text that holds numbers.
std::vector<double> numbers_in(const Path& path) {
  std::istringstream words(read_text(path));
  std::vector<double> numbers;
  for (double number; words >> number;) numbers.push_back(number);
  return numbers;
}
Vec3 times(const std::vector<double>& m, const Vec3& p) {
  Vec3 out;
  for (int row = 0; row < 3; ++row)
    out[row] = m[4 * row] * p[0] + m[4 * row + 1] * p[1] + m[4 * row + 2] * p[2] + m[4 * row + 3];
  return out;
}

TEST_F(Formats, PlainMatricesMapRasPointsOfTheReference) {
  for (const auto format : {F::greedy, F::mrtrix, F::niftyreg}) {
    write_transform(folder_ / "m.txt", {some_affine()}, output(format));
    const auto matrix = numbers_in(folder_ / "m.txt");
    ASSERT_EQ(matrix.size(), 16U);
    for (const Vec3& point : points())
      EXPECT_LT(norm(flip(times(matrix, flip(point))) - some_affine()(point)), 1e-9);
  }
  // Three lines, and comments, as MRtrix3 writes them.
  write("c.txt", "#centre: 1 2 3\n1 0 0 5\n0 1 0 6\n0 0 1 7\n");
  const Chain shift = read_transform(input("c.txt", F::mrtrix));
  EXPECT_LT(norm(map_point(shift, {0, 0, 0}) - Vec3{-5, -6, 7}), 1e-12);
}

// FSL's points of a voxel: index times spacing, the first index from the other end where the storage is "neurological".
Vec3 fsl(const Grid& grid, Vec3 index, bool neurological) {
  if (neurological) index[0] = static_cast<double>(grid.size[0] - 1) - index[0];
  for (int axis = 0; axis < 3; ++axis) index[axis] *= grid.spacing[axis];
  return index;
}

TEST_F(Formats, FlirtMapsScaledVoxelsOfTheSourceToThoseOfTheReference) {
  write_transform(folder_ / "a.mat", {some_affine()}, output(F::fsl));
  const auto matrix = numbers_in(folder_ / "a.mat");
  ASSERT_EQ(matrix.size(), 16U);
  EXPECT_LT(determinant(reference_grid().direction), 0);
  EXPECT_GT(determinant(source_grid().direction), 0);
  for (const Vec3& point : points()) {
    const Vec3 there = source_grid().to_index(some_affine()(point));
    const Vec3 here = fsl(reference_grid(), reference_grid().to_index(point), false);
    EXPECT_LT(norm(times(matrix, fsl(source_grid(), there, true)) - here), 1e-9);
  }
}

TEST_F(Formats, FnirtAddsToScaledVoxels) {
  const Chain chain{some_field(), some_affine()};
  write_transform(folder_ / "f.nii.gz", chain, output(F::fsl));
  const auto volumes = read_volumes(folder_ / "f.nii.gz");
  ASSERT_EQ(volumes.size(), 3U);
  const Grid grid = reference_grid();
  std::vector<float> positions(static_cast<std::size_t>(3 * grid.voxels()));
  for (std::int64_t v = 0; v < grid.voxels(); ++v) {
    const Vec3 index = index_of(grid, v), here = fsl(grid, index, false);
    const Vec3 there = source_grid().to_index(map_point(chain, grid.to_point(index)));
    const Vec3 expected = fsl(source_grid(), there, true);
    for (int c = 0; c < 3; ++c) {
      ASSERT_NEAR(here[c] + volumes[c].values[v], expected[c], kMm);
      positions[c * grid.voxels() + v] = static_cast<float>(expected[c]);
    }
  }
  // The header says that it is FNIRT's.
  TransformFile file = input("f.nii.gz");
  file.reference.reset();
  expect_same(read_transform(file), chain, "by its header");
  // Positions in place of differences.
  write_volumes(folder_ / "p.nii.gz", grid, positions);
  expect_same(read_transform(input("p.nii.gz", F::fsl)), chain, "positions");
}

TEST_F(Formats, MrtrixHoldsTheRasPointsThatVoxelsComeFrom) {
  const Chain chain{some_field(), some_affine()};
  write_transform(folder_ / "d.mif", chain, output());
  const std::string bytes = read_text(folder_ / "d.mif");
  EXPECT_THAT(bytes, HasSubstr("mrtrix image\ndim: 31,26,19,3\nvox: 0.7,1.1,1.9,1\n"));
  const auto at = bytes.find("file: . ");
  ASSERT_NE(at, std::string::npos);
  const std::size_t offset = std::stoul(bytes.substr(at + 8));
  const Grid grid = reference_grid();
  ASSERT_EQ(bytes.size(), offset + sizeof(float) * 3 * static_cast<std::size_t>(grid.voxels()));
  for (std::int64_t v = 0; v < grid.voxels(); v += 17) {
    Vec3 stored;
    for (int c = 0; c < 3; ++c) {
      float value;
      std::memcpy(&value, bytes.data() + offset + sizeof value * (c * grid.voxels() + v),
                  sizeof value);
      stored[c] = value;
    }
    EXPECT_LT(norm(flip(stored) - map_point(chain, grid.to_point(index_of(grid, v)))), kMm);
  }
}

// Axes in another order, one backwards, components first, big-endian doubles: as MRtrix3 may write it.
TEST_F(Formats, MrtrixMayStoreItsAxesInAnyOrder) {
  std::string head =
      "mrtrix image\ndim: 4,3,2,3\nvox: 1,2,3,nan\nlayout: -2,+1,+3,+0\ndatatype: Float64BE\n"
      "transform: 1,0,0,10\ntransform: 0,1,0,20\ntransform: 0,0,1,30\ncommand_history: x: y\n"
      "scaling: 1,2\nfile: . 400\nEND\n";
  head.resize(400, '\0');
  for (int k = 0; k < 2; ++k)
    for (int i = 3; i >= 0; --i)
      for (int j = 0; j < 3; ++j)
        for (int c = 0; c < 3; ++c) {
          const double ras = c == 0 ? 10 + i + 0.5 : c == 1 ? 20 + 2 * j : 30 + 3 * k - 0.25;
          const double stored = (ras - 1) / 2;
          std::uint64_t bits;
          std::memcpy(&bits, &stored, sizeof bits);
          bits = __builtin_bswap64(bits);
          head.append(reinterpret_cast<const char*>(&bits), sizeof bits);
        }
  const Chain chain = read_transform(write("x.mif", head));
  const Vec3 point{-12, -22, 33};
  EXPECT_LT(norm(map_point(chain, point) - Vec3{-12.5, -22, 32.75}), 1e-6);
}

TEST_F(Formats, LtaMapsRasPointsOfTheSource) {
  write_transform(folder_ / "a.lta", {some_affine()}, output());
  const std::string text = read_text(folder_ / "a.lta");
  EXPECT_THAT(text, HasSubstr("type      = 1 # LINEAR_RAS_TO_RAS\n"));
  write("rows", text.substr(text.find("1 4 4\n") + 6));
  const auto matrix = numbers_in(folder_ / "rows");
  for (const Vec3& point : points())
    EXPECT_LT(norm(flip(times(matrix, flip(some_affine()(point)))) - point), 1e-9);
  EXPECT_THAT(text, HasSubstr("volume = 23 28 21\n"));
  const auto at = text.rfind("cras   = ");
  write("cras", text.substr(at + 9));
  const auto cras = numbers_in(folder_ / "cras");
  ASSERT_EQ(cras.size(), 3U);
  EXPECT_LT(norm(flip({cras[0], cras[1], cras[2]}) - reference_grid().to_point({15.5, 13, 9.5})),
            1e-9);
}

TEST_F(Formats, LtaOfVoxelsMapsIndicesOfTheSource) {
  const auto volume = [](const char* size, const char* voxels, const char* cras) {
    return fmt::format(
        "valid = 1  # volume info valid\nfilename = x.mgz\nvolume = {}\n"
        "voxelsize = {}\nxras   = -1 0 0\nyras   = 0 0 -1\nzras   = 0 1 0\ncras   = {}\n",
        size, voxels, cras);
  };
  // Index i of the source is index 2 i + 1 of the destination.
  write("v.lta",
        "# made by hand\ntype      = 0\nnxforms   = 1\nmean = 0 0 0\nsigma = 1\n1 4 4\n"
        "2 0 0 1\n0 2 0 1\n0 0 2 1\n0 0 0 1\nsrc volume info\n" +
            volume("10 12 14", "2 2 2", "1 2 3") + "dst volume info\n" +
            volume("20 24 28", "1 1 1", "4 5 6") + "subject bert\nfscale 0.15\n");
  const Chain chain = read_transform(folder_ / "v.lta");
  // RAS of an index: x = cx - dx (i - w/2), y = cy + dz (k - d/2), z = cz - dy (j - h/2)
  for (const Vec3& i : {Vec3{0, 0, 0}, Vec3{3, 4, 5}, Vec3{9, 2, 7}}) {
    const Vec3 source{1 - 2 * (i[0] - 5), 2 + 2 * (i[2] - 7), 3 - 2 * (i[1] - 6)};
    const Vec3 destination{4 - (2 * i[0] + 1 - 10), 5 + (2 * i[2] + 1 - 14),
                           6 - (2 * i[1] + 1 - 12)};
    EXPECT_LT(norm(map_point(chain, flip(destination)) - flip(source)), 1e-9);
  }
}

TEST_F(Formats, SpmAndNiftyregHoldRasPointsOrDifferences) {
  const Chain chain{some_field(), some_affine()};
  const Grid grid = reference_grid();
  for (const auto format : {F::spm, F::niftyreg, F::niftyreg_displacement}) {
    write_transform(folder_ / "y.nii", chain, output(format));
    const std::string bytes = read_text(folder_ / "y.nii");
    EXPECT_EQ(bytes.substr(328, 7), format == F::spm ? "Mapping" : "NREG_TR");
    for (std::int64_t v = 0; v < grid.voxels(); v += 17) {
      const Vec3 point = grid.to_point(index_of(grid, v));
      Vec3 stored;
      for (int c = 0; c < 3; ++c) {
        float value;
        std::memcpy(&value, bytes.data() + 352 + sizeof value * (c * grid.voxels() + v),
                    sizeof value);
        stored[c] = value;
      }
      stored = flip(stored);
      if (format == F::niftyreg_displacement) stored = point + stored;
      EXPECT_LT(norm(stored - map_point(chain, point)), kMm);
    }
  }
}

TEST_F(Formats, WhatIsMissingOrWrongIsSaid) {
  const auto write_error = [&](const char* name, const Chain& chain, TransformOutput where) {
    return error_of([&] { write_transform(folder_ / name, chain, where); });
  };
  const Chain affine{some_affine()}, field{some_field()};
  EXPECT_THAT(write_error("a.lta", affine, {}), HasSubstr("without the image that it resamples"));
  EXPECT_THAT(write_error("a.nii", affine, {}), HasSubstr("without the grid of the field"));
  EXPECT_THAT(write_error("a.mat", field, {}), HasSubstr("holds an affine only"));
  EXPECT_THAT(write_error("a.lta", field, output()), HasSubstr("holds an affine only"));
  EXPECT_THAT(write_error("a.xyz", affine, {}), HasSubstr("expected .tfm"));
  EXPECT_THAT(write_error("y.mha", field, output(F::spm)), HasSubstr("as 'spm'"));
  EXPECT_THAT(write_error("m.txt", {rotation(2, 1, {0, 0, 0}, 2)}, {F::greedy}), HasSubstr("2-D"));
  const auto read_error = [&](const TransformFile& file) {
    return error_of([&] { read_transform(file); });
  };
  write_transform(folder_ / "f.nii.gz", field, output(F::fsl));
  EXPECT_THAT(read_error({folder_ / "f.nii.gz"}), HasSubstr("the source is missing"));
  write_transform(folder_ / "m.nii.gz", field, output(F::mrtrix));
  EXPECT_THAT(read_error({folder_ / "m.nii.gz"}), HasSubstr("m.nii.gz,as=mrtrix'"));
  write_transform(folder_ / "g.mat", affine, output(F::greedy));
  EXPECT_THAT(read_error({folder_ / "g.mat"}), HasSubstr("g.mat,as=greedy'"));
  write_transform(folder_ / "y.nii", field, output(F::spm));
  EXPECT_THAT(read_error({folder_ / "y.nii", F::niftyreg}), HasSubstr("is a SPM deformation"));
  EXPECT_THAT(read_error({write("s.txt", "1 0 0 0\n1 0 0 0\n0 0 1 0\n0 0 0 1\n"), F::fsl,
                          folder_ / "src.nii", folder_ / "ref.nii"}),
              HasSubstr("has no inverse"));
  EXPECT_THAT(read_error({write("e.lta", "type = 1\n")}), HasSubstr("it has no matrix"));
  EXPECT_THAT(error_of([] { parse_transform_format("niftireg"); }),
              HasSubstr("did you mean 'niftyreg'"));
}

}  // namespace
}  // namespace aladdin
