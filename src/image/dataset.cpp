#include "aladdin/image/dataset.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>

#include "aladdin/core/checksum.h"
#include "aladdin/core/error.h"
#include "aladdin/core/log.h"
#include "aladdin/core/memory.h"
#include "aladdin/core/text.h"
#include "aladdin/image/io.h"
#include "aladdin/image/prepare.h"
#include "aladdin/image/record_file.h"
#include "aladdin/image/resample.h"

namespace aladdin {
namespace {

std::vector<std::int32_t> table_of(const std::vector<SubjectScan>& scans) {
  std::set<std::int32_t> all{0};
  for (const auto& scan : scans)
    for (const auto& [label, voxels] : scan.labels) all.insert(label);
  // 0 first whatever else there is, so that zeros in a record are background.
  std::vector<std::int32_t> table{0};
  for (const auto label : all)
    if (label != 0) table.push_back(label);
  if (table.size() > 65536)
    throw Error(fmt::format("the label maps have {} different labels, expected at most 65536",
                            table.size()))
        .hint("are they intensity images?");
  return table;
}

std::size_t bytes_a_label(const Cohort& cohort, const std::vector<std::int32_t>& table) {
  const bool any = std::any_of(cohort.subjects.begin(), cohort.subjects.end(),
                               [](const Subject& s) { return s.label.has_value(); });
  return !any ? 0 : table.size() <= 256 ? 1 : 2;
}

void encode_image(const Subject& subject, const IntensityMap& intensity, const Grid& grid,
                  const Vec3& shift, std::byte* out) {
  const Image prepared = prepare(read_image(subject.image), intensity, grid, shift);
  for (std::size_t v = 0; v < prepared.values.size(); ++v) {
    const auto fixed = static_cast<std::uint16_t>(std::lround(prepared.values[v] * kWhite));
    std::memcpy(out + 2 * v, &fixed, 2);
  }
}

void encode_labels(const Subject& subject, const std::vector<std::int32_t>& table,
                   std::size_t width, const Grid& grid, const Vec3& shift, std::byte* out) {
  const Labels labels = resample(read_labels(*subject.label), grid, shift, 0);
  std::int32_t last = 0;
  std::uint16_t index = 0;
  for (std::size_t v = 0; v < labels.values.size(); ++v) {
    if (labels.values[v] != last) {
      last = labels.values[v];
      const auto at = std::lower_bound(table.begin() + 1, table.end(), last);
      if (last != 0 && (at == table.end() || *at != last))
        fail("'{}' has changed since the cohort was checked", subject.label->string());
      index = static_cast<std::uint16_t>(last == 0 ? 0 : at - table.begin());
    }
    std::memcpy(out + width * v, &index, width);  // little-endian: the low byte comes first
  }
}

std::string file_key(const std::optional<Path>& path) {
  if (!path) return "-\n";
  std::error_code ignored;
  const auto stamp = [&](const Path& file) {
    return fmt::format("{} {} {}\n", std::filesystem::absolute(file).lexically_normal().string(),
                       std::filesystem::file_size(file, ignored),
                       std::filesystem::last_write_time(file, ignored).time_since_epoch().count());
  };
  const Path file = file_of_image(*path);
  if (!is_folder(file)) return (file == *path ? "" : path->filename().string() + " ") + stamp(file);
  // A DICOM series. Folders list their files in any order, another one after a copy.
  std::set<std::string> all;
  for (const auto& entry : std::filesystem::directory_iterator(*path, ignored))
    all.insert(stamp(entry.path()));
  return fmt::format("{}", fmt::join(all, ""));
}

std::string grid_key(const Grid& grid) {
  std::string key;
  for (int axis = 0; axis < 3; ++axis)
    key += fmt::format("{} {} {} {}\n", grid.size[axis], grid.spacing[axis], grid.origin[axis],
                       fmt::join(grid.direction[axis], " "));
  return key;
}

// Everything that the records depend on.
std::string key_of(const Cohort& cohort, const std::vector<SubjectScan>& scans,
                   const WorkingGrid& working, const std::vector<Grid>& seen,
                   const std::vector<std::size_t>& loaded) {
  std::string key = "image uint16, labels by table, version 1\n" + grid_key(working.padded);
  for (const std::size_t i : loaded) {
    const Subject& subject = cohort.subjects[i];
    if (!seen.empty()) key += grid_key(seen[i]);
    key += fmt::format("{} {} {}\n", scans[i].intensity.low, scans[i].intensity.high,
                       fmt::join(working.shift[i], " "));
    key += file_key(subject.image) + file_key(subject.label) + file_key(subject.mask);
    for (const auto& [label, voxels] : scans[i].labels) key += fmt::format("{} ", label);
    key += "\n";
  }
  return key;
}

// One of our own where everybody may write: nobody else may have made it, or put files there.
Path private_folder(const Path& path) {
  if (mkdir(path.c_str(), 0700) != 0 && errno != EEXIST)
    fail("cannot make the cache folder '{}': {}", path.string(), std::strerror(errno));
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0 || !S_ISDIR(status.st_mode) || status.st_uid != geteuid() ||
      (status.st_mode & 0077) != 0)
    throw Error(
        fmt::format("the cache folder '{}' is not a private folder of yours", path.string()))
        .hint("remove it, or set ALADDIN_CACHE to another one");
  return path;
}

}  // namespace

class Dataset::Records {
 public:
  Records(const RecordShape& shape, const FillRecord& fill) : memory_(make_records(shape, fill)) {}
  Records(const Path& path, const std::string& key, const RecordShape& shape,
          const FillRecord& fill)
      : file_(std::make_unique<RecordFile>(path, key, shape, fill)) {}

