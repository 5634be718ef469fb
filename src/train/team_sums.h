// Inside this folder only: what the processes of a team have measured, put together.
#pragma once

#include "aladdin/evaluate/bridge.h"
#include "aladdin/evaluate/centrality.h"
#include "aladdin/team/team.h"

namespace aladdin {

double sum_over(const Team& team, double number);
void sum_over(const Team& team, evaluate::BridgeVotes& votes);
// The mean over the fields of all processes, with so many values each; `centrality` then holds one field, the mean.
void mean_over(const Team& team, evaluate::Centrality& centrality, std::int64_t values,
               evaluate::Centrality empty);

}  // namespace aladdin
