#include "aladdin/image/gzip_reader.h"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "aladdin/core/error.h"

namespace aladdin {

namespace {

// Throws for a pipe, which would be waited for.
gzFile open_regular(const Path& path) {
  file_bytes(path);
  errno = 0;
  return gzopen(path.c_str(), "rb");
}

}  // namespace

GzipReader::GzipReader(const Path& path) : path_(path), file_(open_regular(path)) {
  if (!file_) fail("cannot read '{}': {}", path.string(), std::strerror(errno));
  gzbuffer(file_, 1 << 18);
}

GzipReader::~GzipReader() { gzclose_r(file_); }

std::size_t GzipReader::read(std::byte* into, std::size_t bytes) {
  constexpr std::size_t kPiece = 1U << 30;  // gzread counts in int
  std::size_t done = 0;
  while (done < bytes) {
    const auto piece = static_cast<unsigned>(std::min(kPiece, bytes - done));
    const int got = gzread(file_, into + done, piece);
    if (got < 0) refuse();
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  int problem = Z_OK;
  gzerror(file_, &problem);
  if (problem != Z_OK && problem != Z_STREAM_END) refuse();
  return done;
}

void GzipReader::skip(std::uint64_t bytes) {
  std::vector<std::byte> passed(static_cast<std::size_t>(std::min<std::uint64_t>(bytes, 1 << 16)));
  while (bytes > 0) {
    const auto piece = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, passed.size()));
    if (read(passed.data(), piece) < piece) return;
    bytes -= piece;
  }
}

std::vector<std::byte> GzipReader::read_growing(std::size_t bytes) {
  std::vector<std::byte> all;
  while (all.size() < bytes) {
    const std::size_t begin = all.size(), piece = std::min(bytes - begin, std::max(kAhead, begin));
    all.reserve(begin + piece);  // not more than that, whatever the library's policy
    all.resize(begin + piece);
    const std::size_t got = read(all.data() + begin, piece);
    all.resize(begin + got);
    if (got < piece) break;
  }
  return all;
}

void GzipReader::finish() {
  std::vector<std::byte> rest(1 << 16);
  while (read(rest.data(), rest.size()) == rest.size()) {
  }
}

void GzipReader::refuse() {
  int problem = Z_OK;
  gzerror(file_, &problem);
  throw Error(fmt::format("'{}' is {}", path_.string(),
                          problem == Z_BUF_ERROR ? "truncated: its gzip stream ends too early"
                                                 : "damaged: its gzip stream is broken"))
      .hint("copy it again from its source");
}

}  // namespace aladdin
