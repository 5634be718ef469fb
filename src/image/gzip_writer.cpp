#include "aladdin/image/gzip_writer.h"

#include <zlib.h>

#include <array>
#include <fstream>
#include <vector>

#include "aladdin/core/error.h"
#include "aladdin/core/parallel.h"

namespace aladdin {
namespace {

constexpr std::size_t kBlock = 1 << 20;
constexpr std::int64_t kBlocksAtOnce = 64;

struct Block {
  std::vector<char> plain;
  std::vector<char> packed;
  unsigned long checksum = 0;
  bool last = false;
};

// Raw deflate; all but the last block end on a byte boundary, so that they can be joined.
void deflate_block(Block& block, Content content) {
  z_stream stream{};
  const int strategy = content == Content::floats ? Z_RLE : Z_DEFAULT_STRATEGY;
  if (deflateInit2(&stream, 1, Z_DEFLATED, -MAX_WBITS, 8, strategy) != Z_OK)
    fail("not enough memory to compress");
  const auto size = static_cast<unsigned>(block.plain.size());
  block.packed.resize(deflateBound(&stream, size) + 16);
  stream.next_in = reinterpret_cast<Bytef*>(block.plain.data());
  stream.avail_in = size;
  stream.next_out = reinterpret_cast<Bytef*>(block.packed.data());
  stream.avail_out = static_cast<unsigned>(block.packed.size());
  deflate(&stream, block.last ? Z_FINISH : Z_SYNC_FLUSH);
  block.packed.resize(stream.total_out);
  deflateEnd(&stream);
  block.checksum = crc32(0, reinterpret_cast<const Bytef*>(block.plain.data()), size);
}

std::vector<Block> read_blocks(std::ifstream& in, std::uintmax_t& left) {
  std::vector<Block> blocks;
  while (blocks.size() < kBlocksAtOnce && (left > 0 || blocks.empty())) {
    Block block;
    block.plain.resize(static_cast<std::size_t>(std::min<std::uintmax_t>(left, kBlock)));
    in.read(block.plain.data(), static_cast<std::streamsize>(block.plain.size()));
    left -= block.plain.size();
    block.last = left == 0;
    blocks.push_back(std::move(block));
  }
  return blocks;
}

void write_little_endian(std::ofstream& out, std::uint32_t value) {
  for (int byte = 0; byte < 4; ++byte) out.put(static_cast<char>(value >> (8 * byte) & 0xff));
}

}  // namespace

void gzip_file(const Path& from, const Path& to, Content content) {
  std::ifstream in(from, std::ios::binary);
  std::ofstream out(to, std::ios::binary);
  const std::uintmax_t size = std::filesystem::file_size(from);
  std::uintmax_t left = size;
  unsigned long checksum = crc32(0, nullptr, 0);
  // Magic, deflate, no name and no time, fastest level, Unix.
  constexpr std::array<unsigned char, 10> kHeader{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 3};
  out.write(reinterpret_cast<const char*>(kHeader.data()), kHeader.size());
  do {
    std::vector<Block> blocks = read_blocks(in, left);
    parallel_for(static_cast<std::int64_t>(blocks.size()),
                 [&](std::int64_t n) { deflate_block(blocks[n], content); });
    for (const Block& block : blocks) {
      out.write(block.packed.data(), static_cast<std::streamsize>(block.packed.size()));
      checksum = crc32_combine(checksum, block.checksum, static_cast<z_off_t>(block.plain.size()));
    }
  } while (left > 0);
  write_little_endian(out, static_cast<std::uint32_t>(checksum));
  write_little_endian(out, static_cast<std::uint32_t>(size));
  out.flush();
  if (!in || !out) fail("cannot compress into '{}': is the disk full?", to.string());
}

}  // namespace aladdin
