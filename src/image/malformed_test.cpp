// A corpus of malformed images, made by mutation: every field of the binary headers, every line of the
// text headers, every boundary at which a file can be cut, damage to gzip, huge claims. Each is read or
// refused with one sentence; nothing crashes, no other exception comes through, and nothing above 64 MB
// is allocated for a file of a few kilobytes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <atomic>
#include <cmath>
#include <limits>

#include "aladdin/image/io.h"
#include "aladdin/image/test_files.h"

// Every allocation of this program and of its libraries, malloc's too, also in the processes that it forks; ASan keeps
// its own.
namespace {
std::atomic<std::size_t>* const largest_allocation = static_cast<std::atomic<std::size_t>*>(
    mmap(nullptr, sizeof(std::size_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));

void note_allocation(std::size_t bytes) {
  // Allocations come before the above has been set.
  if (largest_allocation && bytes > largest_allocation->load(std::memory_order_relaxed))
    *largest_allocation = bytes;
}
}  // namespace

#ifndef __SANITIZE_ADDRESS__
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* malloc(std::size_t bytes) {
  note_allocation(bytes);
  return __libc_malloc(bytes);
}
void* calloc(std::size_t count, std::size_t bytes) {
  note_allocation(count * bytes);
  return __libc_calloc(count, bytes);
}
void* realloc(void* old, std::size_t bytes) {
  note_allocation(bytes);
  return __libc_realloc(old, bytes);
}
}
#endif

namespace aladdin {
namespace {

constexpr std::size_t kMostBytes = 64U << 20;

struct Field {
  std::size_t offset, bytes;
  bool number = true;  // false: floating point
};

// The fields of NIfTI-1 that mean something to a reader, and those of Analyze before it.
std::vector<Field> nifti1_fields() {
  std::vector<Field> fields{{0, 4},          {32, 4},         {36, 2},  {38, 1},  {39, 1},
                            {68, 2},         {70, 2},         {72, 2},  {74, 2},  {108, 4, false},
                            {112, 4, false}, {116, 4, false}, {120, 2}, {122, 1}, {123, 1},
                            {252, 2},        {254, 2},        {344, 4}};
  for (std::size_t d = 0; d < 8; ++d) fields.push_back({40 + 2 * d, 2});
  for (std::size_t d = 0; d < 8; ++d) fields.push_back({76 + 4 * d, 4, false});
  for (std::size_t d = 0; d < 6; ++d) fields.push_back({256 + 4 * d, 4, false});
  for (std::size_t d = 0; d < 12; ++d) fields.push_back({280 + 4 * d, 4, false});
  return fields;
}

std::vector<Field> nifti2_fields() {
  std::vector<Field> fields{{0, 4},   {4, 8},          {12, 2},         {14, 2},
                            {168, 8}, {176, 8, false}, {184, 8, false}, {344, 4},
                            {348, 4}, {500, 4},        {504, 4}};
  for (std::size_t d = 0; d < 8; ++d) fields.push_back({16 + 8 * d, 8});
  for (std::size_t d = 0; d < 8; ++d) fields.push_back({104 + 8 * d, 8, false});
  for (std::size_t d = 0; d < 6; ++d) fields.push_back({352 + 8 * d, 8, false});
  for (std::size_t d = 0; d < 12; ++d) fields.push_back({400 + 8 * d, 8, false});
  return fields;
}

// What a field may wrongly hold, as its bytes.
std::vector<std::string> wrong_values(const Field& field) {
  const auto of = [&](auto value) {
    std::string bytes(reinterpret_cast<const char*>(&value), sizeof value);
    bytes.resize(field.bytes);  // little-endian: the low ones
    return bytes;
  };
  std::vector<std::string> values{of(std::int64_t{0}), std::string(field.bytes, '\xff')};
  std::string most(field.bytes, '\xff');
  most.back() = '\x7f';
  values.push_back(most);
  if (field.number) {
    values.push_back(of(std::int64_t{9}));
    values.push_back(of(std::int64_t{32000}));
    return values;
  }
  for (const double value : {std::numeric_limits<double>::quiet_NaN(), 1e30, -1.0, 1e-30, 9e8})
    values.push_back(field.bytes == 8 ? of(value) : of(static_cast<float>(value)));
  return values;
}

class Malformed : public ::testing::Test {
 protected:
  // One image of 7 x 6 x 5 voxels, as `name` stores it; vectors if asked.
  std::string seed(const std::string& name, bool vectors = false) {
    Grid grid;
    grid.size = {7, 6, 5};
    grid.spacing = {1, 1.5, 2};
    if (vectors) {
      write_vectors(folder_ / name, VectorImage(grid));
    } else if (name.find(".mif") != std::string::npos) {
      write_volumes(folder_ / name, grid, testing::ramp(grid).values);
    } else {
      write_image(folder_ / name, testing::ramp(grid));
    }
    return read_text(folder_ / name);
  }

