#include "aladdin/stats/permutation.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>

#include "aladdin/core/checksum.h"
#include "aladdin/core/error.h"
#include "aladdin/core/interrupt.h"
#include "aladdin/core/option_name.h"
#include "aladdin/core/parallel.h"
#include "aladdin/stats/product.h"

namespace aladdin::stats {
namespace {

using Eigen::Index;

constexpr std::int64_t kTile = 512;  // rows of one task
constexpr std::int64_t kBatch = 64;  // shuffles of one batch

// What the nuisance leaves of every row, and its sum of squares.
struct Residuals {
  std::vector<float> values, squares;
};

Residuals residuals_of(const Partition& partition, const Data& data) {
  Residuals left;
  left.values.resize(data.values.size());
  left.squares.resize(static_cast<std::size_t>(data.rows));
  parallel_ranges(data.rows, kTile, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t r = begin; r < end; ++r) {
      const Eigen::VectorXd y =
          Eigen::Map<const Eigen::VectorXf>(data.row(r).data(), data.subjects).cast<double>();
      const Eigen::VectorXd e = y - partition.nuisance * (partition.nuisance.transpose() * y);
      // A row that the nuisance explains wholly has nothing to shuffle.
      const double scale = e.squaredNorm() > kRounding * y.squaredNorm() ? 1 / e.norm() : 0;
      for (std::int64_t s = 0; s < data.subjects; ++s)
        left.values[static_cast<std::size_t>(r * data.subjects + s)] =
            static_cast<float>(scale * e[s]);
      left.squares[static_cast<std::size_t>(r)] = scale > 0 ? 1.0F : 0.0F;
    }
  });
  return left;
}

// Statistics of one panel of shuffles: each takes `width` columns of it, what is tested first.
class Model {
 public:
  explicit Model(const Partition& partition)
      : tested_(partition.tested.cols()),
        width_(partition.tested.cols() + partition.nuisance.cols()),
        dof_(static_cast<float>(partition.dof_error)),
        subjects_(partition.subjects()) {
    basis_.resize(subjects_, width_);
    basis_ << partition.tested, partition.nuisance;
  }

  std::int64_t width() const { return width_; }

  // The basis, shuffled: a subject's value meets the line of the subject that gets it.
  void put(const Shuffles::Shuffle& shuffle, std::int64_t first_column,
           std::vector<float>& weights) const {
    for (Index s = 0; s < subjects_; ++s) {
      const auto from = shuffle.from[static_cast<std::size_t>(s)];
      const float sign = shuffle.sign[static_cast<std::size_t>(s)];
      for (Index c = 0; c < width_; ++c) {
        const std::int64_t column = first_column + c, panel = column / kColumns;
        weights[static_cast<std::size_t>(panel * subjects_ * kColumns + from * kColumns +
                                         column % kColumns)] =
            sign * static_cast<float>(basis_(s, c));
      }
    }
  }

  // `along`: the row's products with the columns of one shuffle.
  float statistic(const float* along, float squares) const {
    float held = 0, tested = 0;
    for (Index c = 0; c < tested_; ++c) tested += along[c] * along[c];
    for (Index c = tested_; c < width_; ++c) held += along[c] * along[c];
    const float error =
        std::max(squares - held - tested, static_cast<float>(kLeastError) * squares);
    if (!(error > 0)) return 0;
    return tested_ == 1 ? along[0] / std::sqrt(error / dof_)
                        : tested / static_cast<float>(tested_) / (error / dof_);
  }

 private:
  Index tested_, width_;
  float dof_;
  Index subjects_;
  Eigen::MatrixXd basis_;
};

// The state file: text that says what it belongs to, then the numbers.
std::string state_key(const Partition& partition, const Shuffles& shuffles, const Data& data,
                      const PermutationOptions& options, bool tfce) {
  const auto sum = [](const void* bytes, std::size_t count) {
    return checksum(static_cast<const std::byte*>(bytes), count);
  };
  const auto first = shuffles.draw(0), second = shuffles.draw(1);
  return fmt::format("aladdin permutations 1 {:x} {:x} {:x} {:x} {:x} {} {} {} {}\n",
                     sum(data.values.data(), data.values.size() * sizeof(float)),
                     sum(partition.tested.data(),
                         sizeof(double) * static_cast<std::size_t>(partition.tested.size())),
                     sum(partition.nuisance.data(),
                         sizeof(double) * static_cast<std::size_t>(partition.nuisance.size())),
                     sum(first.from.data(), first.from.size() * sizeof(std::int32_t)),
                     sum(second.sign.data(), second.sign.size() * sizeof(float)), tfce,
                     options.tfce_parameters.extent_power, options.tfce_parameters.height_power,
                     options.tfce_parameters.steps);
}

