#include "aladdin/evaluate/subject_reader.h"

#include <utility>

#include "aladdin/core/error.h"
#include "aladdin/image/io.h"

namespace aladdin::evaluate {
namespace {

Grid own_grid(const SourceSubject& subject, const Chain& atlas_to_native) {
  if (const Displacement* field = only_field(atlas_to_native)) return field->grid();
  if (subject.image.empty())
    throw Error("its own grid is not known: it has neither labels nor an image")
        .hint("give its image");
  return read_header(subject.image).grid;
}

}  // namespace

std::int64_t LoadedSubject::bytes() const {
  auto sum = static_cast<std::int64_t>(labels.values.size()) * 6;
  for (const Chain* chain : {&native_to_atlas, &atlas_to_native})
    for (const Transform& transform : *chain) {
      if (const auto* field = std::get_if<Displacement>(&transform))
        sum += static_cast<std::int64_t>(field->vectors.values.size()) * 4;
      if (const auto* field = std::get_if<InverseDisplacement>(&transform))
        sum += static_cast<std::int64_t>(field->forward.vectors.values.size()) * 4;
    }
  return sum;
}

const Displacement* only_field(const Chain& chain) {
  return chain.size() == 1 ? std::get_if<Displacement>(&chain.front()) : nullptr;
}

SubjectReader::SubjectReader(const Source& source, const std::vector<std::int32_t>& table,
                             const Grid& atlas, std::int64_t most_bytes)
    : source_(source),
      table_(table),
      atlas_(atlas),
      room_(most_bytes),
      kept_(source.subjects.size()) {}

LoadedSubject SubjectReader::read(const SourceSubject& subject) const {
  LoadedSubject loaded;
  if (subject.native_to_atlas) loaded.native_to_atlas = subject.native_to_atlas();
  if (subject.atlas_to_native) loaded.atlas_to_native = subject.atlas_to_native();
  if (!subject.native_to_atlas) loaded.native_to_atlas = inverse(loaded.atlas_to_native);
  if (!subject.atlas_to_native) loaded.atlas_to_native = inverse(loaded.native_to_atlas);
  if (subject.label.empty()) {
    loaded.grid = own_grid(subject, loaded.atlas_to_native);
  } else {
    loaded.labels = read_labels(subject.label);
    loaded.indices = index_labels(loaded.labels, table_);
    loaded.grid = loaded.labels.grid;
  }
  if (loaded.grid.dims != atlas_.dims)
    fail("its {} {}-D, the atlas is {}-D", subject.label.empty() ? "image is" : "labels are",
         loaded.grid.dims, atlas_.dims);
  require_dims(loaded.native_to_atlas, atlas_.dims);
  require_dims(loaded.atlas_to_native, atlas_.dims);
  return loaded;
}

LoadedSubject SubjectReader::take(std::size_t i) {
  if (!kept_[i]) return read(source_.subjects[i]);
  room_ += kept_[i]->bytes();
  return *std::exchange(kept_[i], std::nullopt);
}

void SubjectReader::keep(std::size_t i, LoadedSubject&& subject) {
  const std::int64_t bytes = subject.bytes();
  if (bytes > room_) return;
  room_ -= bytes;
  kept_[i] = std::move(subject);
}

}  // namespace aladdin::evaluate
