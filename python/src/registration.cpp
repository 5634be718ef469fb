#include "aladdin/core/parallel.h"
#include "aladdin/core/progress.h"
#include "aladdin/register/atlas_registration.h"
#include "aladdin/register/segmenter.h"
#include "bindings.h"

namespace aladdin::python {
namespace {

struct Job {
  const Image* image;
  const Labels* mask;  // or null
  std::string name;
};

std::vector<Job> jobs_of(const std::vector<py::object>& images,
                         const std::vector<py::object>& masks,
                         const std::vector<std::string>& names) {
  std::vector<Job> jobs;
  for (std::size_t i = 0; i < images.size(); ++i)
    jobs.push_back({images[i].cast<const Image*>(),
                    masks[i].is_none() ? nullptr : masks[i].cast<const Labels*>(), names[i]});
  return jobs;
}

py::dict figures(const AtlasRegistration& found) {
  py::dict out;
  out["ncc_before"] = found.similarity.ncc_before;
  out["ncc_after"] = found.similarity.ncc_after;
  out["folds_to_atlas"] = found.to_atlas.folds;
  out["folds_to_native"] = found.to_native.folds;
  out["jacobian_min"] = found.to_atlas.min;
  out["jacobian_max"] = found.to_atlas.max;
  out["inverse_error_mean_mm"] = found.inverse.mean_mm;
  out["inverse_error_max_mm"] = found.inverse.max_mm;
  out["shift_mm"] = std::vector<double>(found.shift.begin(), found.shift.end());
  return out;
}

// Small images side by side, large ones one after the other on all threads, as `aladdin register` has them.
std::vector<AtlasRegistration> register_all(AtlasRegistrar& registrar, const std::vector<Job>& jobs,
                                            std::optional<int> refine, const std::string& fields) {
  const FieldGrid grid = parse_field_grid(fields);
  std::vector<AtlasRegistration> found(jobs.size());
  Progress progress("registering", static_cast<std::int64_t>(jobs.size()));
  const auto one = [&](std::int64_t i) {
    const Job& job = jobs[static_cast<std::size_t>(i)];
    found[static_cast<std::size_t>(i)] =
        registrar.register_image(*job.image, job.mask, job.name, refine, grid);
    progress.advance();
  };
  const auto count = static_cast<std::int64_t>(jobs.size());
  if (registrar.is_small() && count == 1 && Call::here()->threads == 0) set_threads(1);
  if (registrar.is_small()) {
    parallel_for(count, one);
  } else {
    for (std::int64_t i = 0; i < count; ++i) one(i);
  }
  return found;
}

}  // namespace

void bind_registration(py::module_& m) {
  py::class_<AtlasRegistration>(m, "AtlasRegistration")
      .def_property_readonly(
          "native_to_atlas",
          [](const AtlasRegistration& r) { return PyTransform{r.native_to_atlas}; })
      .def_property_readonly(
          "atlas_to_native",
          [](const AtlasRegistration& r) { return PyTransform{r.atlas_to_native}; })
      .def_property_readonly("figures", &figures);
  py::class_<AtlasRegistrar>(m, "AtlasRegistrar")
      .def(py::init([](PythonCall& call, const Path& run_folder) {
        return run(call, [&] { return std::make_unique<AtlasRegistrar>(run_folder); });
      }))
      .def_property_readonly("atlas", &AtlasRegistrar::atlas)
      .def_property_readonly("labels", &AtlasRegistrar::labels)
      .def("register",
           [](AtlasRegistrar& self, PythonCall& call, const std::vector<py::object>& images,
              const std::vector<py::object>& masks, const std::vector<std::string>& names,
              std::optional<int> refine, const std::string& fields) {
             const auto jobs = jobs_of(images, masks, names);
             return run(call, [&] { return register_all(self, jobs, refine, fields); });
           })
      .def("warped",
           [](const AtlasRegistrar& self, PythonCall& call, const Image& image,
              const AtlasRegistration& found) {
             return run(call, [&] { return self.warped(image, found); });
           })
      .def("labels_on", [](const AtlasRegistrar& self, PythonCall& call, const Grid& grid,
                           const AtlasRegistration& found) {
        return run(call, [&] { return self.labels_on(grid, found); });
      });
  py::class_<Segmentation>(m, "Segmentation")
      .def_readonly("labels", &Segmentation::labels)
      .def_readonly("volumes", &Segmentation::volumes)
      .def_property_readonly("probabilities", [](py::object self) -> py::object {
        auto& s = self.cast<Segmentation&>();
        if (s.probabilities.empty()) return py::none();
        return view_of(s.labels.grid, s.probabilities, self,
                       {static_cast<py::ssize_t>(s.volumes.size())});
      });
  py::class_<Segmenter>(m, "Segmenter")
      .def(py::init([](PythonCall& call, const Path& run_folder, bool bridge) {
        return run(call, [&] { return std::make_unique<Segmenter>(run_folder, bridge); });
      }))
      .def_property_readonly("table", &Segmenter::table)
      .def("columns", &Segmenter::columns, py::arg("names") = LabelNames{})
      .def("label", [](Segmenter& self, PythonCall& call, const std::vector<py::object>& images,
                       const std::vector<py::object>& masks, const std::vector<std::string>& names,
                       std::optional<int> refine, bool probabilities) {
        const auto jobs = jobs_of(images, masks, names);
        return run(call, [&] {
          std::vector<Segmentation> out;
          Progress progress("labelling", static_cast<std::int64_t>(jobs.size()) * self.steps());
          for (const Job& job : jobs)
            out.push_back(self.label_image(*job.image, job.mask, job.name, refine, probabilities,
                                           [&] { progress.advance(); }));
          return out;
        });
      });
}

}  // namespace aladdin::python
