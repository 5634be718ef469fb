// The page of `aladdin atlas`: the atlas with a slider through a sweep, its labels, what is larger and what smaller than in the
// population, each structure's volume against the covariate, and the curve of the bandwidth. One file that loads nothing.
#pragma once

#include "aladdin/condition/write.h"

namespace aladdin::report {

class AtlasPage {
 public:
  // Draws one atlas; all of them in order.
  void add(const condition::Atlas& atlas);

  std::string html(const condition::RunSubjects& subjects, const condition::Plan& plan,
                   const std::vector<condition::AtlasFacts>& facts,
                   const condition::Curves& curves) const;

 private:
  struct Pictures {
    std::string image, labels, size;  // data URIs; labels "": none
  };
  std::vector<Pictures> pictures_;
  Vec3 through_{};  // of all planes: the middle of the first atlas's labels
};

}  // namespace aladdin::report
