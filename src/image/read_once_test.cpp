#include "aladdin/image/read_once.h"

#include <gtest/gtest.h>

#include <fstream>

#include "aladdin/image/io.h"
#include "aladdin/image/test_files.h"

namespace aladdin {
namespace {

class ReadOnceTest : public ::testing::Test {
 protected:
  Image write(float value) {
    Image image(grid_);
    image.values.assign(image.values.size(), value);
    image.values[0] = 1;
    write_image(path_, image);
    return image;
  }
  // Makes every other value of the file wrong while its size and its time stay: who reads it again would see it.
  void spoil() {
    const auto time = std::filesystem::last_write_time(path_);
    std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(352 + 40);
    file.put(7);
    file.close();
    std::filesystem::last_write_time(path_, time);
  }

  testing::TemporaryFolder folder_;
  Path path_ = folder_ / "a.nii";
  Grid grid_ = [] {
    Grid grid;
    grid.size = {8, 7, 6};
    return grid;
  }();
};

TEST_F(ReadOnceTest, AFileIsReadOnceWhileItLives) {
  const Image image = write(3);
  {
    const ReadOnce once(1 << 20);
    EXPECT_EQ(read_image(path_).values, image.values);
    spoil();
    EXPECT_EQ(read_image(path_).values, image.values);
    const ReadOnce inner(0);  // the outer one stays
    EXPECT_EQ(read_image(path_).values, image.values);
  }
  EXPECT_NE(read_image(path_).values, image.values);
}

TEST_F(ReadOnceTest, AChangedFileIsReadAgain) {
  const ReadOnce once(1 << 20);
  write(3);
  read_image(path_);
  const Image other = write(5);
  EXPECT_EQ(read_image(path_).values, other.values);
}

TEST_F(ReadOnceTest, WhatDoesNotFitIsReadEachTime) {
  const Image image = write(3);
  const ReadOnce once(image.values.size() * sizeof(float) - 1);
  read_image(path_);
  spoil();
  EXPECT_NE(read_image(path_).values, image.values);
}

}  // namespace
}  // namespace aladdin