template <class T>
void append(std::string& to, const std::vector<T>& values) {
  to.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

void write_state(const Path& path, const std::string& key, const Permutations& state) {
  std::string bytes = key + fmt::format("{}\n", state.done);
  append(bytes, state.counts);
  append(bytes, state.maxima);
  append(bytes, state.tfce_maxima);
  bytes += hex_checksum(bytes);
  write_text(path, bytes);
}

// Nothing where there is no such file; throws where it belongs to another analysis.
std::optional<Permutations> read_state(const Path& path, const std::string& key, std::int64_t rows,
                                       bool tfce) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return std::nullopt;
  const std::string bytes = read_text(path, 4ULL << 30U);
  constexpr std::size_t kDigits = 16;
  if (bytes.size() < key.size() + kDigits || bytes.compare(0, key.size(), key) != 0)
    throw Error(fmt::format("'{}' belongs to another analysis: data, model, test or seed differ",
                            path.string()))
        .hint(fmt::format("repeat the command as it was, or start over with {}",
                          option_name("force")));
  const std::string body = bytes.substr(0, bytes.size() - kDigits);
  const auto line = body.find('\n', key.size());
  if (hex_checksum(body) != bytes.substr(bytes.size() - kDigits) || line == std::string::npos)
    throw Error(fmt::format("'{}' is damaged", path.string()))
        .hint(fmt::format("start over with {}", option_name("force")));
  Permutations state;
  state.done = std::stoll(body.substr(key.size(), line - key.size()));
  const char* at = body.data() + line + 1;
  const auto take = [&](auto& values, std::int64_t count) {
    values.resize(static_cast<std::size_t>(count));
    std::memcpy(values.data(), at, values.size() * sizeof(values[0]));
    at += values.size() * sizeof(values[0]);
  };
  const std::int64_t expected = 4 * (rows + state.done * (tfce ? 2 : 1));
  if (state.done < 0 || static_cast<std::int64_t>(body.size() - line - 1) != expected)
    throw Error(fmt::format("'{}' is damaged", path.string()))
        .hint(fmt::format("start over with {}", option_name("force")));
  take(state.counts, rows);
  take(state.maxima, state.done);
  if (tfce) take(state.tfce_maxima, state.done);
  return state;
}

// Batches of shuffles of one data set.
class Batches {
 public:
  Batches(const Partition& partition, const Shuffles& shuffles, const Data& data,
          std::span<const float> observed, const Neighbours* neighbours,
          const TfceParameters& parameters)
      : shuffles_(shuffles),
        data_(data),
        observed_(observed),
        left_(residuals_of(partition, data)),
        model_(partition),
        maps_(static_cast<std::size_t>(kBatch * data.rows)) {
    if (neighbours != nullptr)
      for (int t = 0; t < threads(); ++t) enhancers_.emplace_back(*neighbours, parameters);
  }

  // The next `batch` shuffles.
  void run(std::int64_t batch, Permutations& state) {
    draw(state.done, batch);
    constexpr auto tiles = [](std::int64_t rows) { return (rows + kTile - 1) / kTile; };
    parallel_for(tiles(data_.rows), [&](std::int64_t tile) { fit(tile, batch, state.counts); });
    take_maxima(batch, state);
    state.done += batch;
  }

 private:
  void draw(std::int64_t first, std::int64_t batch) {
    panels_ = (batch * model_.width() + kColumns - 1) / kColumns;
    weights_.assign(static_cast<std::size_t>(panels_ * data_.subjects * kColumns), 0);
    for (std::int64_t b = 0; b < batch; ++b)
      model_.put(shuffles_.draw(first + b), b * model_.width(), weights_);
  }

