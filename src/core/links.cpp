#include "aladdin/core/links.h"

#include "aladdin/core/error.h"

namespace aladdin {

void refuse_links(const Path& folder, const std::vector<std::string>& names) {
  std::error_code ignored;
  for (const auto& name : names)
    if (std::filesystem::is_symlink(folder / name, ignored))
      throw Error(fmt::format("'{}' is a symbolic link, expected a file or folder",
                              (folder / name).string()))
          .hint("remove it, or choose another folder");
}

}  // namespace aladdin
