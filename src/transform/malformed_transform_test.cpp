// Transform files made by damage to good ones. No crash, and one sentence that names the file, or the same chain.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <itkVersorRigid3DTransform.h>
#include <itk_hdf5.h>

#include <cmath>

#include "aladdin/core/text.h"
#include "aladdin/image/io.h"
#include "aladdin/transform/itk_test_transforms.h"
#include "aladdin/transform/test_fields.h"
#include "aladdin/transform/transform_file.h"

namespace aladdin {
namespace {

using namespace testing;
using ::testing::HasSubstr;

bool same(const Transform& a, const Transform& b) {
  if (a.index() != b.index()) return false;
  if (const auto* field = std::get_if<Displacement>(&a)) {
    const auto& other = std::get<Displacement>(b);
    return same_grid(field->grid(), other.grid()) && field->vectors.values == other.vectors.values;
  }
  const auto &one = std::get<Affine>(a), &other = std::get<Affine>(b);
  return one.dims == other.dims && one.matrix == other.matrix && one.offset == other.offset;
}

bool same(const Chain& a, const Chain& b) {
  return std::ranges::equal(a, b, [](const auto& x, const auto& y) { return same(x, y); });
}

enum class Expect { same_or_refused, sound_or_refused, refused };

class MalformedTransform : public ::testing::Test {
 protected:
  void SetUp() override { register_itk_formats(); }
  void TearDown() override {
    std::printf("%d malformed files, %d refused\n", cases_, refused_);
    EXPECT_GT(refused_, 0);
  }

  // The bytes of a good file, whose chain is `whole_` from now on.
  std::string seed(const std::string& name, const itk::TransformBase& transform) {
    write_with_itk(folder_ / name, transform);
    whole_ = read_transform(folder_ / name);
    return read_text(folder_ / name);
  }

  void meet(const std::string& name, const std::string& bytes, Expect expect,
            const std::string& how) {
    const Path path = folder_ / ("damaged-" + name);
    write_bytes(path, bytes);
    meet(path, expect, how);
  }

  void meet(const Path& path, Expect expect, const std::string& how) {
    meet(TransformFile{path}, expect, how);
  }

  void meet(const TransformFile& file, Expect expect, const std::string& how) {
    const Path& path = file.path;
    ++cases_;
    try {
      const Chain chain = read_transform(file);
      EXPECT_NE(expect, Expect::refused) << how;
      EXPECT_TRUE(expect != Expect::same_or_refused || same(chain, whole_)) << how;
      for (const auto& transform : chain) {
        const auto* affine = std::get_if<Affine>(&transform);
        for (int axis = 0; affine && axis < 3; ++axis)
          EXPECT_TRUE(std::isfinite(affine->offset[axis])) << how;
      }
    } catch (const Error& error) {
      ++refused_;
      const std::string sentence = error.what();
      EXPECT_THAT(sentence, HasSubstr(path.string())) << how;
      EXPECT_EQ(sentence.find('\n'), std::string::npos) << how << ": " << sentence;
      EXPECT_LT(sentence.size(), 1000U) << how << ": " << sentence;
    } catch (const std::exception& error) {
      ADD_FAILURE() << how << ": not one of ours: " << error.what();
    }
  }

  void cut(const std::string& name, const std::string& whole, std::size_t step, Expect expect) {
    for (std::size_t length = 0; length < whole.size(); length += step)
      meet(name, whole.substr(0, length), expect, fmt::format("{} cut at {}", name, length));
  }

  void hurt_lines(const std::string& name, const std::string& whole, Expect expect) {
    for (std::size_t begin = 0; begin < whole.size();) {
      const std::size_t end = whole.find('\n', begin) + 1;
      const std::string line = whole.substr(begin, end - begin);
      const auto put = [&](const std::string& other, Expect what) {
        meet(name, whole.substr(0, begin) + other + whole.substr(end), what,
             fmt::format("{}: '{}' became '{}'", name, trim(line), one_line(other)));
      };
      put("", expect);
      put(line + line, expect);
      put(line.substr(0, line.find(':') + 1) + "\n", expect);
      if (const auto at = line.find("Parameters:"); at != std::string::npos)
        hurt_numbers(line, at + 11, put);
      begin = end;
    }
  }

