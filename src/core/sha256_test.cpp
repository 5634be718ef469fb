#include "aladdin/core/sha256.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "aladdin/core/error.h"

namespace aladdin {
namespace {

// Examples of the standard, and lengths around those at which the padding needs a block more.
TEST(Sha256, IsThatOfTheStandard) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, OfAFileIsThatOfItsBytes) {
  const Path path = Path(::testing::TempDir()) / fmt::format("aladdin_sha256_{}", getpid());
  for (const std::size_t length : {0, 1, 55, 56, 63, 64, 65, 1048576, 1048577}) {
    const std::string bytes(length, 'x');
    write_text(path, bytes);
    EXPECT_EQ(sha256_of_file(path), sha256(bytes)) << length;
  }
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace aladdin
