#include "aladdin/image/cohort.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "aladdin/image/io.h"
#include "aladdin/image/scan.h"
#include "aladdin/image/test_files.h"

namespace aladdin {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class CohortTest : public ::testing::Test {
 protected:
  void image(const Path& name, Size3 size = {6, 5, 4}, int dims = 3) {
    Grid grid;
    grid.dims = dims;
    grid.size = size;
    write_image(folder_ / name, testing::ramp(grid));
  }
  std::string text(const Path& name, const std::string& content) {
    testing::write_bytes(folder_ / name, content);
    return (folder_ / name).string();
  }
  std::string at(const Path& name) const { return (folder_ / name).string(); }
  static std::string refusal(const std::string& source, const CohortOptions& options = {}) {
    return testing::error_of([&] { read_cohort(source, options); });
  }
  static std::vector<std::string> ids(const Cohort& cohort) {
    std::vector<std::string> out;
    for (const auto& subject : cohort.subjects) out.push_back(subject.id);
    return out;
  }

  testing::TemporaryFolder folder_;
};

TEST_F(CohortTest, CsvWithEverything) {
  image("a/one.nii.gz"), image("two.nii.gz"), image("lab.nii.gz");
  const auto csv = text("c.csv",
                        "id,image,age,label,mask,split\r\n"
                        "one,a/one.nii.gz,31,lab.nii.gz,,train\r\n"
                        "two , two.nii.gz ,,,lab.nii.gz,val\r\n");
  const Cohort cohort = read_cohort(csv);
  EXPECT_EQ(cohort.kind, "CSV");
  EXPECT_THAT(ids(cohort), ElementsAre("one", "two"));
  EXPECT_THAT(cohort.covariates, ElementsAre("age"));
  EXPECT_EQ(cohort.subjects[0].covariates[0], "31");
  EXPECT_EQ(cohort.subjects[0].split, "train");
  EXPECT_EQ(cohort.subjects[0].label, folder_ / "lab.nii.gz");
  EXPECT_FALSE(cohort.subjects[0].mask);
  EXPECT_EQ(cohort.subjects[1].mask, folder_ / "lab.nii.gz");
  EXPECT_EQ(format_size(cohort.subjects[1].grid), "6 x 5 x 4");
}

TEST_F(CohortTest, WhatIsAssumedOfImagesIsToldInAFewLines) {
  for (const char* name : {"a.nii", "b.nii", "c.nii"}) {
    testing::Nifti1 plain({6, 5, 4});
    plain.append(std::vector<std::uint8_t>(120, 1)).save(folder_ / "plain" / name);
  }
  EXPECT_THAT(read_cohort(at("plain")).notes,
              ElementsAre(HasSubstr("a and 2 others: the header does not say how it lies")));
  for (int n = 1; n <= 7; ++n) {
    testing::Nifti1 shifted({6, 5, 4});
    shifted.set<std::int16_t>(252, 1).set<std::int16_t>(254, 2);
    for (int axis = 0; axis < 3; ++axis) shifted.set<float>(280 + 20 * axis, 1);
    shifted.set<float>(292, static_cast<float>(n));
    shifted.append(std::vector<std::uint8_t>(120, 1))
        .save(folder_ / fmt::format("apart/s{}.nii", n));
  }
  const auto notes = read_cohort(at("apart")).notes;
  ASSERT_EQ(notes.size(), 6U);
  EXPECT_THAT(notes[2], AllOf(HasSubstr("s3: its qform"), HasSubstr("up to 3 mm apart")));
  EXPECT_THAT(notes[5], HasSubstr("and 2 subjects more like it"));
}

TEST_F(CohortTest, EqualNotesAreOneLine) {
  for (int n = 0; n < 40; ++n)
    testing::Nifti1({6, 5, 1})
        .set<std::int16_t>(254, 1)
        .set<float>(280, 1)
        .set<float>(304, 1)
        .set<float>(316, 1)
        .append(std::vector<std::uint8_t>(30, 1))
        .save(folder_ / fmt::format("slices/s{:02}.nii", n));
  ::testing::internal::CaptureStderr();
  const Cohort cohort = read_cohort(at("slices"));
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(cohort.dims, 2);
  EXPECT_THAT(cohort.notes, ElementsAre("s00 and 39 others: it is a slice across the first two "
                                        "world axes; its own axes are used"));
}

TEST_F(CohortTest, ThinVolumesAreNoted) {
  image("thin/a.nii", {1, 5, 4}), image("thin/b.nii", {1, 5, 4}), image("thin/c.nii", {6, 1, 4});
  EXPECT_THAT(read_cohort(at("thin")).notes,
              ElementsAre(HasSubstr("a and 1 other: it has one voxel along its first axis and is "
                                    "taken as 3-D"),
                          HasSubstr("c: it has one voxel along its second axis")));
}

TEST_F(CohortTest, ProblemsOfVoxelsAreToldBesideThoseOfHeaders) {
  image("a.nii"), image("b.nii");
  Image bad = testing::ramp(read_header(folder_ / "a.nii").grid);
  bad.values[3] = std::numeric_limits<float>::quiet_NaN();
  write_image(folder_ / "b.nii", bad);
  Problems problems;
  const Cohort cohort =
      read_cohort(text("c.csv", "id,image\na,a.nii\nb,b.nii\nc,gone.nii\n"), {}, problems);
  EXPECT_THAT(testing::error_of([&] { scan_cohort(cohort, problems); }),
              AllOf(HasSubstr("has 2 problems"), HasSubstr("no such file"), HasSubstr("NaN")));
}

TEST_F(CohortTest, NegativeLabelsAreRefusedByName) {
  image("a.nii");
  Labels labels(read_header(folder_ / "a.nii").grid);
  labels.values[7] = -4;
  write_labels(folder_ / "lab.nii", labels);
  const Cohort cohort = read_cohort(text("c.csv", "id,image,label\na,a.nii,lab.nii\n"));
  EXPECT_THAT(
      testing::error_of([&] { scan_cohort(cohort); }),
      AllOf(HasSubstr("a: "), HasSubstr("lab.nii' has the label -4, expected none below 0")));
}

TEST_F(CohortTest, AWrittenCohortReadsBack) {
  image("a/one, \"odd\".nii.gz"), image("two.nii.gz");
  const auto csv = text("c.csv",
                        "id,image,note,label,split\n"
                        "one,\"a/one, \"\"odd\"\".nii.gz\",\"x, y\",two.nii.gz,test\n"
                        "two,two.nii.gz,,,train\n");
  const Cohort cohort = read_cohort(csv);
  for (const char* name : {"again.csv", "elsewhere/again.csv"}) {
    write_cohort(folder_ / name, cohort);
    const Cohort back = read_cohort(at(name));
    ASSERT_EQ(ids(back), ids(cohort));
    EXPECT_TRUE(std::filesystem::equivalent(back.subjects[0].image, cohort.subjects[0].image));
    EXPECT_EQ(back.subjects[0].covariates, cohort.subjects[0].covariates);
    EXPECT_EQ(back.subjects[0].split, "test");
    EXPECT_FALSE(back.subjects[1].label);
  }
  EXPECT_THAT(read_text(folder_ / "again.csv"), HasSubstr("two,two.nii.gz"));
}

TEST_F(CohortTest, AllProblemsAreReportedTogether) {
  image("good.nii.gz"), image("other.nii.gz", {6, 5, 5}), image("flat.nii.gz", {6, 5, 1}, 2);
  text("bad.nii.gz", "no image");
  const auto csv = text("c.csv",
                        "id,image,label,mask,split\n"
                        "a,good.nii.gz,,,train\n"
                        "a,good.nii.gz,,,train\n"
                        "b/c,good.nii.gz,,,train\n"
                        ".d,good.nii.gz,,,train\n"
                        "e,gone.nii.gz,,,train\n"
                        "f,good.nii.gz,other.nii.gz,,train\n"
                        "g,good.nii.gz,,other.nii.gz,train\n"
                        "h,flat.nii.gz,,,train\n"
                        "i,good.nii.gz,,,trian\n"
                        "j,bad.nii.gz,,,val\n"
                        "k,good.nii.gz\n"
                        "l,,,,val\n"
                        "m,good.nii.gz,,,\n"
                        "n,good.nii.gz,gone2.nii.gz,,test\n");
  const std::string sentence = refusal(csv);
  EXPECT_THAT(sentence, HasSubstr("has 13 problems:\n"));
  EXPECT_EQ(std::count(sentence.begin(), sentence.end(), '\n'), 13);
  EXPECT_THAT(sentence, HasSubstr("the id 'a' is given to 2 subjects, expected one each"));
  EXPECT_THAT(sentence, HasSubstr("'b/c' cannot be used in file names: it has a path separator"));
  EXPECT_THAT(sentence, HasSubstr("'.d' cannot be used in file names: it begins with a dot"));
  EXPECT_THAT(sentence, HasSubstr("e: image: no such file: '" + at("gone.nii.gz")));
  EXPECT_THAT(sentence, HasSubstr("f: the label '" + at("other.nii.gz") + "' is on another grid"));
  EXPECT_THAT(sentence, HasSubstr("g: the mask '" + at("other.nii.gz") + "' is on another grid"));
  EXPECT_THAT(sentence, HasSubstr("h: is 2-D while"));
  EXPECT_THAT(
      sentence,
      HasSubstr("i: unknown split 'trian', expected train, val or test; did you mean 'train'?"));
  EXPECT_THAT(sentence, HasSubstr("is not an image that can be read"));
  EXPECT_THAT(sentence, HasSubstr("row 12 has 2 fields, expected 5"));
  EXPECT_THAT(sentence, HasSubstr("row 13 ('l') names no image"));
  EXPECT_THAT(sentence, HasSubstr("m: has no split while others have one"));
  EXPECT_THAT(sentence, HasSubstr("n: label: no such file"));
}

TEST_F(CohortTest, MisspeltColumnsAreNamedAndCovariatesAreNot) {
  image("x.nii.gz");
  EXPECT_THAT(refusal(text("a.csv", "id,image,lable\na,x.nii.gz,x.nii.gz\n")),
              HasSubstr("unknown column 'lable'; did you mean 'label'?"));
  EXPECT_THAT(refusal(text("a.csv", "id,image,Split\na,x.nii.gz,train\n")),
              HasSubstr("unknown column 'Split'; did you mean 'split'?"));
  EXPECT_THAT(refusal(text("a.csv", "id,image,segmentation\na,x.nii.gz,\n")),
              HasSubstr("did you mean 'label'?"));
  const auto missing = refusal(text("a.csv", "id,images\na,x.nii.gz\n"));
  EXPECT_THAT(missing,
              AllOf(HasSubstr("did you mean 'image'?"), HasSubstr("there is no column 'image'"),
                    HasSubstr("the columns are id,images")));
  EXPECT_THAT(refusal(text("a.csv", "id,image,age,age\na,x.nii.gz,1,2\n")),
              HasSubstr("the column 'age' appears twice"));
  const Cohort cohort =
      read_cohort(text("a.csv", "id,image,age,sex,site,task,labelled\na,x.nii.gz,1,F,2,3,4\n"));
  EXPECT_THAT(cohort.covariates, ElementsAre("age", "sex", "site", "task", "labelled"));
}

TEST_F(CohortTest, TablesThatAreNotCsv) {
  EXPECT_THAT(refusal(text("a.csv", "id;image\na;x.nii.gz\n")),
              HasSubstr("separated by semicolons"));
  EXPECT_THAT(refusal(text("a.csv", "")), HasSubstr("has no rows"));
  EXPECT_THAT(refusal(text("a.csv", "id,image\n")), HasSubstr("has no subjects"));
  EXPECT_THAT(refusal(text("a.csv", "id,image\n\"a,b\n")), HasSubstr("never closed"));
  EXPECT_THAT(refusal(at("none.csv")), HasSubstr("no such cohort"));
  image("x.nii.gz");
  EXPECT_THAT(refusal(at("x.nii.gz")), HasSubstr("is not a cohort"));
}

TEST_F(CohortTest, Ids) {
  EXPECT_EQ(check_id("sub-01_ses-2 (b)"), "");
  EXPECT_NE(check_id(""), "");
  EXPECT_NE(check_id("a\\b"), "");
  EXPECT_NE(check_id(".."), "");
  EXPECT_NE(check_id("a\nb"), "");
  EXPECT_NE(check_id(std::string(129, 'x')), "");
}

TEST_F(CohortTest, FolderWithLabelsById) {
  image("images/b.nii.gz"), image("images/a.nii"), image("images/c.mha");
  image("labels/a.nii.gz"), image("labels/b.nii.gz"), image("labels/c.nii.gz"),
      image("labels/z.nii.gz");
  text("images/README.txt", "notes"), text("images/._a.nii", "junk of a Mac");
  const Cohort cohort = read_cohort(at("images"), {.labels = at("labels")});
  EXPECT_THAT(ids(cohort), ElementsAre("a", "b", "c"));
  EXPECT_EQ(cohort.subjects[2].label, folder_ / "labels/c.nii.gz");
  EXPECT_THAT(cohort.notes, ElementsAre(HasSubstr("has 1 file that no subject uses")));
  // The folder above has the layout that most people use.
  EXPECT_EQ(read_cohort(folder_.path().string()).subjects[0].label, folder_ / "labels/a.nii.gz");
}

TEST_F(CohortTest, FolderProblems) {
  image("images/a.nii.gz"), image("images/b.nii.gz"), image("labels/a_seg.nii.gz");
  const std::string sentence = refusal(at("images"), {.labels = at("labels/*_seg.nii.gz")});
  EXPECT_THAT(sentence, AllOf(HasSubstr("has 1 problem:"), HasSubstr("b: label: no such file")));
  EXPECT_THAT(refusal(at("images"), {.labels = at("labels")}),
              AllOf(HasSubstr("has 2 problems:"),
                    HasSubstr("a: no file of that name in the labels folder")));
  EXPECT_THAT(refusal(at("images"), {.labels = at("lables")}),
              HasSubstr("is neither a folder nor a pattern"));
  std::filesystem::create_directory(folder_ / "empty");
  EXPECT_THAT(refusal(at("empty")), HasSubstr("holds no images"));
}

TEST_F(CohortTest, GlobIdsComeFromTheWildcards) {
  image("s1/T1.nii.gz"), image("s2/T1.nii.gz"), image("seg/s1.nii.gz"), image("seg/s2.nii.gz");
  const Cohort folders = read_cohort(at("s*/T1.nii.gz"), {.labels = at("seg")});
  EXPECT_THAT(ids(folders), ElementsAre("s1", "s2"));
  EXPECT_EQ(folders.subjects[1].label, folder_ / "seg/s2.nii.gz");
  image("flat/p7_T1w.nii.gz"), image("flat/p8_T1w.nii.gz"), image("flat/p8_T2w.nii.gz");
  EXPECT_THAT(ids(read_cohort(at("flat/*_T1w.nii.gz"))), ElementsAre("p7", "p8"));
  EXPECT_THAT(ids(read_cohort(at("flat/p*"))), ElementsAre("p7_T1w", "p8_T1w", "p8_T2w"));
  EXPECT_THAT(refusal(at("flat/q*.nii")), HasSubstr("nothing matches"));
  EXPECT_THAT(refusal(at("**/q.nii")), HasSubstr("** is not supported"));
  text("flat/p9.pdf", "%PDF");
  EXPECT_THAT(refusal(at("flat/p*")),
              AllOf(HasSubstr("has 1 problem:"), HasSubstr("p9.pdf' is not an image")));
}

TEST_F(CohortTest, Decathlon) {
  image("imagesTr/h_1.nii.gz"), image("imagesTr/h_2.nii.gz"), image("imagesTs/h_3.nii.gz");
  image("labelsTr/h_1.nii.gz"), image("labelsTr/h_2.nii.gz");
  text("dataset.json", R"({"labels": {"0": "background", "1": "Anterior"},
    "training": [{"image": "./imagesTr/h_2.nii.gz", "label": "./labelsTr/h_2.nii.gz"},
                 {"image": "./imagesTr/h_1.nii.gz", "label": "./labelsTr/h_1.nii.gz"}],
    "test": ["./imagesTs/h_3.nii.gz"]})");
  const Cohort cohort = read_cohort(folder_.path().string());
  EXPECT_EQ(cohort.kind, "Decathlon");
  EXPECT_THAT(ids(cohort), ElementsAre("h_2", "h_1", "h_3"));
  EXPECT_EQ(cohort.subjects[0].split, "train");
  EXPECT_EQ(cohort.subjects[2].split, "test");
  EXPECT_FALSE(cohort.subjects[2].label);
  EXPECT_EQ(cohort.label_names.at(1), "Anterior");
  text("dataset.json", "{");
  EXPECT_THAT(refusal(folder_.path().string()), HasSubstr("is not valid JSON"));
  text("dataset.json", R"({"training": [7, {"image": "./imagesTr/h_9.nii.gz"}]})");
  EXPECT_THAT(refusal(folder_.path().string()),
              AllOf(HasSubstr("has 2 problems"), HasSubstr("h_9: image: no such file")));
}

