// Compression on all threads.
#pragma once

#include <string_view>

#include "aladdin/core/files.h"

namespace aladdin {

// Writes the bytes of `head` and `body` to `out` as one gzip member, cut into blocks of 1 MiB that are
// deflated side by side (as pigz does), hence the same bytes for any number of threads. Level 1: six
// times as fast as zlib's default, label maps stay small.
//
// In floats hardly any four bytes occur twice, so only runs are searched for: displacement fields and interpolated
// images take a third of the time of level 1 and become smaller than with level 6.
enum class Content { any, floats };
void write_gzip(FileWriter& out, std::string_view head, std::string_view body, Content content);

}  // namespace aladdin
