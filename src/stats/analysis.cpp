#include "aladdin/stats/analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "aladdin/stats/clusters.h"

namespace aladdin::stats {
namespace {

template <class Get>
std::vector<float> collect(const std::vector<Fit>& fits, const Get& get) {
  std::vector<float> values(fits.size());
  std::transform(fits.begin(), fits.end(), values.begin(),
                 [&](const Fit& fit) { return static_cast<float>(get(fit)); });
  return values;
}

std::vector<float> statistics(const std::vector<Fit>& fits) {
  return collect(fits, [](const Fit& fit) { return fit.statistic; });
}

std::vector<float> corrected(const NullMaxima& null, std::span<const float> map) {
  std::vector<float> p(map.size());
  std::transform(map.begin(), map.end(), p.begin(),
                 [&](float value) { return static_cast<float>(null.p(std::abs(value))); });
  return p;
}

void put_fits(const std::vector<Fit>& fits, bool is_t, FoundMaps& maps) {
  maps.statistic = statistics(fits);
  maps.partial_r = collect(fits, [](const Fit& fit) { return fit.partial_r; });
  maps.p = collect(fits, [](const Fit& fit) { return fit.p; });
  maps.p_fdr = false_discovery_rate(maps.p);
  if (!is_t) return;
  maps.effect = collect(fits, [](const Fit& fit) { return fit.effect; });
  maps.effect_low = collect(fits, [](const Fit& fit) { return fit.effect_low; });
  maps.effect_high = collect(fits, [](const Fit& fit) { return fit.effect_high; });
}

void put_permutations(const Permutations& permutations, const Neighbours& neighbours,
                      const AnalysisOptions& options, FoundMaps& maps) {
  const auto all = static_cast<double>(permutations.done) + 1;
  maps.p_permuted.resize(permutations.counts.size());
  std::transform(permutations.counts.begin(), permutations.counts.end(), maps.p_permuted.begin(),
                 [&](std::int32_t count) { return static_cast<float>((count + 1) / all); });
  maps.p_fwe = corrected(NullMaxima(permutations.maxima, options.tail), maps.statistic);
  if (!options.tfce) return;
  maps.tfce.resize(maps.statistic.size());
  Tfce(neighbours, TfceParameters{}).enhance(maps.statistic, maps.tfce);
  maps.p_tfce = corrected(NullMaxima(permutations.tfce_maxima, options.tail), maps.tfce);
}

const std::vector<float>& clustered_by(const FoundMaps& maps) {
  for (const auto* p : {&maps.p_tfce, &maps.p_fwe, &maps.p_fdr})
    if (!p->empty()) return *p;
  return maps.p;
}

std::vector<StructureFinding> test_structures(const StructureData& structures,
                                              const Partition& partition, const Shuffles* shuffles,
                                              const AnalysisOptions& options) {
  const auto fits = fit_all(partition, structures.volumes);
  const auto p_fdr = false_discovery_rate(collect(fits, [](const Fit& fit) { return fit.p; }));
  std::vector<float> p_fwe(fits.size(), NAN);
  if (shuffles != nullptr && !fits.empty()) {
    PermutationOptions how;
    how.count = options.permutations;
    how.tfce = false;
    const auto observed = statistics(fits);
    const auto permutations =
        permute(partition, *shuffles, structures.volumes, observed, nullptr, how);
    p_fwe = corrected(NullMaxima(permutations.maxima, options.tail), observed);
  }
  std::vector<StructureFinding> found(fits.size());
  for (std::size_t i = 0; i < fits.size(); ++i) {
    double sum = 0;
    const auto row = structures.volumes.row(static_cast<std::int64_t>(i));
    for (const float value : row) sum += value;
    const Fit& fit = fits[i];
    found[i] = {structures.labels[i],
                structures.names[i],
                sum / static_cast<double>(row.size()),
                fit.statistic,
                fit.partial_r,
                fit.effect,
                fit.effect_low,
                fit.effect_high,
                fit.p,
                p_fdr[i],
                p_fwe[i]};
  }
  return found;
}

void note_shuffles(const Shuffles& shuffles, std::int64_t count, Findings& findings) {
  findings.notes.push_back(fmt::format("Null distribution: {}.", shuffles.description()));
  if (shuffles.log10_count() < std::log10(static_cast<double>(count)))
    findings.notes.push_back(
        fmt::format("Only about {:.0f} different shuffles exist, so p cannot fall below {:.2g}.",
                    std::pow(10, shuffles.log10_count()), std::pow(10, -shuffles.log10_count())));
}

}  // namespace

void analyse(const Design& design, const Contrast& contrast, const std::vector<std::string>& blocks,
             const StructureData& structures, const AnalysisOptions& options, Findings& findings) {
  const Partition partition = make_partition(design, contrast);
  findings.statistic = std::string(partition.is_t() ? "t" : "F");
  findings.dof_test = partition.dof_test();
  findings.dof_error = partition.dof_error;
  findings.permutations = options.permutations;
  const Neighbours neighbours(findings.atlas.grid, findings.voxels);

  Data data;
  data.rows = static_cast<std::int64_t>(findings.voxels.size());
  data.subjects = design.subjects();
  data.values = std::move(findings.data);
  put_fits(fit_all(partition, data), partition.is_t(), findings.maps);
  if (options.permutations > 0) {
    const Shuffles shuffles(partition, blocks, options.seed);
    note_shuffles(shuffles, options.permutations, findings);
    PermutationOptions how;
    how.count = options.permutations;
    how.tfce = options.tfce;
    how.state = options.state;
    how.resume = options.resume;
    how.advance = options.advance;
    put_permutations(permute(partition, shuffles, data, findings.maps.statistic, &neighbours, how),
                     neighbours, options, findings.maps);
    findings.structures = test_structures(structures, partition, &shuffles, options);
  } else {
    findings.structures = test_structures(structures, partition, nullptr, options);
  }
  findings.data = std::move(data.values);
  findings.clusters = find_clusters(findings, neighbours, clustered_by(findings.maps));
}

}  // namespace aladdin::stats
