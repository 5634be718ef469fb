# The checker must find each kind of broken include, one at a time.
set -euo pipefail
checker=$(dirname "$(realpath "$0")")/check_layers.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree"/src/{core,image,ops} "$tree/apps"
printf 'core::\nimage:core:aladdin_itk\nops:core:aladdin_torch\n' >"$tree/layers.txt"
echo '#include "aladdin/core/error.h"' >"$tree/src/image/io.h"
echo '#include <itkImage.h>' >"$tree/src/image/io.cpp"
echo '#include <itkMacro.h>' >"$tree/src/image/itk_error.h"
echo '#include <ATen/ATen.h>' >"$tree/src/ops/warp.h"

check() { bash "$checker" "$tree" "$tree/layers.txt"; }
check

# must_find TEXT FILE INCLUDE
must_find() {
  echo "$3" >"$tree/$2"
  if found=$(check); then echo "not found: $3 in $2"; exit 1; fi
  grep -qF "$1" <<<"$found" || { echo "said '$found', expected '$1'"; exit 1; }
  rm "$tree/$2"
}
must_find "includes 'image'" src/core/up.h '#include "aladdin/image/io.h"'
must_find "includes 'image'" src/ops/sideways.cpp '#include "aladdin/image/io.h"'
must_find 'includes ITK' src/image/public.h '#include <itkImage.h>'
must_find 'includes ITK' src/core/text.cpp '  #  include "itkImage.h"'
must_find 'includes a private one' src/image/public.h '#include "aladdin/image/itk_error.h"'
must_find 'includes Torch' src/image/tensor.cpp '#include <torch/torch.h>'
must_find 'a command includes neither' apps/info.cpp '#include <ATen/ATen.h>'
echo 'core:image:' >"$tree/layers.txt"
if check; then echo 'an upward USES was not found'; exit 1; fi
