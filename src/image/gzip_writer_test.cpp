#include "aladdin/image/gzip_writer.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include "aladdin/core/parallel.h"
#include "aladdin/core/rng.h"

namespace aladdin {
namespace {

std::string some_bytes(std::size_t count) {
  Rng rng(3);
  std::string bytes(count, 'a');
  for (std::size_t n = 0; n < count; n += 3) bytes[n] = static_cast<char>(rng.below(40));
  return bytes;
}

std::string gunzip(const Path& path) {
  gzFile file = gzopen(path.c_str(), "rb");
  std::string bytes, piece(1 << 16, '\0');
  int got = 0;
  while ((got = gzread(file, piece.data(), static_cast<unsigned>(piece.size()))) > 0)
    bytes.append(piece, 0, static_cast<std::size_t>(got));
  // gzclose_r reports a checksum or length that does not fit.
  EXPECT_EQ(got, 0);
  EXPECT_EQ(gzclose_r(file), Z_OK);
  return bytes;
}

class Gzip : public ::testing::TestWithParam<std::size_t> {};

TEST_P(Gzip, GivesTheBytesBackAndTheSameFileForAnyThreads) {
  const Path packed = Path(::testing::TempDir()) / fmt::format("aladdin_gzip_{}.gz", getpid());
  const std::string bytes = some_bytes(GetParam());
  const std::string_view head = std::string_view(bytes).substr(0, 352),
                         body = std::string_view(bytes).substr(head.size());
  const auto pack = [&](Content content) {
    FileWriter out(packed, packed);
    write_gzip(out, head, body, content);
  };
  for (const Content content : {Content::any, Content::floats}) {
    set_threads(1);
    pack(content);
    const std::string one = read_text(packed);
    set_threads(2);
    pack(content);
    set_threads(0);
    EXPECT_EQ(read_text(packed), one);
    EXPECT_EQ(gunzip(packed), bytes);
  }
  std::filesystem::remove(packed);
}

INSTANTIATE_TEST_SUITE_P(Sizes, Gzip, ::testing::Values(0, 1, 1 << 20, (1 << 20) + 1, 3500000));

}  // namespace
}  // namespace aladdin
