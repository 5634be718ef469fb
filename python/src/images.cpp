#include "aladdin/image/io.h"
#include "aladdin/image/label_map.h"
#include "aladdin/image/png.h"
#include "aladdin/report/slices.h"
#include "bindings.h"

namespace aladdin::python {
namespace {

// An Image or Labels; `values` is an array over its memory.
template <class T>
void bind_volume(py::module_& m, const char* name) {
  py::class_<Volume<T>>(m, name)
      .def(py::init([](const FortranArray<T>& array, const Grid& grid) {
             Volume<T> volume;
             volume.grid = grid;
             volume.values = values_of(array, shape_of(grid));
             return volume;
           }),
           py::arg("values"), py::arg("grid"))
      .def_readonly("grid", &Volume<T>::grid)
      .def_property_readonly("values", [](py::object self) {
        auto& volume = self.cast<Volume<T>&>();
        return view_of(volume.grid, volume.values, self);
      });
}

std::vector<std::uint8_t> picture(const Image& image, const Labels* labels, int panel_px,
                                  bool neurological) {
  report::SliceOptions options;
  options.panel_px = panel_px;
  options.neurological = neurological;
  options.captions = false;
  return encode_png(report::render_slices({{"", &image, labels}}, options));
}

}  // namespace

void bind_images(py::module_& m) {
  bind_volume<float>(m, "Image");
  bind_volume<std::int32_t>(m, "Labels");
  m.def("read_image", [](PythonCall& call, const Path& path) {
    return run(call, [&] { return read_image(path); });
  });
  m.def("read_labels", [](PythonCall& call, const Path& path) {
    return run(call, [&] { return read_labels(path); });
  });
  m.def("read_either", [](PythonCall& call, const Path& path) -> py::object {
    std::optional<Labels> labels;
    Image image;
    run(call, [&] {
      labels = read_if_labels(path);
      if (!labels) image = read_image(path);
    });
    return labels ? py::cast(std::move(*labels)) : py::cast(std::move(image));
  });
  m.def("read_volumes", [](PythonCall& call, const Path& path) {
    return run(call, [&] { return read_volumes(path); });
  });
  m.def("read_grid", [](PythonCall& call, const Path& path) {
    return run(call, [&] { return read_header(path).grid; });
  });
  m.def("write_image", [](PythonCall& call, const Path& path, const Image& image, bool force) {
    run(call, [&] {
      require_image_extension(path);
      require_writable(path, force);
      write_image(path, image);
    });
  });
  m.def("write_labels", [](PythonCall& call, const Path& path, const Labels& labels, bool force) {
    run(call, [&] {
      require_image_extension(path);
      require_writable(path, force);
      write_labels(path, labels);
    });
  });
  m.def("picture", [](PythonCall& call, const Image& image, const Labels* labels, int panel,
                      bool neurological) {
    const auto png = run(call, [&] { return picture(image, labels, panel, neurological); });
    return py::bytes(reinterpret_cast<const char*>(png.data()), png.size());
  });
}

}  // namespace aladdin::python
