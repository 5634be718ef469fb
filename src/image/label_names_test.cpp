#include "aladdin/image/label_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "aladdin/image/test_files.h"

namespace aladdin {
namespace {

using ::testing::HasSubstr;

TEST(LabelNames, TablesAndColourTablesSayTheSame) {
  const LabelNames expected{{0, "none"}, {4, "left ventricle"}, {17, "Left-Hippocampus"}};
  for (
      const char* text : {
          "label,name\n0,none\n4,left ventricle\n17,Left-Hippocampus\n",
          "0,none\r\n4,\"left ventricle\"\r\n17,Left-Hippocampus\r\n",
          "name\tindex\tcolor\nnone\t0\t#000\nleft ventricle\t4\t#fff\nLeft-Hippocampus\t17\t#aaa\n",
          "# FreeSurfer\n\n0 none 0 0 0 0\n4  left ventricle   120 18 134 0\n"
          "17  Left-Hippocampus  220 216 20 0\n",
          "0\tnone\t0 0 0\n4\tleft ventricle\n17\tLeft-Hippocampus\n",
          "0 0 0 0 0 0 0 \"none\"\n4 1 2 3 1 1 1 \"left ventricle\"\n17 4 5 6 1 1 1 "
          "\"Left-Hippocampus\"\n",
      })
    EXPECT_EQ(parse_label_names(text, "names.txt"), expected) << text;
}

TEST(LabelNames, WhatIsNoNameIsToldWithItsLine) {
  const auto refusal = [](const char* text) {
    return testing::error_of([&] { parse_label_names(text, "n.csv"); });
  };
  EXPECT_THAT(refusal("label,name\n1,femur\ntibia,2\n"),
              HasSubstr("'n.csv' has 'tibia,2' in line 3, expected a label and its name"));
  EXPECT_THAT(refusal("1 femur\n2\n"), HasSubstr("has '2' in line 2"));
  EXPECT_THAT(refusal("1 femur\n-2 tibia\n"), HasSubstr("has '-2 tibia' in line 2"));
  EXPECT_THAT(refusal("1,femur\n1,tibia\n"),
              HasSubstr("names the label 1 twice: 'femur' and, in line 2, 'tibia'"));
  EXPECT_THAT(refusal("label,name\n"), HasSubstr("'n.csv' names no label"));
}

TEST(LabelNames, ALabelWithoutANameIsItsNumber) {
  EXPECT_EQ(with_name(17, {{17, "hippocampus"}}), "17 hippocampus");
  EXPECT_EQ(with_name(3, {{17, "hippocampus"}}), "3");
}

}  // namespace
}  // namespace aladdin
