// aladdin._core: the library as Python sees it. What users call is in ../aladdin, which is Python.
#include <omp.h>

#include "aladdin/core/error.h"
#include "aladdin/core/memory.h"
#include "bindings.h"

namespace aladdin::python {
namespace {

// Error and UsageError are classes of aladdin/_errors.py.
void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const Error& error) {
    const char* name = error.exit_code() == ExitCode::usage ? "UsageError" : "Error";
    const py::object type = py::module_::import("aladdin._errors").attr(name);
    PyErr_SetString(type.ptr(), error.what());
  }
}

void bind_call(py::module_& m) {
  py::class_<PythonCall>(m, "Call")
      .def(py::init<py::object, py::object, py::object>(), py::arg("say") = py::none(),
           py::arg("progress") = py::none(), py::arg("print") = py::none())
      .def_readwrite("threads", &PythonCall::threads)
      .def_readwrite("nan_is_zero", &PythonCall::nan_is_zero)
      .def_readwrite("command", &PythonCall::command)
      .def_readwrite("resume_command", &PythonCall::resume_command)
      .def_readwrite("program", &PythonCall::program)
      .def_property_readonly("printed", &PythonCall::printed);
}

}  // namespace

PYBIND11_MODULE(_core, m) {
  m.doc() = "The library of aladdin.";
  py::register_exception_translator(translate);
  bind_call(m);
  bind_grids(m);
  bind_images(m);
  bind_transforms(m);
  bind_registration(m);
  bind_commands(m);
  bind_kernels(m);
  // A process that is forked has no other threads, but OpenMP would wait for them: it is to start anew.
  m.def("end_idle_threads", [] { omp_pause_resource_all(omp_pause_hard); });
  m.def("resident_memory", &resident_memory);
}

}  // namespace aladdin::python
