#include "atlas_flags.h"

namespace aladdin::app {

condition::Question AtlasFlags::question() const {
  condition::Question question;
  question.where = where;
  if (!at.empty()) question.at = condition::parse_at(at);
  if (!sweep.empty()) question.sweep = condition::parse_sweep(sweep);
  question.drop_missing = drop_missing;
  question.extrapolate = extrapolate;
  return question;
}

std::vector<condition::Width> AtlasFlags::widths() const {
  return bandwidth.empty() ? std::vector<condition::Width>{}
                           : condition::parse_bandwidth(bandwidth);
}

void add_atlas_flags(CLI::App& app, AtlasFlags& flags) {
  app.add_option("--where", flags.where,
                 "Subjects of the atlas: a condition such as 'sex=F and age>60'")
      ->type_name("CONDITION");
  app.add_option("--at", flags.at, "Covariates of the atlas, such as age=70,sex=F")
      ->type_name("VALUES");
  app.add_option(
         "--bandwidth", flags.bandwidth,
         "How far from these numbers subjects count, in their units, such as 5 or age=5,etiv=100 "
         "(default: chosen by leave-one-out)")
      ->type_name("WIDTH");
  app.add_flag("--drop-missing", flags.drop_missing,
               "Omit subjects that lack a value of a covariate that is named");
  app.add_flag("--extrapolate", flags.extrapolate,
               "Allow numbers outside the range of the subjects");
}

}  // namespace aladdin::app