  // Writes the bytes and reads them in every way.
  void meet(const std::string& name, const std::string& bytes, const std::string& how) {
    const Path path = folder_ / name;
    testing::write_bytes(path, bytes);
    ++cases_;
    *largest_allocation = 0;
    const auto attempt = [&](auto&& read) {
      try {
        read();
        return true;
      } catch (const Error& error) {
        const std::string sentence = error.what();
        EXPECT_THAT(sentence, ::testing::HasSubstr(path.string())) << how;
        EXPECT_EQ(sentence.find('\n'), std::string::npos) << how << ": " << sentence;
        EXPECT_LT(sentence.size(), 1000U) << how << ": " << sentence;
      } catch (const std::exception& error) {
        ADD_FAILURE() << how << ": not one of ours: " << error.what();
      }
      return false;
    };
    attempt([&] { read_header(path); });
    const bool image = attempt([&] { read_image(path); });
    const bool vectors = attempt([&] { read_vectors(path); });
    attempt([&] { read_volumes(path); });
    attempt([&] { read_image(path.string() + ",0"); });
    EXPECT_LE(largest_allocation->load(), kMostBytes) << how;
    refused_ += !image && !vectors;
  }

  void hurt_fields(const std::string& name, const std::vector<Field>& fields,
                   bool vectors = false) {
    const std::string whole = seed(name, vectors);
    for (const Field& field : fields)
      for (const auto& value : wrong_values(field)) {
        std::string bytes = whole;
        bytes.replace(field.offset, field.bytes, value);
        meet(name, bytes, fmt::format("{} at {}", name, field.offset));
      }
  }

  void cut_everywhere(const std::string& name, const std::vector<std::size_t>& boundaries) {
    const std::string whole = seed(name);
    for (const std::size_t at : boundaries)
      for (const std::size_t length : {at - 1, at, at + 1})
        if (length < whole.size())
          meet(name, whole.substr(0, length), fmt::format("{} cut at {}", name, length));
  }

  // Every line of a text header left out, doubled, and with other values.
  void hurt_lines(const std::string& name) {
    const std::string whole = seed(name);
    const std::vector<std::string> values{"",
                                          "0",
                                          "-1",
                                          "3 3",
                                          "99999999999999999999 1 1",
                                          "30000 30000 30000",
                                          "2147483647 2 2",
                                          "nan nan nan",
                                          "1e308 1e308 1e308",
                                          "%d%s%n",
                                          "../../../../etc/passwd",
                                          "/dev/zero",
                                          "LIST",
                                          std::string(20000, '9')};
    for (std::size_t begin = 0; begin < std::min<std::size_t>(whole.size(), 2000);) {
      const std::size_t end = whole.find('\n', begin);
      if (end == std::string::npos || end - begin > 200 || end == begin) break;
      const std::string line = whole.substr(begin, end - begin);
      const auto put = [&](const std::string& other) {
        meet(name, whole.substr(0, begin) + other + whole.substr(end + 1),
             fmt::format("{}: '{}' became '{}'", name, line, other.substr(0, 60)));
      };
      put("");
      put(line + "\n" + line + "\n");
      const auto at = line.find_first_of("=:");
      if (at != std::string::npos)
        for (const auto& value : values) put(line.substr(0, at + 1) + " " + value + "\n");
      begin = end + 1;
    }
  }

