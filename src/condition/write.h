// The files of `aladdin atlas`; docs/conditional.md describes them.
#pragma once

#include <string>

#include "aladdin/condition/atlas.h"
#include "aladdin/condition/curves.h"

namespace aladdin::condition {

// What is kept of an atlas when its files are written.
struct AtlasFacts {
  std::vector<double> volumes, expected_volumes;
  std::vector<Residual> rounds;
  std::int64_t folds = 0;
  double mean_mm = 0, max_mm = 0;  // of the displacement from the population's atlas
};
AtlasFacts facts_of(const Atlas& atlas);

class AtlasFolder {
 public:
  explicit AtlasFolder(Path folder) : folder_(std::move(folder)) {}

  Path record() const { return folder_ / "atlas.json"; }
  Path page() const { return folder_ / "page.html"; }
  // Throws unless everything can be written; with `force` the files of an earlier atlas are removed.
  void prepare(bool force);
  // One atlas, in a folder of its own if it has a name. Keeps what a sweep's 4-D files need.
  void write(const Plan& plan, std::size_t which, const Atlas& atlas);
  // The tables, the 4-D files of a sweep, and last the record.
  void finish(const RunSubjects& subjects, const Plan& plan, const std::vector<AtlasFacts>& facts,
              const Curves& curves, const std::string& program);

 private:
  Path file(const std::string& name);

  Path folder_;
  bool force_ = false;
  std::vector<std::string> written_;  // names below folder_
  Grid grid_;
  std::vector<float> images_, labels_;  // of all atlases of a sweep
};

// For people: the atlases, how many stand behind them, and the curve of the bandwidth.
std::string to_text(const RunSubjects& subjects, const Plan& plan,
                    const std::vector<AtlasFacts>& facts);

}  // namespace aladdin::condition
