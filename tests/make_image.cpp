// make_image KIND PATH: writes a tiny NIfTI-1 file, sound or broken in the way KIND says. It writes
// the bytes itself, so that no library can refuse or repair what the tests need. Without arguments
// it lists the kinds.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace {

#pragma pack(push, 1)
struct Header {  // nifti1.h, byte for byte
  std::int32_t sizeof_hdr = 348;
  char unused_a[35] = {};
  char dim_info = 0;
  std::int16_t dim[8] = {3, 6, 5, 4, 1, 1, 1, 1};
  float intent_p[3] = {};
  std::int16_t intent_code = 0;
  std::int16_t datatype = 16;  // float32
  std::int16_t bitpix = 32;
  std::int16_t slice_start = 0;
  float pixdim[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  float vox_offset = 352;
  float scl_slope = 1;
  float scl_inter = 0;
  char unused_b[4] = {};
  float unused_c[6] = {};
  char text[80 + 24] = {};
  std::int16_t qform_code = 0;
  std::int16_t sform_code = 1;
  float quatern[3] = {};
  float qoffset[3] = {};
  float srow[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
  char intent_name[16] = {};
  char magic[4] = {'n', '+', '1', '\0'};
};
#pragma pack(pop)
static_assert(sizeof(Header) == 348);

struct File {
  Header header;
  std::vector<float> values;        // float32 voxels
  std::vector<std::uint8_t> bytes;  // used instead when not empty
  double kept = 1.0;                // the part of the voxels that is written
};

File ramp() {
  File file;
  for (int v = 0; v < 6 * 5 * 4; ++v) file.values.push_back(static_cast<float>(v));
  return file;
}

void set_type(File& file, std::int16_t datatype, std::int16_t bits) {
  file.header.datatype = datatype;
  file.header.bitpix = bits;
  file.bytes.assign(std::size_t{6} * 5 * 4 * bits / 8, 1);
}

void set_spacing(File& file, int axis, float spacing) {
  file.header.pixdim[axis] = spacing;
  file.header.sform_code = 0;
  file.header.qform_code = 1;
}

void make_field(File& file) {  // as ITK writes one: 5-D, three values a voxel
  const std::int16_t dim[8] = {5, 6, 5, 4, 1, 3, 1, 1};
  std::memcpy(file.header.dim, dim, sizeof dim);
  file.header.intent_code = 1007;
  file.values.assign(std::size_t{6} * 5 * 4 * 3, 0.5F);
}

using Change = std::function<void(File&)>;

const std::map<std::string, Change>& kinds() {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInf = std::numeric_limits<float>::infinity();
  static const std::map<std::string, Change> all{
      // sound
      {"image", [](File&) {}},
      {"image-2d", [](File& f) { f.header.dim[0] = 2, f.header.dim[3] = 1, f.values.resize(30); }},
      {"shifted", [](File& f) { f.header.srow[0][3] = 3; }},
      {"constant", [](File& f) { f.values.assign(f.values.size(), 7); }},
      {"thin", [](File& f) { f.header.dim[1] = 1, f.values.resize(20); }},
      {"coronal",
       [](File& f) {
         f.header.dim[3] = 1, f.values.resize(30);
         f.header.srow[1][1] = f.header.srow[2][2] = 0;
         f.header.srow[2][1] = f.header.srow[1][2] = 1;
       }},
      {"inverted",
       [](File& f) {
         for (float& value : f.values) value = 119 - value;
       }},
      {"large",
       [](File& f) {
         f.header.srow[0][0] = f.header.srow[1][1] = f.header.srow[2][2] = 10;
         f.header.pixdim[1] = f.header.pixdim[2] = f.header.pixdim[3] = 10;
       }},
      {"negative-labels", [](File& f) { f.values[10] = -4; }},
      {"labels", [](File& f) { set_type(f, 2, 8), f.bytes[0] = 0, f.bytes[1] = 3; }},
      {"half-mask",
       [](File& f) {
         set_type(f, 2, 8);
         for (std::size_t v = 0; v < f.bytes.size(); ++v) f.bytes[v] = v % 6 < 3;
       }},
      {"field", make_field},
      {"zeros", [](File& f) { f.values.assign(f.values.size(), 0); }},
      // broken values
      {"nan", [](File& f) { f.values[10] = kNan; }},
      {"inf", [](File& f) { f.values[10] = kInf; }},
      {"fractions", [](File& f) { f.values[10] = 0.5F; }},
      {"field-nan", [](File& f) { make_field(f), f.values[10] = kNan; }},
      {"rgb", [](File& f) { set_type(f, 128, 24); }},
      {"complex", [](File& f) { set_type(f, 32, 64); }},
      {"unknown-type", [](File& f) { set_type(f, 9999, 32); }},
      {"truncated", [](File& f) { f.kept = 0.5; }},
      {"header-only", [](File& f) { f.kept = 0; }},
      // broken geometry
      {"image-1d", [](File& f) { f.header.dim[0] = 1, f.header.dim[2] = f.header.dim[3] = 1; }},
      {"image-4d", [](File& f) { f.header.dim[0] = 4, f.header.dim[3] = 2, f.header.dim[4] = 2; }},
      {"zero-size", [](File& f) { f.header.dim[2] = 0; }},
      {"negative-size", [](File& f) { f.header.dim[2] = -5; }},
      {"huge", [](File& f) { f.header.dim[1] = f.header.dim[2] = f.header.dim[3] = 32767; }},
      {"zero-spacing", [](File& f) { set_spacing(f, 2, 0); }},
      {"nan-spacing", [](File& f) { set_spacing(f, 2, kNan); }},
      {"singular", [](File& f) { std::memcpy(f.header.srow[1], f.header.srow[0], 16); }},
      {"nan-origin", [](File& f) { f.header.srow[0][3] = kNan; }},
      {"no-dimensions", [](File& f) { f.header.dim[0] = 0; }},
  };
  return all;
}

bool write(const File& file, const char* path) {
  std::ofstream stream(path, std::ios::binary);
  stream.write(reinterpret_cast<const char*>(&file.header), sizeof file.header);
  stream.write("\0\0\0\0", 4);
  const bool own = !file.bytes.empty();
  const auto size = own ? file.bytes.size() : file.values.size() * sizeof(float);
  stream.write(own ? reinterpret_cast<const char*>(file.bytes.data())
                   : reinterpret_cast<const char*>(file.values.data()),
               static_cast<std::streamsize>(std::floor(static_cast<double>(size) * file.kept)));
  return static_cast<bool>(stream.flush());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3) {
    const auto kind = kinds().find(argv[1]);
    if (kind == kinds().end()) return std::fprintf(stderr, "no kind '%s'\n", argv[1]), 2;
    File file = ramp();
    kind->second(file);
    return write(file, argv[2]) ? 0 : 1;
  }
  for (const auto& [name, change] : kinds()) std::printf("%s\n", name.c_str());
  return 2;
}
