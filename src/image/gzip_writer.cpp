#include "aladdin/image/gzip_writer.h"

#include <zlib.h>

#include <string>
#include <vector>

#include "aladdin/core/error.h"
#include "aladdin/core/parallel.h"

namespace aladdin {
namespace {

constexpr std::size_t kBlock = 1 << 20;
constexpr std::int64_t kBlocksAtOnce = 64;

struct Block {
  std::string plain;
  std::string packed;
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
  const int result = deflate(&stream, block.last ? Z_FINISH : Z_SYNC_FLUSH);
  const bool whole = result == (block.last ? Z_STREAM_END : Z_OK) && stream.avail_in == 0 &&
                     (block.last || stream.avail_out > 0);
  block.packed.resize(stream.total_out);
  deflateEnd(&stream);
  if (!whole) fail("zlib cannot compress {} bytes", size);
  block.checksum = crc32(0, reinterpret_cast<const Bytef*>(block.plain.data()), size);
}

// Takes the next bytes from the front of both.
std::vector<Block> next_blocks(std::string_view& head, std::string_view& body) {
  std::vector<Block> blocks;
  while (blocks.size() < kBlocksAtOnce && (!head.empty() || !body.empty() || blocks.empty())) {
    Block block;
    for (std::string_view* from : {&head, &body}) {
      const std::string_view piece = from->substr(0, kBlock - block.plain.size());
      block.plain += piece;
      from->remove_prefix(piece.size());
    }
    block.last = head.empty() && body.empty();
    blocks.push_back(std::move(block));
  }
  return blocks;
}

std::string little_endian(std::uint32_t value) {
  std::string bytes;
  for (int byte = 0; byte < 4; ++byte) bytes += static_cast<char>(value >> (8 * byte) & 0xff);
  return bytes;
}

}  // namespace

void write_gzip(FileWriter& out, std::string_view head, std::string_view body, Content content) {
  const std::size_t size = head.size() + body.size();
  unsigned long checksum = crc32(0, nullptr, 0);
  // Magic, deflate, no name and no time, fastest level, Unix.
  out.write(std::string_view("\x1f\x8b\x08\0\0\0\0\0\x04\x03", 10));
  do {
    std::vector<Block> blocks = next_blocks(head, body);
    parallel_for(static_cast<std::int64_t>(blocks.size()),
                 [&](std::int64_t n) { deflate_block(blocks[n], content); });
    for (const Block& block : blocks) {
      out.write(block.packed);
      checksum = crc32_combine(checksum, block.checksum, static_cast<z_off_t>(block.plain.size()));
    }
  } while (!head.empty() || !body.empty());
  out.write(little_endian(static_cast<std::uint32_t>(checksum)));
  out.write(little_endian(static_cast<std::uint32_t>(size)));
}

}  // namespace aladdin