  // Every number left out, doubled, and another.
  template <class Put>
  void hurt_numbers(const std::string& line, std::size_t at, const Put& put) {
    for (at = line.find_first_not_of(" \n", at); at != std::string::npos;) {
      const std::size_t end = line.find_first_of(" \n", at);
      const auto with = [&](const std::string& word) {
        return line.substr(0, at) + word + line.substr(end);
      };
      const std::string number = line.substr(at, end - at);
      put(with(""), Expect::refused);
      put(with(number + " " + number), Expect::refused);
      for (const char* word : {"nan", "inf", "1e999", "0x10", "1,5", "%s%n", "\xff\xff"})
        put(with(word), Expect::refused);
      for (const char* word : {"0", "-1", "1e308", "-1e300", "99999999999999999999", "1.5"})
        put(with(word), Expect::sound_or_refused);
      at = line.find_first_not_of(" \n", end);
    }
  }

  void hurt_bytes(const std::string& name, const std::string& whole, std::size_t step) {
    for (std::size_t at = 0; at < whole.size(); at += step)
      for (const char other : {'\0', '\xff', static_cast<char>(whole[at] ^ 1)}) {
        std::string bytes = whole;
        bytes[at] = other;
        meet(name, bytes, Expect::sound_or_refused, fmt::format("{}, byte {}", name, at));
      }
  }

