#include "aladdin/stats/write_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "aladdin/core/text.h"
#include "aladdin/image/io.h"

namespace aladdin::stats {
namespace {

void remove_file(const Path& path) {
  std::error_code absent;
  std::filesystem::remove(path, absent);
}

// A map that was not asked for must not stay from an earlier test.
void write_map(const Path& path, const Findings& findings, const std::vector<float>& values,
               float outside) {
  if (values.empty()) return remove_file(path);
  Image map(findings.atlas.grid, outside);
  for (std::size_t v = 0; v < values.size(); ++v)
    map.values[static_cast<std::size_t>(findings.voxels[v])] = values[v];
  write_image(path, map);
}

void write_maps(const Path& folder, const Findings& findings) {
  const auto& maps = findings.maps;
  for (const char* name : {"t", "F"})
    write_map(folder / fmt::format("{}.nii.gz", name), findings,
              findings.statistic == name ? maps.statistic : std::vector<float>{}, 0);
  write_map(folder / "effect.nii.gz", findings, maps.effect, 0);
  write_map(folder / "effect_low.nii.gz", findings, maps.effect_low, 0);
  write_map(folder / "effect_high.nii.gz", findings, maps.effect_high, 0);
  write_map(folder / "partial_r.nii.gz", findings, maps.partial_r, 0);
  write_map(folder / "tfce.nii.gz", findings, maps.tfce, 0);
  write_map(folder / "p.nii.gz", findings, maps.p, 1);
  write_map(folder / "p_permuted.nii.gz", findings, maps.p_permuted, 1);
  write_map(folder / "p_fdr.nii.gz", findings, maps.p_fdr, 1);
  write_map(folder / "p_fwe.nii.gz", findings, maps.p_fwe, 1);
  write_map(folder / "p_tfce.nii.gz", findings, maps.p_tfce, 1);
}

}  // namespace

nlohmann::ordered_json record_of(const Findings& findings) {
  const Grid& grid = findings.atlas.grid;
  nlohmann::ordered_json record{{"format", "aladdin stats"},
                                {"version", 1},
                                {"model", findings.model},
                                {"test", findings.test},
                                {"measure", findings.measure},
                                {"statistic", findings.statistic},
                                {"dof_test", findings.dof_test},
                                {"dof_error", findings.dof_error},
                                {"subjects", findings.ids.size()},
                                {"voxels", findings.voxels.size()},
                                {"permutations", findings.permutations},
                                {"alpha", findings.alpha},
                                {"clusters", findings.clusters.size()},
                                {"volume_unit", grid.dims == 2 ? "mm2" : "mm3"}};
  const auto smallest = [&](const char* key, const std::vector<float>& p) {
    if (!p.empty()) record[key] = *std::min_element(p.begin(), p.end());
  };
  smallest("smallest_p_fdr", findings.maps.p_fdr);
  smallest("smallest_p_fwe", findings.maps.p_fwe);
  smallest("smallest_p_tfce", findings.maps.p_tfce);
  record["notes"] = findings.notes;
  return record;
}

std::string clusters_csv(const Findings& findings) {
  std::string text =
      "cluster,voxels,volume,peak_i,peak_j,peak_k,peak_x_mm,peak_y_mm,peak_z_mm,structure,statistic,effect,"
      "partial_r,p_corrected\n";
  int number = 0;
  for (const auto& one : findings.clusters)
    text += fmt::format(
        "{},{},{:.6g},{},{},{},{:.3f},{:.3f},{:.3f},{},{:.6g},{:.6g},{:.4f},{:.6g}\n", ++number,
        one.voxels, one.volume, one.peak_index[0], one.peak_index[1], one.peak_index[2],
        one.peak_mm[0], one.peak_mm[1], one.peak_mm[2], csv_field(one.structure), one.statistic,
        one.effect, one.partial_r, one.p_corrected);
  return text;
}

std::string structures_csv(const Findings& findings) {
  std::string text =
      "label,structure,mean,statistic,effect,effect_low,effect_high,partial_r,p,p_fdr,p_fwe\n";
  for (const auto& one : findings.structures)
    text +=
        fmt::format("{},{},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.4f},{:.6g},{:.6g},{:.6g}\n",
                    one.label, csv_field(one.name), one.mean, one.statistic, one.effect,
                    one.effect_low, one.effect_high, one.partial_r, one.p, one.p_fdr, one.p_fwe);
  return text;
}

void write_findings(const Path& folder, const Findings& findings) {
  make_folder(folder);
  remove_file(folder / "stats.json");  // a folder without it is not whole
  write_maps(folder, findings);
  write_text(folder / "clusters.csv", clusters_csv(findings));
  if (findings.structures.empty())
    remove_file(folder / "structures.csv");
  else
    write_text(folder / "structures.csv", structures_csv(findings));
  write_text(folder / "stats.json", record_of(findings).dump(2) + "\n");
}

std::string to_text(const Findings& findings) {
  constexpr std::size_t kMost = 10;
  const std::string dof =
      findings.statistic == "F"
          ? fmt::format("F({:.0f}, {:.0f})", findings.dof_test, findings.dof_error)
          : fmt::format("t({:.0f})", findings.dof_error);
  std::string text = fmt::format(
      "test of {} in {}: {}, {}, {} permutations\n", findings.test, findings.model, dof,
      counted(static_cast<long long>(findings.ids.size()), "subject"), findings.permutations);
  text += fmt::format("{} at p <= {:g}, corrected\n",
                      counted(static_cast<long long>(findings.clusters.size()), "cluster"),
                      findings.alpha);
  for (std::size_t c = 0; c < std::min(kMost, findings.clusters.size()); ++c) {
    const auto& one = findings.clusters[c];
    text += fmt::format(
        "  {:>8.6g} mm{}  {} {:+.2f} at ({:.1f}, {:.1f}, {:.1f}) mm  p {:.2g}  {}\n", one.volume,
        findings.atlas.grid.dims == 2 ? "²" : "³", findings.statistic, one.statistic,
        one.peak_mm[0], one.peak_mm[1], one.peak_mm[2], one.p_corrected, one.structure);
  }
  if (findings.clusters.size() > kMost)
    text += fmt::format("  … {} more in clusters.csv\n", findings.clusters.size() - kMost);
  if (!findings.structures.empty())
    text += fmt::format("{:<30} {:>9} {:>7} {:>9} {:>9}\n", "structure", "mean", findings.statistic,
                        "p", "p_fwe");
  for (const auto& one : findings.structures)
    text += fmt::format("  {:<28} {:>9.4g} {:>7.2f} {:>9.2g} {:>9.2g}\n", one.name, one.mean,
                        one.statistic, one.p, one.p_fwe);
  return text;
}

}  // namespace aladdin::stats
