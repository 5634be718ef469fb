#include <hdf5.h>

#include "aladdin/core/error.h"
#include "aladdin/transform/matrix_text.h"
#include "aladdin/transform/x5_file.h"
#include "aladdin/transform/x5_vectors.h"

namespace aladdin {
namespace {

class X5Writer {
 public:
  explicit X5Writer(const Path& path) : path_(path) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    file_ = made(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    attribute(file_, "Format", "X5");
    attribute(file_, "Version", H5T_STD_U16LE, 1);
    transforms_ = group(file_, "TransformGroup");
  }
  X5Writer(const X5Writer&) = delete;
  X5Writer& operator=(const X5Writer&) = delete;
  ~X5Writer() { close(); }

  void add(const Transform& transform, const std::optional<Grid>& like) {
    const hid_t one = group(transforms_, std::to_string(count_++).c_str());
    const auto* affine = std::get_if<Affine>(&transform);
    attribute(one, "Type", affine ? "linear" : "nonlinear");
    attribute(one, "SubType", affine ? "affine" : "densefield");
    attribute(one, "Representation", affine ? "matrix" : "displacements");
    attribute(one, "ArrayLength", H5T_STD_I64LE, 1);
    const std::vector<std::string> kinds{"space", "space", "space", "vector"};
    const hid_t type = made(H5Tcopy(H5T_C_S1));
    made(H5Tset_size(type, 6));
    std::string words;
    for (const std::string& kind : kinds) words += kind + std::string(6 - kind.size(), '\0');
    write(one, "DimensionKinds", type, {4}, words.data());
    H5Tclose(type);
    if (affine) {
      write(one, "Transform", H5T_NATIVE_DOUBLE, {4, 4}, rows_of(flip_ras(*affine)).data());
      if (like) domain(one, *like);
    } else {
      const Displacement& field = std::get<Displacement>(transform);
      const Grid& grid = field.grid();
      std::vector<float> values(static_cast<std::size_t>(3 * grid.voxels()));
      for_each_vector(grid, [&](std::int64_t v, std::size_t at, const Vec3&) {
        for (int c = 0; c < 3; ++c)
          values[at + static_cast<std::size_t>(c)] =
              static_cast<float>(ras(c, field.vectors.component(c)[v]));
      });
      std::vector<hsize_t> size(grid.size.begin(), grid.size.end());
      size.push_back(3);
      write(one, "Transform", H5T_NATIVE_FLOAT, size, values.data());
      domain(one, grid);
    }
    H5Gclose(one);
  }

  void finish() {
    if (count_ > 1) {
      std::string order = "0";
      for (int i = 1; i < count_; ++i) order += "/" + std::to_string(i);
      const hid_t chains = group(file_, "TransformChain");
      const hid_t type = text_type(), space = made(H5Screate(H5S_SCALAR));
      const char* text = order.c_str();
      const hid_t set =
          made(H5Dcreate2(chains, "0", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
      made(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &text));
      H5Dclose(set);
      H5Sclose(space);
      H5Tclose(type);
      H5Gclose(chains);
    }
    made(H5Fflush(file_, H5F_SCOPE_LOCAL));
    made(close());
  }

 private:
  hid_t made(hid_t id) const {
    if (id >= 0) return id;
    throw Error(fmt::format("cannot write '{}'", path_.string()))
        .hint("is the disk full?")
        .of_output();
  }
  int close() {
    if (file_ < 0) return 0;
    H5Gclose(transforms_);
    const int closed = H5Fclose(file_);
    file_ = -1;
    return closed;
  }
  hid_t group(hid_t parent, const char* name) const {
    return made(H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  }
  hid_t text_type() const {
    const hid_t type = made(H5Tcopy(H5T_C_S1));
    made(H5Tset_size(type, H5T_VARIABLE));
    made(H5Tset_cset(type, H5T_CSET_UTF8));
    return type;
  }
  void attribute(hid_t object, const char* name, const char* text) const {
    const hid_t type = text_type(), space = made(H5Screate(H5S_SCALAR));
    const hid_t one = made(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT));
    made(H5Awrite(one, type, &text));
    H5Aclose(one);
    H5Sclose(space);
    H5Tclose(type);
  }
  void attribute(hid_t object, const char* name, hid_t type, std::int64_t value) const {
    const hid_t space = made(H5Screate(H5S_SCALAR));
    const hid_t one = made(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT));
    made(H5Awrite(one, H5T_NATIVE_INT64, &value));
    H5Aclose(one);
    H5Sclose(space);
  }
  void write(hid_t parent, const char* name, hid_t type, const std::vector<hsize_t>& size,
             const void* values) const {
    const hid_t space =
        size.empty() ? made(H5Screate(H5S_SCALAR))
                     : made(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr));
    const hid_t how = made(H5Pcreate(H5P_DATASET_CREATE));
    if (size.size() == 4) {  // a field: packed slab by slab
      std::vector<hsize_t> slab = size;
      slab[0] = 1;
      made(H5Pset_chunk(how, 4, slab.data()));
      made(H5Pset_shuffle(how));
      made(H5Pset_deflate(how, 4));
    }
    const hid_t set = made(H5Dcreate2(parent, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT));
    made(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
    H5Dclose(set);
    H5Pclose(how);
    H5Sclose(space);
  }
  static std::vector<double> rows_of(const Affine& affine) {
    std::vector<double> rows;
    for (int row = 0; row < 3; ++row) {
      for (int column = 0; column < 3; ++column) rows.push_back(affine.matrix[row][column]);
      rows.push_back(affine.offset[row]);
    }
    rows.insert(rows.end(), {0, 0, 0, 1});
    return rows;
  }
  void domain(hid_t one, const Grid& grid) const {
    const hid_t part = group(one, "Domain");
    const std::uint8_t regular = 1;
    write(part, "Grid", H5T_NATIVE_UINT8, {}, &regular);
    write(part, "Size", H5T_NATIVE_INT64, {3}, grid.size.data());
    Affine to_ras = to_points(grid);
    for (int row = 0; row < 2; ++row) {
      to_ras.offset[row] = -to_ras.offset[row];
      for (double& value : to_ras.matrix[row]) value = -value;
    }
    write(part, "Mapping", H5T_NATIVE_DOUBLE, {4, 4}, rows_of(to_ras).data());
    attribute(part, "Coordinates", "cartesian");
    H5Gclose(part);
  }

  Path path_;
  hid_t file_ = -1, transforms_ = -1;
  int count_ = 0;
};

}  // namespace

void write_x5(const Path& path, const Chain& chain, const std::optional<Grid>& grid) {
  if (!chain.empty() && dims_of(chain.front()) != 3)
    fail("'{}' cannot be written: transforms in an X5 file are 3-D, this one is 2-D",
         path.string());
  AtomicFile file(path);
  X5Writer writer(file.path());
  for (const Transform& one : chain) writer.add(one, grid);
  writer.finish();
  file.commit();
}

}  // namespace aladdin