  TemporaryFolder folder_;
  Chain whole_;
  int cases_ = 0, refused_ = 0;
};

itk::TransformBase::Pointer turn() {
  auto transform = itk::VersorRigid3DTransform<double>::New();
  auto numbers = transform->GetParameters();
  for (unsigned n = 0; n < numbers.Size(); ++n) numbers[n] = 0.125 * (n + 1);
  transform->SetParameters(numbers);
  return transform.GetPointer();
}

TEST_F(MalformedTransform, Text) {
  for (const auto& transform :
       {turn(), itk::TransformBase::Pointer(small_itk_field<double, 2>())}) {
    const std::string whole = seed("a.tfm", *transform);
    cut("a.tfm", whole, 1, Expect::same_or_refused);
    hurt_lines("a.tfm", whole, Expect::same_or_refused);
    hurt_bytes("a.tfm", whole, 1);
  }
  // Without its last parts, or without its first line, a composite is another good file.
  const std::string whole = seed("c.tfm", *small_itk_composite<double, 3>());
  cut("c.tfm", whole, 1, Expect::sound_or_refused);
  hurt_lines("c.tfm", whole, Expect::sound_or_refused);
}

TEST_F(MalformedTransform, TextThatClaimsMuch) {
  const auto field = [&](const std::string& size, const std::string& numbers) {
    meet("f.tfm",
         "#Insight Transform File V1.0\nTransform: DisplacementFieldTransform_double_3_3\n"
         "Parameters: " +
             numbers + "\nFixedParameters: " + size + " 0 0 0 1 1 1 1 0 0 0 1 0 0 0 1\n",
         Expect::refused, "a field of " + size);
  };
  for (const char* size :
       {"30000 30000 30000", "4294967296 4294967296 1", "4194304 4194304 2097152", "1e19 1 1",
        "1e300 1e300 1e300", "2 1 1", "0.5 2 1", "0 0 0", "-1 -1 1", "3 1 1"})
    for (const char* numbers : {"", "1 2 3"}) field(size, numbers);
  for (const char* type :
       {"BSplineTransform_double_3_3", "CompositeTransform_double_3_3",
        "AffineTransform_double_4_4", "AffineTransform", "AffineTransform_long_3_3",
        "AffineTransform_double_3_3_double_2_2", "_double_3_3", "itkImageIOBase", "", "../../a",
        "VelocityFieldTransform_double_3_3"})
    meet("t.tfm",
         fmt::format("#Insight Transform File V1.0\nTransform: {}\nParameters: 1 0 0\n"
                     "FixedParameters: 0\n",
                     type),
         Expect::refused, type);
  const std::string
      start = "#Insight Transform File V1.0\n",
      composite = "Transform: CompositeTransform_double_3_3\n",
      shift = "Transform: TranslationTransform_double_3_3\nParameters: 1 2 3\nFixedParameters:\n",
      flat = "Transform: TranslationTransform_double_2_2\nParameters: 1 2\nFixedParameters:\n";
  for (const std::string& text :
       {std::string(), composite, composite + composite + shift, composite + shift + composite,
        composite + flat, "Transform: CompositeTransform_double_4_4\n" + shift,
        "Parameters: 1 2 3\n" + shift, "ComponentTransformFile: other.tfm\n" + shift,
        composite + "Parameters: 1\nFixedParameters:\n" + shift})
    meet("c.tfm", start + text, Expect::refused, text);
}

TEST_F(MalformedTransform, Lta) {
  const Path path = folder_ / "a.lta";
  const Grid grid = oblique_grid(3, small_size(3));
  write_transform(path, {rotation(2, 0.3, {1, 2, 3})}, {{}, grid, grid, "a.nii", "b.nii"});
  std::string whole = read_text(path);
  for (const char* type : {"1", "0"}) {
    whole.replace(whole.find("= ") + 2, 1, type);
    cut("a.lta", whole, 1, Expect::sound_or_refused);
    hurt_lines("a.lta", whole, Expect::sound_or_refused);
    hurt_bytes("a.lta", whole, 1);
  }
}

TEST_F(MalformedTransform, PlainMatrix) {
  const std::string whole = "1 0.5 0 3\n0 1 0 4\n0 0.25 1 5\n0 0 0 1\n";
  write_image(folder_ / "image.nii", Image(oblique_grid(3, small_size(3))));
  const auto both = [&](const std::string& text, const std::string& how) {
    write_bytes(folder_ / "m.mat", text);
    TransformFile file{folder_ / "m.mat", TransformFormat::greedy, folder_ / "image.nii",
                       folder_ / "image.nii"};
    meet(file, Expect::sound_or_refused, how);
    file.format = TransformFormat::fsl;
    meet(file, Expect::sound_or_refused, how);
  };
  for (std::size_t at = 0; at < whole.size(); ++at) {
    both(whole.substr(0, at), fmt::format("cut at {}", at));
    for (const char other : {'\0', '\xff', '9', '-', ' ', '\n', 'e'}) {
      std::string bytes = whole;
      bytes[at] = other;
      both(bytes, fmt::format("byte {}", at));
    }
    both(whole.substr(0, at) + "1e308 " + whole.substr(at), fmt::format("a number more at {}", at));
  }
}

TEST_F(MalformedTransform, FieldsOfThreeVolumes) {
  const Grid grid = oblique_grid(3, {4, 3, 2});
  write_image(folder_ / "image.nii", Image(grid));
  const Chain chain{translation({1, 2, 3})};
  const auto hurt = [&](const char* name, TransformFormat format, std::size_t most) {
    const Path path = folder_ / name;
    write_transform(path, chain, {format, grid, grid});
    const std::string whole = read_text(path);
    const TransformFile file{path, format, folder_ / "image.nii"};
    for (std::size_t at = 0; at < std::min(most, whole.size()); ++at)
      for (const char other : {'\0', at % 2 ? '\xff' : '\x7f'}) {
        std::string bytes = whole;
        bytes[at] = other;
        write_bytes(path, bytes);
        meet(file, Expect::sound_or_refused, fmt::format("{}, byte {}", name, at));
      }
    for (std::size_t length = 0; length < whole.size(); length += 17) {
      write_bytes(path, whole.substr(0, length));
      meet(file, Expect::sound_or_refused, fmt::format("{} cut at {}", name, length));
    }
  };
  hurt("fsl.nii", TransformFormat::fsl, 348);
  hurt("mrtrix.nii", TransformFormat::mrtrix, 348);
  hurt("mrtrix.mif", TransformFormat::mrtrix, 400);
}

TEST_F(MalformedTransform, Matlab) {
  const std::string whole = seed("a.mat", *turn());
  const std::string name = "VersorRigid3DTransform_double_3_3";
  const std::size_t second = 20 + name.size() + 1 + 6 * 8;
  ASSERT_EQ(whole.size(), second + 20 + 6 + 3 * 8);
  cut("a.mat", whole, 1, Expect::same_or_refused);
  hurt_bytes("a.mat", whole, 1);
  for (const std::size_t variable : {std::size_t{0}, second})
    for (std::size_t field = 0; field < 5; ++field)
      for (const std::uint32_t word :
           {0U, 1U, 2U, 3U, 5U, 7U, 10U, 100U, 1000U, 65536U, 0x7fffffffU, 0x80000000U, ~0U}) {
        std::string bytes = whole;
        std::memcpy(bytes.data() + variable + 4 * field, &word, sizeof word);
        meet("a.mat", bytes, Expect::sound_or_refused, fmt::format("word {} is {}", field, word));
      }
  const std::string one = whole.substr(0, second), two = whole.substr(second);
  for (const std::string& bytes :
       {one, two, two + one, one + one, two + two, whole + one, one + two + two})
    meet("a.mat", bytes, Expect::refused, "variables left out, doubled and exchanged");
  for (const int more : {-1, 1}) {  // a number less, and one more
    std::string bytes = whole;
    bytes[4] = static_cast<char>(6 + more);
    const std::size_t data = 20 + name.size() + 1;
    meet("a.mat", more < 0 ? bytes.erase(data, 8) : bytes.insert(data, 8, '\0'), Expect::refused,
         "numbers");
  }
}

TEST_F(MalformedTransform, Hdf5) {
  for (const auto& transform :
       {turn(), itk::TransformBase::Pointer(small_itk_composite<double, 2>())}) {
    const std::string whole = seed("a.h5", *transform);
    cut("a.h5", whole, 97, Expect::same_or_refused);
    hurt_bytes("a.h5", whole, 101);
  }
}

// A good file whose parameters, six numbers, HDF5 itself puts elsewhere or makes others.
class HostileHdf5 : public MalformedTransform {
 protected:
  void SetUp() override {
    MalformedTransform::SetUp();
    seed("other.h5", *turn());
    write_bytes(folder_ / "raw", std::string(48, '\0'));
    other_ = (folder_ / "other.h5").string();
  }