TEST_F(CohortTest, NnUnetBothVersions) {
  image("imagesTr/c1_0000.nii.gz"), image("imagesTr/c1_0001.nii.gz"), image("labelsTr/c1.nii.gz");
  image("imagesTr/c2_0000.nii.gz"), image("imagesTr/c2_0001.nii.gz"), image("labelsTr/c2.nii.gz");
  image("imagesTs/c3_0000.nii.gz"), image("imagesTs/c3_0001.nii.gz");
  text("dataset.json", R"({"channel_names": {"0": "T1", "1": "T2"}, "numTraining": 2,
    "labels": {"background": 0, "tumour": 1}, "file_ending": ".nii.gz"})");
  const Cohort second = read_cohort(folder_.path().string(), {.channel = 1});
  EXPECT_EQ(second.kind, "nnU-Net");
  EXPECT_THAT(ids(second), ElementsAre("c1", "c2", "c3"));
  EXPECT_EQ(second.subjects[0].image, folder_ / "imagesTr/c1_0001.nii.gz");
  EXPECT_EQ(second.subjects[0].label, folder_ / "labelsTr/c1.nii.gz");
  EXPECT_EQ(second.label_names.at(1), "tumour");
  EXPECT_THAT(second.notes, ElementsAre(HasSubstr("only channel 1 is used")));
  text("dataset.json",
       R"({"training": [{"image": "./imagesTr/c1.nii.gz", "label": "./labelsTr/c1.nii.gz"}]})");
  EXPECT_EQ(read_cohort(folder_.path().string()).subjects[0].image,
            folder_ / "imagesTr/c1_0000.nii.gz");
  std::filesystem::remove(folder_ / "labelsTr/c1.nii.gz");
  text("dataset.json", "{}");
  EXPECT_THAT(refusal(folder_.path().string()), HasSubstr("c1: label: no such file"));
}

