// For what calls ITK, here and in src/transform: ITK's exceptions become one sentence, its own talk is silenced.
#pragma once

#include <itkMacro.h>
#include <itkMetaDataDictionary.h>
#include <itkObject.h>

#include <iostream>
#include <mutex>
#include <new>
#include <sstream>

#include "aladdin/core/error.h"
#include "aladdin/core/files.h"

namespace aladdin {

// Held while ITK works on a format whose library is not safe for threads (NRRD keeps its errors in
// one global list, MetaIO and GDCM print to std::cerr): one at a time, and what they print is
// dropped, since what matters is said by us.
class QuietItk {
 public:
  QuietItk() : lock_(mutex()), before_(std::cerr.rdbuf(dropped_.rdbuf())) {
    itk::Object::GlobalWarningDisplayOff();
  }
  ~QuietItk() { std::cerr.rdbuf(before_); }
  QuietItk(const QuietItk&) = delete;
  QuietItk& operator=(const QuietItk&) = delete;

  std::string said() const { return dropped_.str(); }

 private:
  static std::recursive_mutex& mutex() {
    static std::recursive_mutex one;
    return one;
  }

  std::scoped_lock<std::recursive_mutex> lock_;
  std::ostringstream dropped_;
  std::streambuf* before_;
};

// ITK says where in ITK an error arose; the user needs the file and one reason.
template <class Action>
auto translated(const Path& path, const char* doing, Action&& action) {
  try {
    return action();
  } catch (const itk::ExceptionObject& error) {
    std::string reason = error.GetDescription();
    if (const auto colon = reason.rfind("): "); colon != std::string::npos)
      reason = reason.substr(colon + 3);
    reason = reason.substr(0, reason.find('\n'));
    while (!reason.empty() && std::string_view(".: ").find(reason.back()) != std::string_view::npos)
      reason.pop_back();
    if (reason.empty() || reason.find(path.string()) != std::string::npos)
      reason = "ITK refuses it";
    const std::string sentence = fmt::format("cannot {} '{}': {}", doing, path.string(), reason);
    if (std::string_view(doing).starts_with("write"))
      throw Error(sentence).hint("is the disk full?").of_output();
    throw Error(sentence).hint("is the file damaged or truncated?");
  } catch (const std::bad_alloc&) {
    fail("cannot {} '{}': not enough memory", doing, path.string());
  } catch (const std::length_error&) {
    fail("cannot {} '{}': not enough memory", doing, path.string());
  }
}

// dicom.cpp: throws where the picture at `path` is a Siemens mosaic, the slices of a volume side by side.
void refuse_mosaic(const itk::MetaDataDictionary& dictionary, const Path& path);

}  // namespace aladdin
