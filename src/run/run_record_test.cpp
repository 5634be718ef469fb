#include "aladdin/run/run_record.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <cmath>
#include <limits>

#include "aladdin/core/error.h"

namespace aladdin {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using testing::ThrowsMessage;

class RunRecordTest : public testing::Test {
 protected:
  RunRecordTest()
      : run_{std::filesystem::temp_directory_path() /
             fmt::format("aladdin_record_{}_{}", getpid(),
                         testing::UnitTest::GetInstance()->current_test_info()->name())} {}
  ~RunRecordTest() override { std::filesystem::remove_all(run_.folder); }

  RunRecord read(const std::string& text) const {
    write_text(run_.record(), text);
    return read_record(run_);
  }
  std::string error_of(const std::string& text) const {
    try {
      read(text);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  // A record that is right but for these keys.
  static std::string with(const std::string& keys) {
    return R"({"format": "aladdin run", "version": 1, "state": "done", "subjects": [{"id": "a"}], )" +
           keys + "}";
  }

  RunDirectory run_;
};

// As version 0.2 writes it: the key order and the numbers are those of a real run.
constexpr const char* kPresent = R"({
  "format": "aladdin run",
  "version": 1,
  "state": "done",
  "identity": "6f0a",
  "command": "aladdin build knees.csv -o run",
  "preset": "fast",
  "settings": "0a1b",
  "chosen": [
    "train.engine"
  ],
  "seed": 18446744073709551615,
  "device": "cpu",
  "threads": 2,
  "processes": 3,
  "versions": {
    "ITK": "5.2.1",
    "aladdin": "0.2.0"
  },
  "cohort": {
    "source": "knees.csv",
    "kind": "CSV",
    "dims": 2,
    "label_names": {
      "1": "femur",
      "12": "tibia, left"
    },
    "notes": [
      "one"
    ]
  },
  "grid": "24 x 32, 4 x 4 mm",
  "subjects": [
    {
      "id": "knee001",
      "split": "train",
      "image": "/data/a.nii.gz",
      "label": "/data/l.nii.gz",
      "size": [
        24,
        32
      ],
      "spacing_mm": [
        4.0,
        0.1
      ],
      "shift_mm": [
        0.1,
        -2.0,
        0.0
      ],
      "intensity": [
        -3.0,
        0.10000000149011612
      ],
      "covariates": {
        "sex": "F",
        "age": "31"
      }
    },
    {
      "id": "b",
      "split": "",
      "image": "/data/b.nii.gz",
      "shift_mm": [
        0.0,
        0.0,
        0.0
      ]
    }
  ],
  "results": {
    "subjects": 2,
    "folds": 0,
    "folded_cells": 1,
    "inverse_error_mm": 0.03,
    "training_subjects": 1,
    "mean_displacement_mm": 0.5,
    "mean_displacement_max_mm": 1.5,
    "mean_displacement_shift_mm": 0.25,
    "labels": [
      0,
      1,
      12
    ],
    "mean_velocity_mm": 0.125,
    "mean_velocity_max_mm": 1.0,
    "mean_velocity_shift_mm": 0.0,
    "val_score": -0.5,
    "epochs": 20,
    "steps": 120
  },
  "timing": {
    "training_minutes": 1.5,
    "peak_memory_gb": 0.7
  }
}
)";

TEST_F(RunRecordTest, WhatIsReadIsWrittenAsItWas) {
  const RunRecord record = read(kPresent);
  EXPECT_TRUE(record.is_done());
  EXPECT_EQ(record.seed, std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(record.cohort.label_names.at(12), "tibia, left");
  EXPECT_THAT(record.subjects[0].covariates, ElementsAre(Pair("sex", "F"), Pair("age", "31")));
  EXPECT_EQ(record.subjects[0].intensity->high, 0.1F);
  EXPECT_FALSE(record.subjects[1].intensity);
  EXPECT_TRUE(record.subjects[1].is_for_training());
  EXPECT_EQ(record.results->velocity.max_mm, 1.0);
  write_record(run_, record);
  EXPECT_EQ(read_text(run_.record()), kPresent);
}

// A run of 0.1: no names of labels, no sizes, no choices, an inverse error in voxels, a key that is gone.
TEST_F(RunRecordTest, OlderRunsAreRead) {
  const RunRecord record = read(R"({"format": "aladdin run", "version": 1, "state": "done",
    "command": "aladdin build knees.csv -o run", "preset": "paper", "settings": "0a1b", "seed": 1, "device": "cpu",
    "threads": 2, "cohort": {"source": "knees.csv", "kind": "CSV"}, "grid": "24 x 32 x 32",
    "subjects": [{"id": "knee001", "split": "train", "image": "/data/a.nii.gz", "shift_mm": [0, 0, 1],
                  "intensity": [0, 255]}],
    "identity": "6f0a",
    "results": {"subjects": 1, "folds": 0, "folded_cells": 0, "inverse_error_vox": 0.02, "mean_displacement_mm": 0.1,
                "mean_displacement_vox": 0.03, "labels": [], "epochs": 3, "steps": 9},
    "timing": {"training_minutes": 2, "peak_memory_gb": 1}})");
  EXPECT_EQ(record.results->inverse_error_vox, 0.02);
  EXPECT_FALSE(record.results->inverse_error_mm);
  EXPECT_EQ(record.results->displacement.mean_mm, 0.1);
  EXPECT_FALSE(record.results->displacement.shift_mm);
  EXPECT_EQ(record.subjects[0].shift_mm[2], 1);
  EXPECT_EQ(record.subjects[0].intensity->high, 255);
  EXPECT_TRUE(record.chosen.empty());
  EXPECT_EQ(record.cohort.dims, 0);
}

TEST_F(RunRecordTest, ANumberThatIsNotFiniteIsNone) {
  RunRecord record = read(kPresent);
  record.results->inverse_error_mm = std::nan("");
  write_record(run_, record);
  EXPECT_FALSE(read_record(run_).results->inverse_error_mm);
}

TEST_F(RunRecordTest, OnlyAFinishedRunHasTransforms) {
  write_record(run_, {});
  EXPECT_FALSE(read_record(run_).is_done());
  EXPECT_THAT([&] { read_finished_record(run_); },
              ThrowsMessage<Error>(HasSubstr("is not finished")));
}

TEST_F(RunRecordTest, RefusesWhatIsNoRun) {
  EXPECT_THAT([&] { read_record(run_); },
              ThrowsMessage<Error>(HasSubstr("is not a run directory")));
  EXPECT_THAT(error_of("{"), HasSubstr("is not JSON"));
  EXPECT_THAT(error_of(std::string(kPresent).substr(0, 700)), HasSubstr("is not JSON"));
  EXPECT_THAT(error_of("[]"), HasSubstr("was not written by"));
  EXPECT_THAT(error_of(R"({"format": "aladdin run", "version": 7})"),
              HasSubstr("of version 7, expected 1"));
  // Printing that would overflow the stack.
  EXPECT_THAT(error_of(R"({"format": "aladdin run", "version": )" + std::string(500000, '[') +
                       std::string(500000, ']') + "}"),
              HasSubstr("is not JSON"));
  EXPECT_THAT(error_of(R"({"format": "aladdin run", "version": 1, "state": "done"})"),
              HasSubstr("has no subjects"));
}

TEST_F(RunRecordTest, NamesTheKeyThatIsDamaged) {
  const std::pair<const char*, const char*> cases[] = {
      {R"("state": "half")", R"(state is "half", expected "training" or "done")"},
      {R"("identity": 3)", "identity is 3, expected text"},
      {R"("subjects": {})", "subjects is {}, expected a list"},
      {R"("subjects": [{}])", "has no subjects[0].id"},
      {R"("subjects": [{"id": "../a"}])", "has a subject '../a' that aladdin build did not write"},
      {R"("subjects": [{"id": "a", "shift_mm": [1, 2]}])", "shift_mm is [1,2], expected three"},
      {R"("subjects": [{"id": "a", "intensity": [1, 1]}])", "intensity is [1,1], expected two"},
      {R"("subjects": [{"id": "a", "covariates": {"age": 3}}])", "covariates.age is 3"},
      {R"("cohort": {"label_names": {"one": "bone"}})", "cohort.label_names is \"one\", expected"},
      {R"("cohort": {"notes": [1]})", "cohort.notes[0] is 1, expected text"},
      {R"("results": [1])", "results is [1], expected an object"},
      {R"("results": {"labels": [0, 4000000000]})", "results.labels[1] is 4000000000, expected"},
      {R"("results": {"folds": 1.5})", "results.folds is 1.5, expected a whole number"},
      {R"("seed": -1)", "seed is -1, expected a whole number"},
      {R"("timing": {"training_minutes": "long"})", "timing.training_minutes is \"long\""}};
  for (const auto& [keys, sentence] : cases)
    EXPECT_THAT(error_of(with(keys)), HasSubstr(sentence)) << keys;
}

}  // namespace
}  // namespace aladdin
