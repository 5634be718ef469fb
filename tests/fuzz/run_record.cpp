#include "aladdin/run/run_record.h"
#include "aladdin/evaluate/source.h"
#include "fuzz.h"

using namespace aladdin;

ALADDIN_FUZZ(data, size) {
  const Path path = fuzz::input_file("run/run.json", data, size);
  fuzz::meet([&] { read_record(RunDirectory{path.parent_path()}); });
  fuzz::meet([&] { evaluate::source_of_run(path.parent_path(), "all"); });
  return 0;
}
