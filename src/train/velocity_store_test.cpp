#include "aladdin/train/velocity_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "aladdin/image/test_files.h"
#include "aladdin/network/safetensors.h"

namespace aladdin {
namespace {

using Key = VelocityStore::Key;

class VelocityStoreTest : public ::testing::Test {
 protected:
  VelocityStoreTest() { ::testing::internal::CaptureStderr(); }  // it warns of all damage
  ~VelocityStoreTest() override { ::testing::internal::GetCapturedStderr(); }

  VelocityStore store(const std::string& origin = "aa",
                      const std::vector<int64_t>& sizes = {1, 3, 2, 3, 4}) const {
    return {folder_.path(), origin, sizes};
  }
  // The only file.
  Path file() const { return std::filesystem::directory_iterator(folder_.path())->path(); }
  // Whether it is found, with the values that were put.
  void expect_gone_or_whole(const std::string& bytes, std::size_t at) {
    testing::write_bytes(file(), bytes);
    if (const auto found = store().find(key_)) {
      EXPECT_TRUE(found->equal(velocity_)) << at;
      ++whole_;
    }
  }

  testing::TemporaryFolder folder_;
  at::Tensor velocity_ = at::rand({1, 3, 2, 3, 4});
  Key key_{"refining", "c0ffee", "7"};
  int whole_ = 0;
};

TEST_F(VelocityStoreTest, GivesBackWhatWasPutLast) {
  EXPECT_FALSE(store().find(key_));
  store().put({"refining", "c0ffee", "2"}, velocity_);
  store().put(key_, velocity_ + 1);
  store().put(key_, velocity_.transpose(3, 4).contiguous().transpose(3, 4));  // any order in memory
  EXPECT_TRUE(store().find(key_)->equal(velocity_));
  EXPECT_EQ(store().count(), 2);
  store().remove(key_);
  EXPECT_FALSE(store().find(key_));
  EXPECT_TRUE(store().find({"refining", "c0ffee", "2"}));
}

TEST_F(VelocityStoreTest, OnlyTheSameIsFound) {
  store().put(key_, velocity_);
  EXPECT_FALSE(store("bb").find(key_));
  EXPECT_FALSE(store().find({"centring", "c0ffee", "7"}));
  EXPECT_FALSE(store().find({"refining", "c0ffef", "7"}));
  EXPECT_FALSE(store().find({"refining", "c0ffee", "8"}));
  for (const std::vector<int64_t>& sizes :
       {std::vector<int64_t>{1, 3, 2, 4, 3}, {1, 3, 2, 3, 5}, {1, 3, 2, 3, 3}, {72}})
    EXPECT_FALSE(store("aa", sizes).find(key_));
  EXPECT_TRUE(store().find(key_));
}

// A name is not believed.
TEST_F(VelocityStoreTest, UnderAnotherNameItIsNotFound) {
  store().put(key_, velocity_);
  const Path mine = file();
  store().put({"centring", "c0ffee", "7"}, velocity_ + 1);
  std::filesystem::rename(folder_ / "aa-centring-7.safetensors", mine);
  EXPECT_FALSE(store().find(key_));
  store("bb").put(key_, velocity_);
  std::filesystem::rename(folder_ / "bb-refining-7.safetensors", mine);
  EXPECT_FALSE(store().find(key_));
}

TEST_F(VelocityStoreTest, DamageAnywhereIsNoticed) {
  store().put(key_, velocity_);
  const std::string whole = read_text(file());
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (const int bit : {0, 1, 5, 7}) {
      std::string bytes = whole;
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
      expect_gone_or_whole(bytes, at);
    }
  EXPECT_EQ(whole_, 0);
  for (std::size_t length = 0; length < whole.size(); ++length)
    expect_gone_or_whole(whole.substr(0, length), length);
  expect_gone_or_whole(whole + "x", whole.size());
  expect_gone_or_whole(std::string(whole.size(), '\0'), 0);  // as after a loss of power
  EXPECT_EQ(whole_, 0);
  expect_gone_or_whole(whole, 0);
  EXPECT_EQ(whole_, 1);
}

// Another version, a length that no velocity has, no file at all.
TEST_F(VelocityStoreTest, OthersAreNotRead) {
  store().put(key_, velocity_);
  const Path path = file();
  Safetensors other(path);
  other.metadata["version"] = "2";
  other.write(path);
  EXPECT_FALSE(store().find(key_));
  store().put(key_, velocity_);
  std::filesystem::resize_file(path, 1ULL << 40);  // not read to its end
  EXPECT_FALSE(store().find(key_));
  std::filesystem::remove(path);
  std::filesystem::create_directory(path);
  EXPECT_FALSE(store().find(key_));
}

TEST_F(VelocityStoreTest, WhatIsNotFiniteIsNeitherKeptNorFound) {
  at::Tensor broken = velocity_.clone();
  broken.view(-1)[5] = NAN;
  store().put(key_, broken);
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
  store().put(key_, velocity_);
  const Path path = file();
  Safetensors file;
  file.metadata = Safetensors(path).metadata;
  file.add("velocity", broken.sizes().vec(), broken.data_ptr<float>());
  file.write(path);
  EXPECT_FALSE(store().find(key_));
}

TEST_F(VelocityStoreTest, ThoseOfAnotherTrainingAreRemoved) {
  store("bb").put(key_, velocity_);
  store("aab").put(key_, velocity_);
  store().put(key_, velocity_);
  store().remove_other_origins();
  EXPECT_TRUE(store().find(key_));
  EXPECT_EQ(file().filename(), "aa-refining-7.safetensors");
  EXPECT_EQ(store().count(), 1);
  EXPECT_EQ(store("aab").count(), 0);
}

TEST_F(VelocityStoreTest, NamesTheFileThatCannotBe) {
  testing::write_bytes(folder_ / "file", "");
  const VelocityStore nowhere(folder_ / "file", "aa", {2});
  EXPECT_EQ(nowhere.count(), 0);
  EXPECT_NO_THROW(nowhere.remove_other_origins());
  EXPECT_THAT(testing::error_of([&] { nowhere.put(key_, at::rand({2})); }),
              ::testing::HasSubstr((folder_ / "file").string()));
  EXPECT_NE(testing::error_of([&] { nowhere.put(key_, at::rand({3})); }), "");
}

}  // namespace
}  // namespace aladdin
