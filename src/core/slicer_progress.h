// For 3D Slicer, which reads on standard output how far a module is: with ALADDIN_PROGRESS=slicer in the environment
//
//   <filter-start><filter-name>registering</filter-name><filter-comment>registering</filter-comment></filter-start>
//   <filter-progress>0.25</filter-progress>
//   <filter-end><filter-name>registering</filter-name><filter-time>12.3</filter-time></filter-end>
//
// and nothing without. Thread-safe.
#pragma once

#include <string>

namespace aladdin {

// `share` of the work `what`, 0 to 1, is done. Another `what` begins another filter; 1 ends it.
void tell_slicer(const std::string& what, double share);

}  // namespace aladdin
