// What `aladdin stats` found: one test of one model, at every voxel of the analysed part of the atlas and for
// every structure. write_findings.h makes files of it, report/findings_page.h a page.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "aladdin/image/image.h"

namespace aladdin::stats {

// Voxels that belong together: neighbours with the same sign whose corrected p is at most `Findings::alpha`.
struct Cluster {
  std::int64_t voxels = 0;
  double volume = 0;  // mm³ (mm² in 2-D)
  std::array<std::int64_t, 3> peak_index{};
  Vec3 peak_mm{};                                   // LPS
  std::string structure;                            // of the atlas at the peak, or ""
  double statistic = 0, effect = 0, partial_r = 0;  // at the peak
  double p_corrected = 1;                           // the smallest in it
};

// The same test for the volume of one structure.
struct StructureFinding {
  std::int32_t label = 0;
  std::string name;
  double mean = 0;  // of the subjects, mm³ (mm² in 2-D)
  double statistic = 0, partial_r = 0;
  double effect = 0, effect_low = 0,
         effect_high = 0;  // volume per unit of the tested term, with its 95 % interval
  double p = 1, p_fdr = 1,
         p_fwe = 1;  // p: of the distribution; p_fwe: over the structures, by permutation
};

// One number per analysed voxel, in the order of Findings::voxels. Empty: not asked for.
struct FoundMaps {
  std::vector<float> statistic;                        // t or F
  std::vector<float> effect, effect_low, effect_high;  // per unit of the tested term; empty for F
  std::vector<float> partial_r;                        // F: the square root of partial eta²
  std::vector<float> p;                                // of the distribution, uncorrected
  std::vector<float> p_fdr;                            // Benjamini-Hochberg of p
  std::vector<float> p_permuted;                       // uncorrected, by permutation
  std::vector<float> p_fwe;                            // family-wise, by the maximum
  std::vector<float> tfce, p_tfce;                     // family-wise, by the maximum of TFCE
};

struct Findings {
  std::string title, model, test;
  std::string measure;          // "absolute log-Jacobian, smoothed by 4 mm"
  std::string statistic = "t";  // or "F"
  double dof_test = 1, dof_error = 0;
  std::int64_t permutations = 0;
  double alpha = .05;
  Image atlas;    // intensities 0 … 1
  Labels labels;  // of the atlas; no values: none
  std::map<std::int32_t, std::string> label_names;
  std::vector<std::int64_t> voxels;  // offsets into the atlas grid, ascending
  FoundMaps maps;
  std::vector<Cluster> clusters;  // by p, then by size
  std::vector<StructureFinding> structures;

  // For the scatter: of each subject its id and what is tested (its values if that is a number, else its group).
  std::vector<std::string> ids, groups;
  std::vector<double> tested;
  std::string tested_name;
  std::vector<float> data;         // as modelled: [voxel * subjects + subject]
  std::vector<std::string> notes;  // sentences that a reader must know
};

}  // namespace aladdin::stats
