#include "aladdin/evaluate/evaluation_part.h"
#include "aladdin/evaluate/evaluation_report.h"
#include "fuzz.h"

using namespace aladdin;

// What is read can be merged and reported.
ALADDIN_FUZZ(data, size) {
  const Path path = fuzz::input_file("part.json", data, size);
  fuzz::meet([&] {
    const auto whole = evaluate::merge_parts({evaluate::read_part(path)});
    for (const auto& one : whole) {
      evaluate::to_text(one, {});
      evaluate::to_json(one, {});
    }
    evaluate::to_csv(whole, {});
  });
  return 0;
}
