// make_seeds FOLDER: a few small good inputs for each fuzz target, FOLDER/<target>/…, written by us and by ITK.
#include <cstdio>

#include "aladdin/config/presets.h"
#include "aladdin/config/write.h"
#include "aladdin/core/error.h"
#include "aladdin/evaluate/evaluation_part.h"
#include "aladdin/image/io.h"
#include "aladdin/network/model.h"
#include "aladdin/network/test_model.h"
#include "aladdin/run/run_directory.h"
#include "aladdin/train/checkpoint.h"
#include "aladdin/transform/itk_test_transforms.h"
#include "aladdin/transform/transform_file.h"
#include "small_training.h"
#ifdef ALADDIN_MINC
#include <itkImageFileWriter.h>
#include <itkMINCImageIO.h>
#endif

using namespace aladdin;

namespace {

Grid small_grid(int dims) {
  Grid grid;
  grid.dims = dims;
  grid.size = {5, 4, dims == 2 ? 1 : 3};
  grid.spacing = {1, 1.5, dims == 2 ? 1.0 : 2.0};
  return grid;
}

// An element of DICOM, little-endian with its kind: group, element, two letters, length, value.
std::string element(int group, int number, const char* kind, std::string value) {
  if (value.size() % 2 == 1) value += kind == std::string("UI") ? '\0' : ' ';
  const auto word = [](std::size_t n) { return std::string{char(n & 0xff), char(n >> 8 & 0xff)}; };
  const bool wide = kind == std::string("OW");
  return word(group) + word(number) + kind +
         (wide ? std::string(2, '\0') + word(value.size()) + std::string(2, '\0')
               : word(value.size())) +
         value;
}

// A slice of 4 x 3 numbers, as a scanner writes it.
std::string dicom_slice() {
  const auto number = [](int n) { return std::string{char(n), '\0'}; };
  std::string meta = element(0x0002, 0x0002, "UI", "1.2.840.10008.5.1.4.1.1.4") +
                     element(0x0002, 0x0003, "UI", "1.2.3.4.1") +
                     element(0x0002, 0x0010, "UI", "1.2.840.10008.1.2.1");
  const auto size = meta.size();
  meta = element(0x0002, 0x0000, "UL", std::string{char(size), '\0', '\0', '\0'}) + meta;
  return std::string(128, '\0') + "DICM" + meta +
         element(0x0008, 0x0016, "UI", "1.2.840.10008.5.1.4.1.1.4") +
         element(0x0008, 0x0018, "UI", "1.2.3.4.1") + element(0x0008, 0x0060, "CS", "MR") +
         element(0x0018, 0x0050, "DS", "2") + element(0x0020, 0x000d, "UI", "1.2.3") +
         element(0x0020, 0x000e, "UI", "1.2.3.4") + element(0x0020, 0x0013, "IS", "1") +
         element(0x0020, 0x0032, "DS", "-7\\11\\5") +
         element(0x0020, 0x0037, "DS", "1\\0\\0\\0\\1\\0") +
         element(0x0028, 0x0002, "US", number(1)) + element(0x0028, 0x0004, "CS", "MONOCHROME2") +
         element(0x0028, 0x0010, "US", number(3)) + element(0x0028, 0x0011, "US", number(4)) +
         element(0x0028, 0x0030, "DS", "0.75\\0.5") + element(0x0028, 0x0100, "US", number(16)) +
         element(0x0028, 0x0101, "US", number(16)) + element(0x0028, 0x0102, "US", number(15)) +
         element(0x0028, 0x0103, "US", number(1)) +
         element(0x7fe0, 0x0010, "OW", std::string(24, '\1'));
}

void make_images(const Path& out) {
  for (const int dims : {2, 3}) {
    const Image image(small_grid(dims), 0.5F);
    const Labels labels(small_grid(dims), 3);
    const VectorImage vectors(small_grid(dims));
    for (const auto& [target, extension] : {std::pair("nifti", ".nii"),
                                            {"nifti", ".nii.gz"},
                                            {"nrrd", ".nrrd"},
                                            {"metaimage", ".mha"}}) {
      const auto name = [&, target = target, extension = extension](const char* what) {
        return out / target / fmt::format("{}{}{}", what, dims, extension);
      };
      write_image(name("image"), image);
      write_labels(name("labels"), labels);
      write_vectors(name("vectors"), vectors);
    }
    write_vectors(out / "transform_field" / fmt::format("field{}.nii.gz", dims), vectors);
    Affine affine;
    affine.dims = dims;
    write_affine(out / "transform_text" / fmt::format("affine{}.tfm", dims), affine);
    write_affine(out / "transform_matlab" / fmt::format("affine{}.mat", dims), affine);
    write_affine(out / "transform_hdf5" / fmt::format("affine{}.h5", dims), affine);
  }
  std::string pair = read_text(out / "nifti" / "image3.nii");
  pair.replace(344, 3, "ni1").replace(108, 4, std::string(4, '\0')).erase(348, 4);
  write_text(out / "pair" / "nifti", pair);
  write_text(out / "pair" / "analyze", pair.replace(344, 3, std::string(3, '\0')));
  write_text(out / "dicom" / "slice.dcm", dicom_slice());
  write_text(out / "nrrd" / "ascii.nrrd",
             "NRRD0004\n# a comment\ntype: short\ndimension: 2\nspace: left-posterior-superior\n"
             "sizes: 2 2\nspace directions: (1,0) (0,1)\nkinds: domain domain\nencoding: ascii\n"
             "space origin: (0,0)\nkey:=value\n\n1 2 3 4\n");
  write_text(
      out / "metaimage" / "text.mha",
      "ObjectType = Image\nNDims = 2\nBinaryData = False\nElementSpacing = 1 1\nDimSize = 2 2\n"
      "ElementType = MET_SHORT\nElementDataFile = LOCAL\n1 2 3 4\n");
  // The first byte: odd for MetaImage.
  write_text(out / "detached" / "m",
             "1ObjectType = Image\nNDims = 3\nDimSize = 2 2 2\nElementType = MET_UCHAR\n"
             "ElementDataFile = s001.raw\n");
  for (const char* files : {"s001.raw", "s%03d.raw 1 2 1 2", "LIST\ns001.raw\ns002.raw"})
    write_text(out / "detached" / fmt::format("n{}", std::string(files).size()),
               fmt::format("0NRRD0004\ntype: uchar\ndimension: 3\nsizes: 2 2 2\nencoding: raw\n"
                           "data file: {}\n\n",
                           files));
}

// What other programs than ITK read.
void make_foreign(const Path& out) {
  const Grid grid = small_grid(3);
  write_image(out / "mgh" / "image.mgz", Image(grid, 0.5F));
  write_image(out / "mgh" / "image.mgh", Image(grid, 0.5F));
  write_labels(out / "mgh" / "labels.mgh", Labels(grid, 300));
  const std::vector<float> three(static_cast<std::size_t>(3 * grid.voxels()), 1.5F);
  write_volumes(out / "mif" / "volumes.mif", grid, three);
  write_volumes(out / "mif" / "volumes.mif.gz", grid, three);
  const Chain affine{translation({1, 2, 3})};
  const auto output = [&](TransformFormat format) { return TransformOutput{format, grid, grid}; };
  const auto write = [&](const Path& path, TransformFormat format) {
    write_transform(path, affine, output(format));
  };
  write(out / "transform_lta" / "affine.lta", TransformFormat::lta);
  write(out / "transform_x5" / "affine.x5", TransformFormat::x5);
  write_transform(out / "transform_x5" / "chain.x5", {affine[0], Displacement(grid)},
                  output(TransformFormat::x5));
  std::string voxels = read_text(out / "transform_lta" / "affine.lta");
  voxels[voxels.find('1')] = '0';
  write_text(out / "transform_lta" / "voxels.lta", voxels);
  write(out / "transform_matrix" / "flirt.mat", TransformFormat::fsl);
  write_text(out / "transform_matrix" / "comment.txt",
             "#centre: 1 2 3\n1 0 0 5\n0 1 0 6\n0 0 1 7\n");
  write(out / "transform_volumes" / "fnirt.nii", TransformFormat::fsl);
  write(out / "transform_volumes" / "deformation.nii", TransformFormat::mrtrix);
  write(out / "transform_volumes" / "deformation.mif", TransformFormat::mrtrix);
}

// The target runs without a seed where ITK has no MINC: everything is refused then.
void make_minc(const Path& out) {
  make_folder(out / "minc");
  write_text(out / "minc" / "one.mnc", "CDF\x01");
#ifdef ALADDIN_MINC
  using Volume = itk::Image<float, 3>;
  auto image = Volume::New();
  image->SetRegions(Volume::SizeType{{5, 4, 3}});
  image->Allocate(true);
  auto writer = itk::ImageFileWriter<Volume>::New();
  writer->SetImageIO(itk::MINCImageIO::New());
  writer->SetFileName((out / "minc" / "two.mnc").string());
  writer->SetInput(image);
  writer->Update();
#endif
}

void make_composites(const Path& out) {
  testing::register_itk_formats();
  testing::write_with_itk<double>(out / "transform_text" / "composite.tfm",
                                  *testing::small_itk_composite<double, 3>());
  testing::write_with_itk<float>(out / "transform_matlab" / "field.mat",
                                 *testing::small_itk_field<float, 2>());
  testing::write_with_itk<double>(out / "transform_hdf5" / "composite.h5",
                                  *testing::small_itk_composite<double, 3>());
}

void make_texts(const Path& out) {
  write_text(
      out / "cohort_csv" / "a.csv",
      "id,image,label,mask,split,age\na,a.nii,\"l,\"\"1\"\".nii\",,train,3\nb,b.nii,,m.nii,val,4\n");
  write_text(out / "participants" / "a.tsv",
             "participant_id\tage\tsex\nsub-01\t31\tF\nsub-02\tn/a\tM\n");
  write_text(
      out / "cohort_json" / "decathlon.json",
      R"({"name": "x", "labels": {"0": "background", "1": "bone"}, "modality": {"0": "MRI", "1": "CT"},
"training": [{"image": "./imagesTr/a.nii.gz", "label": "./labelsTr/a.nii.gz"}], "test": ["./imagesTs/b.nii.gz"]})");
  write_text(
      out / "cohort_json" / "nnunet.json",
      R"({"channel_names": {"0": "T1"}, "labels": {"background": 0, "bone": 1}, "numTraining": 2})");
  for (const auto& name : preset_names())
    write_text(out / "config" / (name + ".toml"), to_toml(preset(name)));
  write_text(out / "config" / "setting", "train.rate=1e-4");
  write_text(out / "points" / "a.csv", "name,x,y,z\na,1,2,3\n\"b,c\",-1.5,2e3,0\n");
  write_text(out / "points" / "b.csv", "X,Y\r\n1,2\r\n");
  write_text(out / "condition" / "where", "sex=F and (age>=30 or not `odd name`!='x y')");
  write_text(out / "condition" / "at", "age=25,sex=F,C(`odd name`)='x y'");
  write_text(out / "condition" / "sweep", "age=20:50:10");
  write_text(out / "condition" / "bandwidth", "age=5,etiv=1e2");
  write_text(
      out / "run_record" / "run.json",
      R"({"format": "aladdin run", "version": 1, "state": "done", "subjects": [{"id": "a", "split": "val",
"image": "/x/a.nii", "label": "/x/l.nii", "shift_mm": [1, 2, 3], "intensity": [0, 100]}],
"results": {"labels": [0, 1], "mean_velocity_mm": 0.1, "mean_velocity_max_mm": 0.2, "mean_velocity_shift_mm": 0.0}})");
  // The first byte: which file of a run directory this is.
  write_text(
      out / "run_report" / "record",
      R"(0{"format": "aladdin run", "version": 1, "state": "done", "subjects": [{"id": "a", "split": "val",
"image": "/x/a.nii", "shift_mm": [1, 2, 3], "intensity": [0, 100], "size": [3, 4], "spacing_mm": [1, 2.5]}], "grid": "g",
"cohort": {"source": "x.csv", "kind": "csv", "notes": ["one"], "label_names": {"1": "bone"}}, "versions": {"aladdin": "1"},
"timing": {"training_minutes": 1.5}, "results": {"labels": [0, 1], "folds": 0, "epochs": 3}, "command": "aladdin build x.csv"})");
  write_text(out / "run_report" / "metrics",
             "1epoch,step,fraction,energy,val_bridge_dice\n1,2,0.5,1e-3,\n2,4,1,9e-4,0.7\n");
  write_text(out / "run_report" / "subjects", "2id,split,energy,folds\na,val,0.5,0\n");
  write_text(out / "run_report" / "break",
             "1energy\n\"\n\"\n");  // a field with the end of a line in it
  write_text(out / "http" / "get",
             "GET /run/0/a%20b.csv?x=1#y HTTP/1.1\r\nHost: 127.0.0.1:8000\r\nAccept: */*\r\n\r\n");
  write_text(out / "http" / "path", "/run/0/atlas.nii.gz");
}

