#include "aladdin/image/outliers.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "aladdin/core/median.h"
#include "aladdin/core/option_name.h"
#include "aladdin/core/text.h"
#include "aladdin/image/resample.h"
#include "aladdin/image/thumbnail.h"

namespace aladdin {
namespace {

constexpr double kFactor = 2;         // of a length, from the median
constexpr double kTiltDegrees = 20;   // from the median tilt
constexpr double kBrightness = 0.3;   // of a mean intensity, from the median
constexpr double kCorrelation = 0.4;  // of a correlation, below the median
constexpr double kSpreads = 6;        // and beyond as many median deviations

std::vector<double> deviations(const std::vector<double>& values) {
  const double middle = median(values);
  std::vector<double> out;
  for (const double value : values) out.push_back(std::abs(value - middle));
  return out;
}

std::string millimetres(const Vec3& v, int dims) {
  return dims == 2 ? fmt::format("{:.4g} x {:.4g} mm", v[0], v[1])
                   : fmt::format("{:.4g} x {:.4g} x {:.4g} mm", v[0], v[1], v[2]);
}

// The greatest angle between an axis of the image and the world axis next to it.
double tilt_degrees(const Grid& grid) {
  double least = 1;
  for (const Vec3& axis : transpose(grid.direction))
    least = std::min(least, std::max({std::abs(axis[0]), std::abs(axis[1]), std::abs(axis[2])}));
  return std::acos(least) * 180 / 3.14159265358979323846;
}

class Search {
 public:
  Search(const Cohort& cohort, const std::vector<SubjectScan>& scans)
      : cohort_(cohort), scans_(scans), count_(scans.size()) {
    out_.large.assign(count_, false);
  }

  Outliers all() {
    if (count_ < 3) return out_;
    extents();
    spacings();
    axes();
    intensities();
    return out_;
  }

 private:
  using Which = std::vector<bool>;

  // `how` says it of the first of them. True if they are few enough.
  template <class How>
  bool note(const Which& unlike, const How& how) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < count_; ++i)
      if (unlike[i]) found.push_back(i);
    if (found.empty() || found.size() > std::max<std::size_t>(1, count_ / 4)) return false;
    constexpr std::size_t kMostNamed = 5;
    std::string exclude;
    for (std::size_t n = 0; n < std::min(found.size(), kMostNamed); ++n)
      exclude += fmt::format(" {} {}", option_name("exclude"), cohort_.subjects[found[n]].id);
    const auto more = static_cast<long long>(found.size()) - 1;
    out_.notes.push_back(fmt::format(
        "{}{} {} unlike the other subjects: {}; to omit {}:{}{}", cohort_.subjects[found[0]].id,
        more ? " and " + counted(more, "other") : "", more ? "are" : "is", how(found[0]),
        more ? "them" : "it", exclude, found.size() > kMostNamed ? " …" : ""));
    return true;
  }

  // Lengths along the world's axes, compared with their medians.
  void lengths(const std::vector<Vec3>& each, const std::string& what, const std::string& effect,
               Which* large) {
    Vec3 middle{0, 0, 0};
    for (int axis = 0; axis < cohort_.dims; ++axis) {
      std::vector<double> along;
      for (const Vec3& v : each) along.push_back(v[axis]);
      middle[axis] = median(along);
    }
    Which greater(count_), smaller(count_);
    for (std::size_t i = 0; i < count_; ++i)
      for (int axis = 0; axis < cohort_.dims; ++axis) {
        greater[i] = greater[i] || each[i][axis] > kFactor * middle[axis];
        smaller[i] = smaller[i] || each[i][axis] * kFactor < middle[axis];
      }
    const auto how = [&](const std::string& then) {
      return [&, then](std::size_t i) {
        return fmt::format("{} {}, the median is {}{}", what, millimetres(each[i], cohort_.dims),
                           millimetres(middle, cohort_.dims), then);
      };
    };
    if (note(greater, how(effect)) && large) *large = greater;
    for (std::size_t i = 0; i < count_; ++i) smaller[i] = smaller[i] && !greater[i];
    note(smaller, how(""));
  }

