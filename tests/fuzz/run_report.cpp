#include "aladdin/report/facts.h"
#include "fuzz.h"

using namespace aladdin;

namespace {

constexpr const char* kRecord =
    R"({"format": "aladdin run", "version": 1, "state": "training", "subjects": [{"id": "a"}]})";

}  // namespace

// What a page says of a run directory. The first byte says which of its files the others are.
ALADDIN_FUZZ(data, size) {
  if (size == 0) return 0;
  const char* const names[] = {"run.json", "metrics.csv", "subjects.csv"};
  const std::size_t chosen = data[0] % 3;
  const Path folder = fuzz::folder() / "report";
  std::filesystem::remove_all(folder);
  if (chosen != 0)
    fuzz::input_file("report/run.json", reinterpret_cast<const std::uint8_t*>(kRecord),
                     std::char_traits<char>::length(kRecord));
  fuzz::input_file(std::string("report/") + names[chosen], data + 1, size - 1);
  fuzz::meet([&] {
    const report::RunFindings findings{report::read_run(folder), {}, "all", {}};
    report::tiles_html(findings);
    report::subjects_html(findings);
    report::cohort_html(findings);
    report::settings_html(findings);
    report::reproduce_html(findings);
    report::training_curves({&findings, 1});
  });
  return 0;
}