// Checksums would refuse whatever is mutated: they get names that nobody asks for.
void forget_checksums(const Path& path) {
  const std::string name = "checksum\":";
  std::string bytes = read_text(path);
  for (std::size_t at = 0; (at = bytes.find(name, at)) != std::string::npos;)
    bytes.replace(at, name.size(), "checkmus\":");
  write_text(path, bytes);
}

void make_models(const Path& out) {
  UnetOptions network;
  network.width = 1;
  network.depth = 2;
  for (const int dims : {2, 3}) {
    network.dims = dims;
    const Model model = testing::make_model(network, small_grid(dims).size);
    write_model(out / "model" / fmt::format("model{}.safetensors", dims), model);
    write_model(out / "safetensors" / fmt::format("model{}.safetensors", dims), model);
    const Path bare = out / "model" / fmt::format("bare{}.safetensors", dims);
    write_model(bare, model);
    forget_checksums(bare);
  }
}

void make_parts(const Path& out) {
  evaluate::Source source;
  source.name = "two";
  for (const char* id : {"a", "b"}) {
    evaluate::SourceSubject subject;
    subject.id = id;
    subject.label = out / "nifti" / "labels3.nii";
    subject.native_to_atlas = [] { return Chain{}; };
    source.subjects.push_back(subject);
  }
  write_part(out / "evaluation_part" / "labels.json", evaluate::evaluate(source));
  for (auto& subject : source.subjects) subject.image = std::exchange(subject.label, Path());
  write_part(out / "evaluation_part" / "bare.json", evaluate::evaluate(source));
}

void make_checkpoints(const Path& out) {
  for (const Engine engine : {Engine::learn, Engine::optimise}) {
    TrainingState state = fuzz::small_training(engine);
    state.learner->begin_stage(1);
    state.learner->keep_best();
    const RunDirectory run{out / "checkpoint" / name_of(engine)};
    write_checkpoint(run, state, "");
    forget_checksums(std::filesystem::directory_iterator(run.checkpoints())->path());
  }
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) return std::fprintf(stderr, "make_seeds FOLDER\n"), 2;
  make_images(argv[1]);
  make_foreign(argv[1]);
  make_minc(argv[1]);
  make_composites(argv[1]);
  make_texts(argv[1]);
  make_models(argv[1]);
  make_parts(argv[1]);
  make_checkpoints(argv[1]);
  return 0;
} catch (const std::exception& error) {
  return std::fprintf(stderr, "%s\n", error.what()), 1;
}
