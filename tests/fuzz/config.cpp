#include "aladdin/config/presets.h"
#include "aladdin/config/read.h"
#include "aladdin/config/validate.h"
#include "aladdin/config/write.h"
#include "fuzz.h"

using namespace aladdin;

// What is read and found good comes back as it was.
ALADDIN_FUZZ(data, size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  fuzz::meet(
      [&] {
        Config config = preset("default");
        apply_toml(config, text, "fuzz.toml");
        validate(config);
        Config again = preset("fast");
        apply_toml(again, to_toml(config), "again.toml");
        if (hash_of(again) != hash_of(config)) std::abort();
      },
      true);
  fuzz::meet(
      [&] {
        Config config = preset("default");
        apply_setting(config, text);
      },
      true);
  return 0;
}