  void change(const char* how, const std::function<bool(hid_t group)>& work,
              Expect expect = Expect::refused) {
    const Path path = folder_ / "a.h5";
    seed("a.h5", *turn());
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t group = H5Gopen(file, "/TransformGroup/0", H5P_DEFAULT);
    name_ = H5Lexists(group, "TransformParameters", H5P_DEFAULT) > 0 ? "TransformParameters"
                                                                     : "TranformParameters";
    inside_ = "/TransformGroup/0/" + name_;
    ASSERT_GE(H5Lmove(group, name(), group, "moved", H5P_DEFAULT, H5P_DEFAULT), 0);
    ASSERT_TRUE(work(group)) << how;
    H5Gclose(group);
    H5Fclose(file);
    meet(path, expect, how);
  }

  const char* name() const { return name_.c_str(); }

  bool put(hid_t group, hid_t type, std::vector<hsize_t> size, hid_t how = H5P_DEFAULT,
           bool fill = true) const {
    const hid_t space = H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr);
    const hid_t set = H5Dcreate(group, name(), type, space, H5P_DEFAULT, how, H5P_DEFAULT);
    const std::vector<char> zeros(64);
    if (fill && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, zeros.data()) < 0) return false;
    return H5Dclose(set) >= 0;
  }

  std::string name_, inside_, other_;
};

TEST_F(HostileHdf5, CountsAndTypes) {
  const auto numbers = [&](hsize_t count) {
    return [this, count](hid_t group) { return put(group, H5T_NATIVE_DOUBLE, {count}); };
  };
  change("six", numbers(6), Expect::sound_or_refused);
  EXPECT_EQ(refused_, 0);
  change("none", [](hid_t) { return true; });
  change("too few", numbers(5));
  change("too many", numbers(7));
  change("two axes", [&](hid_t group) { return put(group, H5T_NATIVE_DOUBLE, {6, 1}); });
  change("integers", [&](hid_t group) { return put(group, H5T_NATIVE_INT64, {6}); });
  change("strings", [&](hid_t group) { return put(group, H5T_C_S1, {6}); });
  change("a group", [&](hid_t group) {
    return H5Gclose(H5Gcreate(group, name(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)) >= 0;
  });
  change("2^40 numbers that nothing stores", [&](hid_t group) {
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    const hsize_t chunk = 4096;
    return H5Pset_chunk(how, 1, &chunk) >= 0 &&
           put(group, H5T_NATIVE_DOUBLE, {hsize_t{1} << 40}, how, false);
  });
}

TEST_F(HostileHdf5, NothingIsReadFromElsewhere) {
  change("a link to another file", [&](hid_t group) {
    return H5Lcreate_external(other_.c_str(), inside_.c_str(), group, name(), H5P_DEFAULT,
                              H5P_DEFAULT) >= 0;
  });
  change("a link within", [&](hid_t group) {
    return H5Lcreate_soft("moved", group, name(), H5P_DEFAULT, H5P_DEFAULT) >= 0;
  });
  change("numbers in another file", [&](hid_t group) {
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    return H5Pset_external(how, (folder_ / "raw").c_str(), 0, 48) >= 0 &&
           put(group, H5T_NATIVE_DOUBLE, {6}, how, false);
  });
  change("numbers from a virtual dataset", [&](hid_t group) {
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    const hsize_t size = 6;
    const hid_t space = H5Screate_simple(1, &size, nullptr);
    return H5Pset_virtual(how, space, other_.c_str(), inside_.c_str(), space) >= 0 &&
           put(group, H5T_NATIVE_DOUBLE, {6}, how, false);
  });
}

}  // namespace
}  // namespace aladdin