  void hurt_gzip(const std::string& name) {
    const std::string whole = seed(name);
    for (std::size_t at = 0; at < whole.size(); at += at < 20 ? 1 : whole.size() / 40) {
      std::string bytes = whole;
      bytes[at] = static_cast<char>(bytes[at] ^ 0x55);
      meet(name, bytes, fmt::format("{}, byte {} changed", name, at));
      meet(name, whole.substr(0, at), fmt::format("{} cut at {}", name, at));
    }
    for (std::size_t tail = 1; tail <= 8; ++tail) {  // the checksum and the length at its end
      std::string bytes = whole;
      bytes[bytes.size() - tail] = static_cast<char>(bytes[bytes.size() - tail] ^ 0x01);
      meet(name, bytes, fmt::format("{}, last byte but {} changed", name, tail - 1));
    }
    meet(name, whole + "rubbish", name + " with rubbish behind");
    meet(name, whole + whole, name + " twice");
  }

  // At least so many, and most of them refused: harmless fields are few.
  void expect_cases(int least, double refused_share) {
    std::printf("%d malformed files, %d refused\n", cases_, refused_);
    EXPECT_GE(cases_, least);
    EXPECT_GE(refused_, refused_share * cases_);
  }

  testing::TemporaryFolder folder_;
  int cases_ = 0, refused_ = 0;
};

TEST_F(Malformed, EveryFieldOfNifti1) {
  hurt_fields("a.nii", nifti1_fields());
  hurt_fields("v.nii", nifti1_fields(), true);
  expect_cases(600, 0.2);
}

TEST_F(Malformed, EveryFieldOfNifti2) {
  testing::Nifti1 first({4, 4, 3});
  first.append(std::vector<std::uint8_t>(48));
  const std::string whole = testing::as_version_2(first).bytes;
  for (const Field& field : nifti2_fields())
    for (const auto& value : wrong_values(field)) {
      std::string bytes = whole;
      bytes.replace(field.offset, field.bytes, value);
      meet("two.nii", bytes, fmt::format("NIfTI-2 at {}", field.offset));
    }
  expect_cases(300, 0.15);
}

// Headers and voxels in two files, NIfTI and Analyze.
TEST_F(Malformed, EveryFieldOfAPair) {
  const std::string whole = seed("a.nii");
  testing::write_bytes(folder_ / "pair.img", whole.substr(352));
  for (const char* magic : {"ni1", "\0\0\0"}) {
    std::string header = whole.substr(0, 348);
    header.replace(344, 3, std::string(magic, 3)).replace(108, 4, std::string(4, '\0'));
    for (const Field& field : nifti1_fields())
      for (const auto& value : wrong_values(field)) {
        std::string bytes = header;
        bytes.replace(field.offset, field.bytes, value);
        meet("pair.hdr", bytes, fmt::format("a pair '{}' at {}", magic, field.offset));
      }
    for (const std::size_t length : {0, 1, 100, 400, 839}) {
      testing::write_bytes(folder_ / "pair.img", whole.substr(352, length));
      meet("pair.hdr", header, fmt::format("a pair '{}' with {} bytes of voxels", magic, length));
    }
    std::filesystem::remove(folder_ / "pair.img");
    meet("pair.hdr", header, fmt::format("a pair '{}' without voxels", magic));
    testing::write_bytes(folder_ / "pair.img", whole.substr(352));
  }
  expect_cases(600, 0.15);
}

TEST_F(Malformed, CutAtEveryBoundary) {
  cut_everywhere("a.nii", {1, 4, 40, 56, 70, 76, 108, 252, 280, 344, 348, 352, 353, 600, 1191});
  cut_everywhere("a.nrrd", {1, 4, 8, 20, 40, 80, 120, 160, 200, 300, 600});
  cut_everywhere("a.mha", {1, 4, 10, 20, 40, 80, 120, 160, 200, 300, 600});
  expect_cases(90, 0.9);
}

TEST_F(Malformed, EveryLineOfNrrdAndMetaImage) {
  for (const char* name : {"a.nrrd", "a.mha"}) hurt_lines(name);
  expect_cases(200, 0.3);
}

TEST_F(Malformed, EveryFieldOfMgh) {
  std::vector<Field> fields{{0, 4}, {1, 1}, {28, 2}};
  for (std::size_t n = 1; n < 6; ++n) fields.push_back({4 * n, 4});
  for (std::size_t n = 30; n < 90; n += 4) fields.push_back({n, 4, false});
  const std::string whole = seed("a.mgh");
  for (const Field& field : fields)
    for (std::string value : wrong_values(field)) {
      std::ranges::reverse(value);  // big-endian
      std::string bytes = whole;
      bytes.replace(field.offset, field.bytes, value);
      meet("a.mgh", bytes, fmt::format("MGH at {}", field.offset));
    }
  cut_everywhere("a.mgh", {1, 4, 28, 42, 90, 200, 284, 285, 700});
  hurt_gzip("a.mgz");
  expect_cases(200, 0.4);
}

TEST_F(Malformed, EveryLineOfMif) {
  hurt_lines("a.mif");
  const std::string whole = seed("a.mif");
  for (const char* size : {"1000,1000,1000", "2147483647,2147483647,2147483647", "1e9,1e9",
                           "7,6,5,-1", "7,6,5,65536", "7,6,5,1,1", "0,6,5", "7.5,6,5"}) {
    std::string bytes = whole;
    bytes.replace(bytes.find("7,6,5,1"), 7, size);
    meet("a.mif", bytes, fmt::format("a mif of {}", size));
  }
  for (const char* layout :
       {"+0,+1,+2", "+0,+1,+2,+2", "-0,-1,-2,-4", "+0,+1,+2,+99999999999999999999", "a,b,c,d",
        ",,,", "++0,+1,+2,+3", "+0,+1,+2,+3,+4"}) {
    std::string bytes = whole;
    bytes.replace(bytes.find("+0,+1,+2,+3"), 11, layout);
    meet("a.mif", bytes, fmt::format("a mif laid out as {}", layout));
  }
  cut_everywhere("a.mif", {1, 8, 40, 100, 200, 300, 600});
  hurt_gzip("a.mif.gz");
  expect_cases(200, 0.5);
}

TEST_F(Malformed, DamagedGzip) {
  hurt_gzip("a.nii.gz");
  expect_cases(80, 0.8);
}

// What MetaIO sees in a header and a reader that is kinder with letters does not; voxels in several files.
TEST_F(Malformed, HeadersThatTheLibrariesReadOtherwise) {
  testing::write_bytes(folder_ / "s001.raw", "few");
  testing::write_bytes(folder_ / "s002.raw", "few");
  const std::string rest =
      "DimSize = 2 2 2\nElementType = MET_UCHAR\nElementDataFile = LOCAL\n01234567";
  const std::string numbers = [] {
    std::string out;
    for (int i = 0; i < 5000; ++i) out += i % 100 == 99 ? "1\n" : "1 ";
    return out;
  }();
  meet("two.mha",
       "NDims = 3\nCompressedData = True\nCompressedDataSize = 1000000000000\n"
       "compresseddatasize = 5\n" +
           rest,
       "two sizes");
  meet("two.mha", "NDims = 5000\nDimSize = " + numbers + "\nNDims = 3\n" + rest, "two NDims");
  meet("two.mha", "DimSize = " + numbers + "\nNDims = 3\n" + rest, "NDims behind");
  meet("two.mha", "NDims = 3\nelementdatafile = LOCAL\nNDims = 5000\n" + rest, "two ends");
  meet("two.mha", "NRRD0004\nNDims = 3\n" + rest, "begins as NRRD");
  for (const char* file : {"s%03d.raw 1 2 0", "s%03d.raw 1 2", "s%03d.raw 2 1 -1",
                           "LIST -3\ns001.raw", "LIST\n\ns001.raw", "LIST 2\ns001.raw\ns002.raw"})
    meet("two.mhd",
         fmt::format("ObjectType = Image\nNDims = 3\nDimSize = 1 1 5\nElementType = MET_UCHAR\n"
                     "ElementDataFile = {}\n",
                     file),
         fmt::format("mhd in {}", file));
  // NrrdIO writes beyond its buffer.
  for (const char* file : {"s%23d.raw 1 2 1 2", "s%03d.raw 1 2 1 2", "LIST\ns001.raw\ns002.raw"})
    meet("two.nhdr",
         fmt::format(
             "NRRD0004\ntype: uchar\ndimension: 3\nsizes: 1 1 2\nencoding: raw\ndata file: {}\n\n",
             file),
         fmt::format("nhdr in {}", file));
  expect_cases(14, 1.0);
}

// Headers of a few bytes whose voxels would be in another file, or nowhere.
TEST_F(Malformed, HugeClaims) {
  // Bytes that are 0, or few, in 64 bits.
  for (const char* size :
       {"4294967296 4294967296 1", "65536 65536 4294967296", "3 6148914691236517206 1"}) {
    meet("wraps.mha",
         fmt::format("ObjectType = Image\nNDims = 3\nBinaryData = True\nDimSize = {}\n"
                     "ElementType = MET_UCHAR\nElementDataFile = LOCAL\n01234567",
                     size),
         fmt::format("mha of {}", size));
    meet("wraps.nrrd",
         fmt::format("NRRD0004\ntype: uchar\ndimension: 3\nsizes: {}\nencoding: raw\n\n01234567",
                     size),
         fmt::format("nrrd of {}", size));
  }
  meet("wraps.mha",
       "ObjectType = Image\nNDims = 3\nBinaryData = True\nDimSize = 2 2 2\n"
       "ElementNumberOfChannels = 2305843009213693952\nElementType = MET_UCHAR\n"
       "ElementDataFile = LOCAL\n01234567",
       "channels");
  for (const char* size : {"600 600 600", "1500 1500 1500", "30000 30000 30000"}) {
    for (const char* file : {"LOCAL", "other.raw", "LIST", "slice%03d.raw 1 600 1",
                             "%s%n%s 1 600 1", "%d%s%n.raw 1 600 1", "%999999999d 1 600 1"})
      for (const char* packed : {"True", "False"})
        meet("h.mhd",
             fmt::format("ObjectType = Image\nNDims = 3\nBinaryData = True\nCompressedData = {}\n"
                         "DimSize = {}\nElementType = MET_DOUBLE\nElementDataFile = {}\n",
                         packed, size, file),
             fmt::format("mhd of {} in {}", size, file));
    for (const char* file :
         {"other.raw", "LIST\nother.raw", "s%03d.raw 1 600 1 2", "%d%s%n 1 600 1 2"})
      for (const char* encoding : {"raw", "gzip", "ascii", "hex", "bzip2"})
        meet("h.nhdr",
             fmt::format("NRRD0004\ntype: double\ndimension: 3\nsizes: {}\nendian: little\n"
                         "encoding: {}\ndata file: {}\n\n",
                         size, encoding, file),
             fmt::format("nhdr of {} in {}", size, file));
  }
  for (const char* file : {"%s%n%s 1 2 1", "%d%s%n.raw 1 2 1", "%999999999d 1 2 1", "/dev/zero",
                           "../../../etc/passwd"}) {
    meet("h.mhd",
         fmt::format("ObjectType = Image\nNDims = 3\nBinaryData = True\nDimSize = 2 2 2\n"
                     "ElementType = MET_UCHAR\nElementDataFile = {}\n",
                     file),
         fmt::format("mhd in {}", file));
    meet("h.nhdr",
         fmt::format("NRRD0004\ntype: uchar\ndimension: 3\nsizes: 2 2 2\nencoding: raw\n"
                     "data file: {} 2\n\n",
                     file),
         fmt::format("nhdr in {}", file));
  }
  for (const int size : {600, 1500, 32000}) {
    testing::Nifti1 file({size, size, size}, 64, 64);
    std::memcpy(file.bytes.data() + 344, "ni1", 4);
    testing::write_bytes(folder_ / "pair.img", "few");
    meet("pair.hdr", file.bytes.substr(0, 348), fmt::format("a pair of {}", size));
  }
  expect_cases(70, 0.95);
}

}  // namespace
}  // namespace aladdin
