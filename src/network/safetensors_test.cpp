#include "aladdin/network/safetensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstring>

#include "aladdin/image/test_files.h"

namespace aladdin {
namespace {

using ::testing::HasSubstr;

Safetensors sample() {
  Safetensors file;
  const float a[] = {1, -2.5F, 3e-30F, 4, 5, 6};
  const double b[] = {0.1, 1e300};
  const std::int64_t c[] = {-7, std::int64_t{1} << 60, 3};
  const std::uint8_t d[] = {0, 255, 3};
  file.add("layer.weight", {2, 3}, a);
  file.add("odd", {3}, d);
  file.add("moments", {2}, b);
  file.add("steps", {3, 1}, c);
  file.add("one", {}, a);
  file.add("none", {0, 4}, a);
  file.metadata["note"] = "text with \"quotes\" and ü";
  return file;
}

TEST(Safetensors, EverythingComesBackToTheBit) {
  const testing::TemporaryFolder folder;
  sample().write(folder / "a.safetensors");
  const Safetensors back(folder / "a.safetensors");
  EXPECT_EQ(back.values<float>("layer.weight", {2, 3}),
            (std::vector<float>{1, -2.5F, 3e-30F, 4, 5, 6}));
  EXPECT_EQ(back.values<double>("moments", {2}), (std::vector<double>{0.1, 1e300}));
  EXPECT_EQ(back.values<std::int64_t>("steps", {3, 1})[1], std::int64_t{1} << 60);
  EXPECT_EQ(back.values<std::uint8_t>("odd", {3})[1], 255);
  EXPECT_EQ(back.values<float>("one", {}).size(), 1u);
  EXPECT_TRUE(back.values<float>("none", {0, 4}).empty());
  EXPECT_EQ(back.text("note"), "text with \"quotes\" and ü");
  // What was read can be written, and gives the same bytes.
  back.write(folder / "b.safetensors");
  EXPECT_EQ(read_text(folder / "a.safetensors"), read_text(folder / "b.safetensors"));
  for (const auto& [name, entry] : back.entries())
    EXPECT_EQ(entry.begin % bytes_of(entry.dtype), 0u) << name;
}

TEST(Safetensors, WhatIsNotThereIsNamed) {
  const testing::TemporaryFolder folder;
  sample().write(folder / "a.safetensors");
  const Safetensors file(folder / "a.safetensors");
  EXPECT_THAT(testing::error_of([&] { file.values<float>("bias", {2}); }), HasSubstr("'bias'"));
  EXPECT_THAT(testing::error_of([&] {
                file.values<float>("layer.weight", {3, 2});
              }),
              HasSubstr("F32 (2, 3), expected F32 (3, 2)"));
  EXPECT_THAT(testing::error_of([&] { file.values<float>("moments", {2}); }),
              HasSubstr("F64 (2), expected F32 (2)"));
  EXPECT_THAT(testing::error_of([&] { file.text("version"); }), HasSubstr("'version'"));
  EXPECT_THAT(testing::error_of([&] { Safetensors(folder / "no"); }), HasSubstr("no such file"));
}

TEST(Safetensors, EveryTruncationAndEveryChangedByteOfTheDataIsRefused) {
  const testing::TemporaryFolder folder;
  sample().write(folder / "a.safetensors");
  const std::string whole = read_text(folder / "a.safetensors");
  std::uint64_t header = 0;
  std::memcpy(&header, whole.data(), 8);
  const auto refused = [&](const std::string& bytes) {
    testing::write_bytes(folder / "bad", bytes);
    return testing::error_of([&] { Safetensors(folder / "bad"); });
  };
  for (std::size_t size = 0; size < whole.size(); ++size)
    ASSERT_THAT(refused(whole.substr(0, size)), HasSubstr("is damaged or not a safetensors file"))
        << size;
  EXPECT_NE(refused(whole + "x"), "");
  for (std::size_t at = 8 + header; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    ASSERT_THAT(refused(changed), HasSubstr("checksum")) << at;
  }
  for (std::size_t at = 0; at < 8 + header; ++at) {  // no crash, whatever it says
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0x15);
    refused(changed);
  }
}

// 30 GB of nothing: no header, or one that says less than there is.
TEST(Safetensors, ALargeFileIsRefusedBeforeItIsRead) {
  const testing::TemporaryFolder folder;
  Safetensors().write(folder / "none");
  const auto kilobytes = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
  };
  const auto before = kilobytes();
  for (const std::string& start : {std::string(), read_text(folder / "none")}) {
    testing::write_bytes(folder / "large", start);
    std::filesystem::resize_file(folder / "large", 30'000'000'000);
    EXPECT_THAT(testing::error_of([&] { Safetensors(folder / "large"); }),
                HasSubstr("is damaged or not a safetensors file"));
  }
  EXPECT_LT(kilobytes() - before, 1'000'000);
}

TEST(Safetensors, HostileHeadersAreOneSentence) {
  const testing::TemporaryFolder folder;
  const auto refusal = [&](const std::string& json, const std::string& data) {
    const std::uint64_t length = json.size();
    std::string bytes(8, '\0');
    std::memcpy(bytes.data(), &length, 8);
    testing::write_bytes(folder / "bad", bytes + json + data);
    return testing::error_of([&] { Safetensors(folder / "bad"); });
  };
  const auto tensor = [](const std::string& type, const std::string& shape,
                         const std::string& offsets) {
    return R"({"a":{"dtype":")" + type + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets +
           "}}";
  };
  EXPECT_EQ(refusal(tensor("F32", "[1]", "[0,4]"), "1234"), "");
  EXPECT_THAT(refusal(tensor("F32", "[2]", "[0,4]"), "1234"), HasSubstr("need 8"));
  EXPECT_THAT(refusal(tensor("F32", "[1]", "[0,8]"), "1234"), HasSubstr("within the 4 bytes"));
  EXPECT_THAT(refusal(tensor("F32", "[1]", "[-4,0]"), "1234"), HasSubstr("within the 4 bytes"));
  EXPECT_THAT(refusal(tensor("F32", "[1]", "[4,0]"), "1234"), HasSubstr("within the 4 bytes"));
  EXPECT_THAT(refusal(tensor("F32", "[-1]", "[0,4]"), "1234"), HasSubstr("negative"));
  EXPECT_THAT(refusal(tensor("F32", "[4611686018427387904,4]", "[0,4]"), "1234"),
              HasSubstr("larger than any memory"));
  EXPECT_THAT(refusal(tensor("F32", "[18446744073709551615]", "[0,4]"), "1234"),
              HasSubstr("whole number"));
  EXPECT_THAT(refusal(tensor("F32", "[1.5]", "[0,4]"), "1234"), HasSubstr("whole number"));
  EXPECT_THAT(refusal(tensor("BF16", "[2]", "[0,4]"), "1234"), HasSubstr("'BF16'"));
  EXPECT_THAT(refusal(tensor("F32", "[1]", "[0,4]"), "12345"), HasSubstr("5 bytes of data"));
  EXPECT_THAT(refusal(tensor("F32", "[1]", "[4,8]"), "12345678"), HasSubstr("gaps"));
  EXPECT_THAT(refusal(R"({"a":7})", ""), HasSubstr("'dtype'"));
  EXPECT_THAT(refusal(R"({"__metadata__":{"a":7}})", ""), HasSubstr("not text"));
  EXPECT_THAT(refusal("[1]", ""), HasSubstr("not JSON"));
  EXPECT_NE(refusal(std::string(100000, '['), ""), "");
  EXPECT_THAT(refusal(R"({"__metadata__":{"header_checksum":"0"},"a":)" + std::string(500000, '[') +
                          std::string(500000, ']') + "}",
                      ""),
              HasSubstr("not JSON"));
}

}  // namespace
}  // namespace aladdin
