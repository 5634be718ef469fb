// Inside this folder only: what ReadOnce keeps.
#pragma once

#include <functional>
#include <memory>

#include "aladdin/image/raw_image.h"

namespace aladdin {

// What read() gives for this file, or gave before.
std::shared_ptr<const RawImage> read_or_kept(const Path& path,
                                             const std::function<RawImage()>& read);

}  // namespace aladdin
