#include "aladdin/bids/derivatives.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include "aladdin/core/error.h"
#include "aladdin/core/sha256.h"
#include "aladdin/run/run_record.h"

namespace aladdin {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// A finished run of two sessions of one subject and one of another.
class Bids : public ::testing::Test {
 protected:
  Bids()
      : top_(std::filesystem::temp_directory_path() /
             fmt::format("aladdin_bids_{}_{}", getpid(),
                         ::testing::UnitTest::GetInstance()->current_test_info()->name())),
        run_{top_ / "study" / "derivatives" / "atlas"} {
    std::vector<SubjectRecord> subjects;
    for (const char* id : {"sub-01_ses-a", "sub-01_ses-b", "sub-02"}) {
      const std::string name = id;
      const Path folder =
          top_ / "study" / name.substr(0, 6) / (name.size() > 6 ? name.substr(7) : "") / "anat";
      const Path image = (folder / (name + "_T1w.nii.gz")).lexically_normal();
      write_text(image, "image of " + name);
      subjects.push_back({.id = name, .image = image});
      for (const char* ends : {"from-native_to-atlas", "from-atlas_to-native"})
        write_text(run_.transforms() / fmt::format("{}_{}_mode-image_xfm.nii.gz", name, ends),
                   name + ends);
    }
    for (const Path& file :
         {run_.atlas(), run_.atlas_variability(), run_.atlas_labels(), run_.atlas_probabilities()})
      write_text(file, file.filename().string());
    RunRecord record{.state = RunState::done,
                     .command = "aladdin build",
                     .settings = "abc",
                     .versions = {{"aladdin", "1.2"}},
                     .cohort = {.source = (top_ / "study").string(),
                                .kind = "BIDS",
                                .label_names = {{3, "bone"}}},
                     .subjects = subjects,
                     .results = RunResults{.labels = {0, 3, 7}}};
    write_record(run_, record);
  }
  ~Bids() override { std::filesystem::remove_all(top_); }

  Json json(const Path& name) const { return Json::parse(read_text(run_.folder / name)); }

  Path top_;
  RunDirectory run_;
};

TEST_F(Bids, EveryFileHasItsNameAndASidecar) {
  write_bids(run_, "knees");
  const Path first = "sub-01/ses-a/anat/sub-01_ses-a_from-T1w_to-knees_mode-image_xfm";
  EXPECT_EQ(read_text(run_.folder / (first.string() + ".nii.gz")),
            "sub-01_ses-afrom-native_to-atlas");
  EXPECT_EQ(read_text(run_.folder / "sub-02/anat/sub-02_from-knees_to-T1w_mode-image_xfm.nii.gz"),
            "sub-02from-atlas_to-native");
  const Json sidecar = json(first.string() + ".json");
  EXPECT_EQ(sidecar["Sources"][0], "bids:raw:sub-01/ses-a/anat/sub-01_ses-a_T1w.nii.gz");
  EXPECT_EQ(sidecar["SpatialReference"], "bids::tpl-knees/tpl-knees_T1w.nii.gz");
  EXPECT_EQ(sidecar["Settings"]["Hash"], "abc");
  EXPECT_EQ(sidecar["SourceChecksums"]["bids:raw:sub-01/ses-a/anat/sub-01_ses-a_T1w.nii.gz"],
            "sha256:" + sha256("image of sub-01_ses-a"));
  EXPECT_EQ(read_text(run_.folder / "tpl-knees/tpl-knees_T1w.nii.gz"), "atlas.nii.gz");
  EXPECT_EQ(read_text(run_.folder / "tpl-knees/tpl-knees_dseg.tsv"),
            "index\tname\n0\tbackground\n3\tbone\n7\tlabel7\n");
  EXPECT_EQ(json("tpl-knees/tpl-knees_probseg.json")["LabelMap"],
            Json({"background", "bone", "label7"}));
  EXPECT_EQ(json("tpl-knees/tpl-knees_T1w.json")["Sources"].size(), 3U);
  const Json description = json("dataset_description.json");
  EXPECT_EQ(description["DatasetType"], "derivative");
  EXPECT_EQ(description["DatasetLinks"]["raw"], "../..");
  EXPECT_EQ(description["GeneratedBy"][0]["Name"], "Aladdin");
  EXPECT_THAT(read_text(run_.folder / ".bidsignore"), HasSubstr("transforms\ntransforms/**\n"));
  EXPECT_THAT(read_text(run_.folder / ".bidsignore"), HasSubstr("*_xfm.*\n"));
  // The run's own files stay where they were.
  EXPECT_EQ(read_text(run_.atlas()), "atlas.nii.gz");
}

TEST_F(Bids, IsMadeAnewAndTakenAway) {
  write_bids(run_, "one");
  write_bids(run_, "two");
  EXPECT_FALSE(std::filesystem::exists(run_.folder / "tpl-one"));
  EXPECT_TRUE(std::filesystem::exists(run_.folder / "tpl-two"));
  remove_bids(run_);
  for (const char* name :
       {"tpl-two", "sub-01", "dataset_description.json", ".bidsignore", "README"})
    EXPECT_FALSE(std::filesystem::exists(run_.folder / name)) << name;
  EXPECT_TRUE(std::filesystem::exists(run_.atlas()));
}

TEST_F(Bids, WhatCannotBeIsRefused) {
  EXPECT_THAT(error_of([&] { write_bids(run_, "two words"); }), HasSubstr("letters and digits"));
  write_text(run_.folder / "dataset_description.json",
             R"({"Name": "x", "GeneratedBy": [{"Name": "y"}]})");
  EXPECT_THAT(error_of([&] { write_bids(run_, "a"); }), HasSubstr("of another program"));
  std::filesystem::remove(run_.folder / "dataset_description.json");
  RunRecord record = read_record(run_);
  record.cohort.kind = "CSV";
  write_record(run_, record);
  EXPECT_THAT(error_of([&] { write_bids(run_, "a"); }), HasSubstr("not built from a BIDS tree"));
}

}  // namespace
}  // namespace aladdin
