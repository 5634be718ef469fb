// He and Chung, "Unsupervised end-to-end groupwise registration framework without generating templates"
// (ICIP 2020), as the paper runs it (row G): one step, one iteration, with an atlas by Eq. 3. The
// batch is the group. With u_i the displacement that pulls I_i to the atlas and J_i = I_i o (id + u_i),
//
//   E = sim (mean_i L(J_i, A) + mean_{i<j} L(J_i, J_j))      L_sim, within the group and with the atlas
//     + lambda mean_i R(u_i)                                 L_grad, of first differences
//     + middle mean_x |mean_i u_i|^2                         L_pres: the group stays where it is
//     + cycle mean_i |u_i + w_i o (id + u_i)|^2              L_cycle
//
// w_i pulls the atlas to I_i: the same network with its two inputs exchanged. Our reading of the
// description: the paper names the four terms and their weights (0.4, 10, 1, 0.1), not their formulas.
#include "aladdin/loss/regularity.h"
#include "aladdin/method/method.h"
#include "aladdin/ops/warp.h"

namespace aladdin {
namespace {

Terms energy_of(const EnergyInput& in) {
  const auto& [config, dissimilarity, atlas, batch, fields, spacing_mm, scale] = in;
  const at::Tensor moved = ops::warp(batch.images, fields.to_subject);
  const int64_t n = moved.size(0);
  Terms terms;
  terms.add(config.sim, dissimilarity(moved, atlas.expand(moved.sizes())), terms.sim);
  if (n > 1) {
    std::vector<at::Tensor> first, second;
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = i + 1; j < n; ++j) {
        first.push_back(moved.narrow(0, i, 1));
        second.push_back(moved.narrow(0, j, 1));
      }
    terms.add(config.sim, dissimilarity(at::cat(first), at::cat(second)), terms.atlas_pairs);
    terms.add(config.middle, mean_square_mm(fields.to_subject.mean(0, true), spacing_mm));
  }
  terms.add(config.lambda, gradient_energy(fields.to_subject, spacing_mm), terms.reg);
  if (fields.to_atlas.defined())
    terms.add(config.cycle,
              mean_square_mm(ops::compose(fields.to_atlas, fields.to_subject), spacing_mm));
  return terms;
}

const RegisteredMethod kHe({.about = described(EnergyKind::he), .energy = energy_of});

}  // namespace
}  // namespace aladdin