  void extents() {
    std::vector<Vec3> each;
    for (std::size_t i = 0; i < count_; ++i) {
      const Extent extent = extent_of(cohort_.subjects[i].grid, scans_[i].content);
      each.push_back(extent.high - extent.low);
    }
    lengths(each, "its content is", ", and the working grid follows the others", &out_.large);
  }

  void spacings() {
    std::vector<Vec3> each;
    for (const Subject& subject : cohort_.subjects) {
      const auto axes = nearest_axes(subject.grid);
      const Vec3& s = subject.grid.spacing;
      each.push_back({s[axes[0]], s[axes[1]], s[axes[2]]});
    }
    lengths(each, "its voxels are", "", nullptr);
  }

  void axes() {
    std::map<std::string, std::size_t> times;
    std::vector<double> tilts;
    for (const Subject& subject : cohort_.subjects) {
      ++times[axis_codes(subject.grid)];
      tilts.push_back(tilt_degrees(subject.grid));
    }
    const auto usual =
        std::max_element(times.begin(), times.end(), [](const auto& a, const auto& b) {
          return a.second < b.second;
        })->first;
    const double tilt = median(tilts);
    Which turned(count_), tilted(count_);
    for (std::size_t i = 0; i < count_; ++i) {
      turned[i] = axis_codes(cohort_.subjects[i].grid) != usual;
      tilted[i] = std::abs(tilts[i] - tilt) > kTiltDegrees;
    }
    note(turned, [&](std::size_t i) {
      return fmt::format("its header gives the axes {}, theirs {}",
                         axis_codes(cohort_.subjects[i].grid), usual);
    });
    note(tilted, [&](std::size_t i) {
      return fmt::format("its axes are tilted by {:.0f} degrees, the median is {:.0f}", tilts[i],
                         tilt);
    });
  }

  void intensities() {
    std::vector<std::vector<float>> thumbnails;
    for (const SubjectScan& scan : scans_) {
      if (scan.thumbnail.size() != thumbnail_size(cohort_.dims)) return;
      thumbnails.push_back(scan.thumbnail);
    }
    std::vector<double> means, likeness;
    const std::vector<float> typical = median_thumbnail(thumbnails);
    for (const auto& thumbnail : thumbnails) {
      means.push_back(mean_of(thumbnail, cohort_.dims));
      likeness.push_back(correlation_of(thumbnail, typical, cohort_.dims));
    }
    const double mean = median(means), like = median(likeness);
    const double far = std::max(kBrightness, kSpreads * median(deviations(means)));
    const double low = like - std::max(kCorrelation, kSpreads * median(deviations(likeness)));
    Which bright(count_), inverted(count_), strange(count_);
    for (std::size_t i = 0; i < count_; ++i) {
      inverted[i] = likeness[i] < low && likeness[i] < -kCorrelation;
      strange[i] = likeness[i] < low && !inverted[i];
      bright[i] = std::abs(means[i] - mean) > far && !inverted[i] && !strange[i];
    }
    note(bright, [&](std::size_t i) {
      return fmt::format(
          "the mean of its intensities is {:.2f} of their range, the median of the "
          "others {:.2f}",
          means[i], mean);
    });
    const auto correlation = [&](std::size_t i) {
      return fmt::format("the correlation with their median image is {:.2f}, {:.2f} as a rule",
                         likeness[i], like);
    };
    note(inverted, [&](std::size_t i) {
      return "its contrast is the inverse of theirs (" + correlation(i) + ")";
    });
    note(strange, [&](std::size_t i) {
      return "is its contrast another one, or is it turned? (" + correlation(i) + ")";
    });
  }

  const Cohort& cohort_;
  const std::vector<SubjectScan>& scans_;
  std::size_t count_;
  Outliers out_;
};

}  // namespace

Outliers find_outliers(const Cohort& cohort, const std::vector<SubjectScan>& scans) {
  return Search(cohort, scans).all();
}

}  // namespace aladdin
