#include "aladdin/stats/clusters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "aladdin/image/label_map.h"

namespace aladdin::stats {
namespace {

Cluster describe_cluster(const Findings& findings, const std::vector<std::int32_t>& members,
                         std::span<const float> p_corrected) {
  const auto& maps = findings.maps;
  const Grid& grid = findings.atlas.grid;
  Cluster cluster;
  cluster.voxels = static_cast<std::int64_t>(members.size());
  cluster.volume = voxel_volume(grid) * static_cast<double>(members.size());
  auto peak = static_cast<std::size_t>(members.front());
  for (const auto member : members) {
    const auto v = static_cast<std::size_t>(member);
    cluster.p_corrected = std::min(cluster.p_corrected, static_cast<double>(p_corrected[v]));
    if (std::abs(maps.statistic[v]) > std::abs(maps.statistic[peak])) peak = v;
  }
  const std::int64_t offset = findings.voxels[peak];
  cluster.peak_index = {offset % grid.size[0], offset / grid.size[0] % grid.size[1],
                        offset / (grid.size[0] * grid.size[1])};
  cluster.peak_mm = grid.to_point({static_cast<double>(cluster.peak_index[0]),
                                   static_cast<double>(cluster.peak_index[1]),
                                   static_cast<double>(cluster.peak_index[2])});
  cluster.statistic = maps.statistic[peak];
  if (!maps.effect.empty()) cluster.effect = maps.effect[peak];
  if (!maps.partial_r.empty()) cluster.partial_r = maps.partial_r[peak];
  if (!findings.labels.values.empty()) {
    const std::int32_t label = findings.labels.values[static_cast<std::size_t>(offset)];
    const auto name = findings.label_names.find(label);
    if (name != findings.label_names.end())
      cluster.structure = name->second;
    else if (label != 0)
      cluster.structure = fmt::format("label {}", label);
  }
  return cluster;
}

}  // namespace

std::vector<Cluster> find_clusters(const Findings& findings, const Neighbours& neighbours,
                                   std::span<const float> p_corrected) {
  const auto& statistic = findings.maps.statistic;
  const auto is_in = [&](std::int32_t v) {
    return static_cast<double>(p_corrected[static_cast<std::size_t>(v)]) <= findings.alpha;
  };
  const auto same_sign = [&](std::int32_t a, std::int32_t b) {
    return (statistic[static_cast<std::size_t>(a)] < 0) ==
           (statistic[static_cast<std::size_t>(b)] < 0);
  };
  std::vector<bool> seen(statistic.size());
  std::vector<Cluster> clusters;
  for (std::int32_t start = 0; start < static_cast<std::int32_t>(statistic.size()); ++start) {
    if (seen[static_cast<std::size_t>(start)] || !is_in(start)) continue;
    std::vector<std::int32_t> members{start};
    seen[static_cast<std::size_t>(start)] = true;
    for (std::size_t at = 0; at < members.size(); ++at)
      for (const auto other : neighbours.of(members[at])) {
        if (other < 0 || seen[static_cast<std::size_t>(other)] || !is_in(other) ||
            !same_sign(start, other))
          continue;
        seen[static_cast<std::size_t>(other)] = true;
        members.push_back(other);
      }
    clusters.push_back(describe_cluster(findings, members, p_corrected));
  }
  std::stable_sort(clusters.begin(), clusters.end(), [](const Cluster& a, const Cluster& b) {
    return a.p_corrected != b.p_corrected ? a.p_corrected < b.p_corrected : a.voxels > b.voxels;
  });
  return clusters;
}

}  // namespace aladdin::stats