TEST_F(CohortTest, Bids) {
  image("sub-01/anat/sub-01_T1w.nii.gz"), image("sub-01/anat/sub-01_T2w.nii.gz");
  image("sub-02/ses-a/anat/sub-02_ses-a_T1w.nii.gz"),
      image("sub-02/ses-b/anat/sub-02_ses-b_T1w.nii.gz");
  image("sub-03/anat/sub-03_FLAIR.nii.gz");
  image("derivatives/x/sub-01/anat/sub-01_T1w.nii.gz");
  text("participants.tsv", "participant_id\tage\tsex\nsub-01\t33\tn/a\nsub-02\t44\tM\n");
  const std::string root = folder_.path().string();
  const Cohort cohort = read_cohort(root);
  EXPECT_EQ(cohort.kind, "BIDS");
  EXPECT_THAT(ids(cohort), ElementsAre("sub-01", "sub-02_ses-a", "sub-02_ses-b"));
  EXPECT_THAT(cohort.covariates, ElementsAre("age", "sex"));
  EXPECT_THAT(cohort.subjects[0].covariates, ElementsAre("33", ""));
  EXPECT_THAT(cohort.subjects[2].covariates, ElementsAre("44", "M"));
  EXPECT_THAT(cohort.notes, ElementsAre(HasSubstr("1 of 3 sub-* folders have no *_T1w image")));
  EXPECT_THAT(ids(read_cohort(root, {.suffix = "T2w"})), ElementsAre("sub-01"));
  EXPECT_THAT(
      refusal(root, {.suffix = "T1"}),
      AllOf(HasSubstr("has no *_T1.nii.gz"), HasSubstr("choose suffix from: FLAIR, T1w, T2w")));
}