  const std::byte* at(std::size_t n, std::size_t bytes) const {
    return file_ ? file_->record(n) : memory_.data() + n * bytes;
  }
  bool rebuilt() const { return file_ && file_->rebuilt(); }

 private:
  std::vector<std::byte> memory_;
  std::unique_ptr<RecordFile> file_;
};

Dataset::Dataset(Cohort cohort, std::vector<SubjectScan> scans, WorkingGrid working,
                 const DatasetOptions& options)
    : cohort_(std::move(cohort)),
      scans_(std::move(scans)),
      working_(std::move(working)),
      options_(options),
      label_table_(table_of(scans_)),
      label_bytes_(bytes_a_label(cohort_, label_table_)),
      record_bytes_(static_cast<std::size_t>(working_.padded.voxels()) * (2 + label_bytes_)) {
  load();
  options_.given_up = [] { return false; };  // it may not outlive this
}

void Dataset::place(std::vector<Grid> seen) {
  seen_ = std::move(seen);
  load();
}

const Grid& Dataset::seen(std::size_t subject) const {
  return seen_.empty() ? grid() : seen_[subject];
}

void Dataset::fill(std::size_t subject, std::byte* out) const {
  if (options_.given_up()) fail("loading was cancelled");
  const Subject& s = cohort_.subjects[subject];
  const Vec3& shift = working_.shift[subject];
  try {
    encode_image(s, scans_[subject].intensity, seen(subject), shift, out);
    if (s.label)
      encode_labels(s, label_table_, label_bytes_, seen(subject), shift, out + 2 * grid().voxels());
  } catch (Error& error) {
    throw error.within(fmt::format("while loading {}", s.id));
  }
}

void Dataset::load() {
  std::vector<std::size_t> loaded;
  place_.assign(cohort_.subjects.size(), kNowhere);
  for (std::size_t i = 0; i < place_.size(); ++i) {
    if (!options_.wanted.empty() && !options_.wanted[i]) continue;
    place_[i] = loaded.size();
    loaded.push_back(i);
  }
  const auto fill_record = [&](std::size_t record, std::byte* out) { fill(loaded[record], out); };
  const RecordShape shape{loaded.size(), record_bytes_};
  const std::uint64_t needed = std::uint64_t{loaded.size()} * record_bytes_;
  on_disk_ = is_streamed(needed, options_);
  records_.reset();  // before there are others
  if (!on_disk_) {
    records_ = std::make_unique<Records>(shape, fill_record);
    return;
  }
  const std::string key = key_of(cohort_, scans_, working_, seen_, loaded);
  const Path folder =
      options_.cache_folder.empty() ? default_cache_folder() : options_.cache_folder;
  const Path path =
      folder / fmt::format("{:016x}.records",
                           checksum(reinterpret_cast<const std::byte*>(key.data()), key.size()));
  records_ = std::make_unique<Records>(path, key, shape, fill_record);
  log::info("the cohort needs {:.2f} GB and is streamed from '{}'{}",
            static_cast<double>(needed) / 1e9, path.string(),
            records_->rebuilt() ? "" : ", made earlier");
}

bool is_streamed(std::uint64_t bytes, const DatasetOptions& options) {
  if (options.storage != Storage::automatic) return options.storage == Storage::disk;
  return bytes > (options.memory_budget ? options.memory_budget : available_memory() / 2);
}

Dataset::~Dataset() = default;
Dataset::Dataset(Dataset&&) noexcept = default;
Dataset& Dataset::operator=(Dataset&&) noexcept = default;

const std::byte* Dataset::record(std::size_t subject) const {
  if (subject >= size()) fail("subject {} of {} does not exist", subject, size());
  if (!has(subject)) fail("{} was not loaded", cohort_.subjects[subject].id);
  return records_->at(place_[subject], record_bytes_);
}

void Dataset::image(std::size_t subject, float* out) const {
  const std::byte* from = record(subject);
  const auto voxels = static_cast<std::size_t>(grid().voxels());
  for (std::size_t v = 0; v < voxels; ++v) {
    std::uint16_t fixed;
    std::memcpy(&fixed, from + 2 * v, 2);
    out[v] = static_cast<float>(fixed) / kWhite;
  }
}

void Dataset::label_indices(std::size_t subject, std::uint16_t* out) const {
  if (!has_labels(subject)) fail("{} has no labels", cohort_.subjects[subject].id);
  const auto voxels = static_cast<std::size_t>(grid().voxels());
  const std::byte* from = record(subject) + 2 * voxels;
  for (std::size_t v = 0; v < voxels; ++v) {
    out[v] = 0;
    std::memcpy(&out[v], from + label_bytes_ * v, label_bytes_);
  }
}

void Dataset::labels(std::size_t subject, std::int32_t* out) const {
  std::vector<std::uint16_t> indices(static_cast<std::size_t>(grid().voxels()));
  label_indices(subject, indices.data());
  std::transform(indices.begin(), indices.end(), out,
                 [this](std::uint16_t n) { return label_table_[n]; });
}

std::uint64_t dataset_bytes(const Cohort& cohort, const std::vector<SubjectScan>& scans,
                            const WorkingGrid& working) {
  const std::size_t voxel = 2 + bytes_a_label(cohort, table_of(scans));
  return cohort.subjects.size() * static_cast<std::uint64_t>(working.padded.voxels()) * voxel;
}

Path default_cache_folder() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return Path(value ? value : "");
  };
  if (Path own = variable("ALADDIN_CACHE"); !own.empty()) return own;
  if (const Path cache = variable("XDG_CACHE_HOME"); !cache.empty()) return cache / "aladdin";
  if (const Path home = variable("HOME"); !home.empty()) return home / ".cache" / "aladdin";
  return private_folder(std::filesystem::temp_directory_path() /
                        fmt::format("aladdin-{}", geteuid()));
}

}  // namespace aladdin
