// Inside this folder only: the subjects of a source, read one at a time, and kept for a second look as
// far as memory allows.
#pragma once

#include "aladdin/evaluate/bridge.h"
#include "aladdin/evaluate/source.h"

namespace aladdin::evaluate {

struct LoadedSubject {
  Grid grid;  // the subject's own
  // Empty without labels.
  Labels labels;
  std::vector<LabelIndex> indices;
  Chain native_to_atlas, atlas_to_native;  // a direction that is not given is the other's inverse

  NativeMap map() const { return {indices.data(), &labels.grid}; }
  std::int64_t bytes() const;
};

// The chain's field if it is nothing else.
const Displacement* only_field(const Chain& chain);

class SubjectReader {
 public:
  // At most `most_bytes` are kept. `table` has the labels of the cohort, and `atlas` its grid; both
  // must stay.
  SubjectReader(const Source& source, const std::vector<std::int32_t>& table, const Grid& atlas,
                std::int64_t most_bytes);

  // Reads, or hands out what is kept. Throws on files that do not fit together.
  LoadedSubject take(std::size_t i);
  void keep(std::size_t i, LoadedSubject&& subject);
  // For those who keep all.
  const LoadedSubject& kept(std::size_t i) const { return *kept_.at(i); }

 private:
  LoadedSubject read(const SourceSubject& subject) const;

  const Source& source_;
  const std::vector<std::int32_t>& table_;
  const Grid& atlas_;
  std::int64_t room_;
  std::vector<std::optional<LoadedSubject>> kept_;
};

}  // namespace aladdin::evaluate
