// For extend.sh: what the program, without Torch, knows of the toys.
#include <cstdio>

#include "aladdin/config/method_lines.h"
#include "aladdin/config/presets.h"
#include "aladdin/config/read.h"
#include "aladdin/config/validate.h"

int main() {
  using namespace aladdin;
  try {
    Config config = preset("toy");
    apply_setting(config, "loss.similarity=toy");
    validate(config);
    if (method_of(config).name != "toy" || parse_methods("Y")[0].name != "Toy") return 1;
    std::puts(methods_reference().c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