TEST_F(CohortTest, BidsWithoutDataTypeFolders) {
  image("sub-01/sub-01_T1w.nii.gz"), image("sub-01/sub-01_T2w.nii.gz");
  image("sub-02/ses-a/sub-02_ses-a_T1w.nii.gz");
  EXPECT_THAT(ids(read_cohort(folder_.path().string())), ElementsAre("sub-01", "sub-02_ses-a"));
}

TEST_F(CohortTest, ParticipantsWithEmptyFieldsAndBrokenRows) {
  image("sub-01/anat/sub-01_T1w.nii.gz"), image("sub-02/anat/sub-02_T1w.nii.gz");
  // An empty last column, named and not; a row too short, a row too long, an empty line.
  text("participants.tsv",
       "participant_id\tage\tnote\r\nsub-01\t33\t\r\nsub-02\t44\r\nx\t1\t2\t3\r\n\r\n");
  Cohort cohort = read_cohort(folder_.path().string());
  EXPECT_THAT(cohort.covariates, ElementsAre("age", "note"));
  EXPECT_THAT(cohort.subjects[0].covariates, ElementsAre("33", ""));
  EXPECT_THAT(cohort.subjects[1].covariates, ElementsAre("", ""));
  EXPECT_THAT(cohort.notes, ElementsAre(AllOf(HasSubstr("2 of 3 rows of"),
                                              HasSubstr("expected 3 fields in each"))));
  text("participants.tsv", "participant_id\tage\t\nsub-01\t33\t\nsub-02\t44\tx\n");
  cohort = read_cohort(folder_.path().string());
  EXPECT_THAT(cohort.covariates, ElementsAre("age", "column_3"));
  EXPECT_THAT(cohort.subjects[0].covariates, ElementsAre("33", ""));
  EXPECT_THAT(cohort.subjects[1].covariates, ElementsAre("44", "x"));
  EXPECT_TRUE(cohort.notes.empty());
}

TEST_F(CohortTest, FlatCohort) {
  image("a.nii.gz", {6, 5, 1}, 2), image("b.nrrd", {7, 5, 1}, 2);
  EXPECT_EQ(read_cohort(folder_.path().string()).dims, 2);
}

TEST_F(CohortTest, RealSources) {
  const Path data = ALADDIN_SHARED_DATA;
  if (!std::filesystem::exists(data)) GTEST_SKIP() << "no data in " << data;
  const Cohort hippocampi = read_cohort((data / "hippocampus/subjects.csv").string());
  EXPECT_EQ(hippocampi.subjects.size(), 200U);
  const Cohort brains =
      read_cohort((data / "brains/images").string(), {.labels = (data / "brains/labels").string()});
  EXPECT_EQ(brains.subjects.size(), 12U);
  EXPECT_EQ(brains.subjects[0].label, data / "brains/labels/1000.nii.gz");
}

}  // namespace
}  // namespace aladdin
