// Inside this folder only: what the processes of a team have measured, put together.
#pragma once

#include "aladdin/evaluate/bridge.h"
#include "aladdin/evaluate/centrality.h"
#include "aladdin/team/team.h"

namespace aladdin {

double sum_over(const Team& team, double number);
void sum_over(const Team& team, evaluate::BridgeVotes& votes);
void sum_over(const Team& team, evaluate::Centrality& centrality);

}  // namespace aladdin