  // Maps and counts of one tile of rows.
  void fit(std::int64_t tile, std::int64_t batch, std::vector<std::int32_t>& counts) {
    const std::int64_t begin = tile * kTile, count = std::min(kTile, data_.rows - begin);
    std::vector<float> products(static_cast<std::size_t>(panels_ * count * kColumns));
    for (std::int64_t panel = 0; panel < panels_; ++panel)
      multiply_panel(left_.values.data() + begin * data_.subjects, count, data_.subjects,
                     weights_.data() + panel * data_.subjects * kColumns,
                     products.data() + panel * count * kColumns);
    std::vector<float> along(static_cast<std::size_t>(model_.width()));
    for (std::int64_t b = 0; b < batch; ++b)
      for (std::int64_t r = 0; r < count; ++r) {
        for (std::int64_t c = 0; c < model_.width(); ++c) {
          const std::int64_t column = b * model_.width() + c;
          along[static_cast<std::size_t>(c)] = products[static_cast<std::size_t>(
              (column / kColumns * count + r) * kColumns + column % kColumns)];
        }
        const auto row = static_cast<std::size_t>(begin + r);
        const float value = model_.statistic(along.data(), left_.squares[row]);
        maps_[static_cast<std::size_t>(b * data_.rows) + row] = value;
        if (std::abs(value) >= std::abs(observed_[row]) * static_cast<float>(1 - kTie))
          ++counts[row];
      }
  }

  void take_maxima(std::int64_t batch, Permutations& state) {
    const bool tfce = !enhancers_.empty();
    state.maxima.resize(static_cast<std::size_t>(state.done + batch));
    if (tfce) state.tfce_maxima.resize(static_cast<std::size_t>(state.done + batch));
    const std::int64_t workers = tfce ? static_cast<std::int64_t>(enhancers_.size()) : 1;
    parallel_for(workers, [&](std::int64_t worker) {
      std::vector<float> enhanced(static_cast<std::size_t>(tfce ? data_.rows : 0));
      for (std::int64_t b = worker; b < batch; b += workers) {
        const std::span<const float> map(maps_.data() + b * data_.rows,
                                         static_cast<std::size_t>(data_.rows));
        const auto number = static_cast<std::size_t>(state.done + b);
        state.maxima[number] = largest(map);
        if (!tfce) continue;
        enhancers_[static_cast<std::size_t>(worker)].enhance(map, enhanced);
        state.tfce_maxima[number] = largest(enhanced);
      }
    });
  }

  static float largest(std::span<const float> values) {
    float most = 0;
    for (const float value : values) most = std::max(most, std::abs(value));
    return most;
  }

  const Shuffles& shuffles_;
  const Data& data_;
  std::span<const float> observed_;
  Residuals left_;
  Model model_;
  std::vector<Tfce> enhancers_;  // one per thread; none: no TFCE
  std::int64_t panels_ = 0;
  std::vector<float> weights_, maps_;
};

}  // namespace

std::vector<Fit> fit_all(const Partition& partition, const Data& data) {
  const Fitter fitter(partition);
  std::vector<Fit> fits(static_cast<std::size_t>(data.rows));
  parallel_ranges(data.rows, kTile, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t r = begin; r < end; ++r)
      fits[static_cast<std::size_t>(r)] = fitter.fit(data.row(r));
  });
  return fits;
}

Permutations permute(const Partition& partition, const Shuffles& shuffles, const Data& data,
                     std::span<const float> observed, const Neighbours* neighbours,
                     const PermutationOptions& options) {
  const bool tfce = options.tfce && neighbours != nullptr, keep = !options.state.empty();
  const std::string key = keep ? state_key(partition, shuffles, data, options, tfce) : "";
  Permutations state;
  if (options.resume && keep)
    if (auto kept = read_state(options.state, key, data.rows, tfce)) state = std::move(*kept);
  state.counts.resize(static_cast<std::size_t>(data.rows));
  if (state.done > options.count)
    fail_usage("{} permutations are done already; expected at least as many, got {}", state.done,
               options.count);
  if (options.advance) options.advance(state.done);

  Batches batches(partition, shuffles, data, observed, tfce ? neighbours : nullptr,
                  options.tfce_parameters);
  auto last_write = std::chrono::steady_clock::now();
  while (state.done < options.count) {
    const std::int64_t batch = std::min(kBatch, options.count - state.done);
    batches.run(batch, state);
    if (options.advance) options.advance(batch);
    const auto now = std::chrono::steady_clock::now();
    const int signal = stop_requested();
    if (keep && (signal != 0 || now - last_write > std::chrono::seconds(20))) {
      write_state(options.state, key, state);
      last_write = now;
    }
    if (signal != 0)
      throw Interrupted(
          signal, fmt::format("stopped after {} of {} permutations", state.done, options.count));
  }
  return state;
}

}  // namespace aladdin::stats
