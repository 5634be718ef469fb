// SHA-256 (FIPS 180-4), for checksums that people compare with sha256sum.
#pragma once

#include <string>
#include <string_view>

#include "aladdin/core/files.h"

namespace aladdin {

// 64 hexadecimal digits.
std::string sha256(std::string_view bytes);
std::string sha256_of_file(const Path& path);

}  // namespace aladdin
