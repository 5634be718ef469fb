#include "aladdin/kernels/buffer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <new>
#include <thread>
#include <vector>

#include "aladdin/core/memory.h"

namespace aladdin::kernels {
namespace {

constexpr std::int64_t kMillion = 1 << 20;

TEST(Buffer, IsAligned) {
  for (const std::int64_t floats : {0L, 1L, 17L, 16383L, 16384L, 3 * kMillion + 5}) {
    const Buffer buffer = make_buffer(floats);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.get()) % 64, 0U) << floats;
  }
}

TEST(Buffer, NeverOverlap) {
  std::vector<Buffer> held;
  for (int round = 0; round < 200; ++round) {
    const std::int64_t floats = 1000 + (round * 7919) % 90000;
    Buffer buffer = make_buffer(floats);
    std::fill_n(buffer.get(), floats, static_cast<float>(round));
    if (round % 3 == 0 && !held.empty())
      held.erase(held.begin() + round % static_cast<int>(held.size()));
    held.push_back(std::move(buffer));
  }
  for (const Buffer& buffer : held)  // a later one has not written into it
    EXPECT_TRUE(std::all_of(buffer.get(), buffer.get() + 1000,
                            [&](float value) { return value == buffer[0]; }));
}

TEST(Buffer, PiecesThatAreGivenBackServeTogether) {
  const auto of_small_ones = [] {
    std::vector<Buffer> parts;
    for (int i = 0; i < 64; ++i) {
      parts.push_back(make_buffer(kMillion));
      std::fill_n(parts.back().get(), kMillion, 1.0F);
    }
  };
  of_small_ones();
  const auto before = resident_memory();
  for (int i = 0; i < 4; ++i) {
    std::fill_n(make_buffer(60 * kMillion).get(), 60 * kMillion, 2.0F);
    of_small_ones();
  }
  EXPECT_LT(resident_memory(), before + 64 * kMillion);  // bytes: a quarter of what they hold
}

TEST(Buffer, RefusesWhatNoMachineHas) {
  EXPECT_THROW(make_buffer(-1), std::bad_alloc);
  EXPECT_THROW(make_buffer(std::int64_t{1} << 62), std::bad_alloc);
  EXPECT_THROW(make_buffer(std::int64_t{1} << 50), std::bad_alloc);
  EXPECT_NE(make_buffer(kMillion), nullptr);
}

TEST(Buffer, FromSeveralThreads) {
  std::vector<std::thread> workers;
  std::vector<char> whole(4, 1);
  for (int t = 0; t < 4; ++t)
    workers.emplace_back([t, &whole] {
      for (int i = 0; i < 100; ++i) {
        const std::int64_t floats = 20000 + 1000 * ((i * 31 + t * 17) % 50);
        const Buffer buffer = make_buffer(floats);
        std::fill_n(buffer.get(), floats, static_cast<float>(t));
        if (std::any_of(buffer.get(), buffer.get() + floats,
                        [&](float value) { return value != static_cast<float>(t); }))
          whole[t] = 0;
      }
    });
  for (std::thread& worker : workers) worker.join();
  EXPECT_EQ(whole, std::vector<char>(4, 1));
}

}  // namespace
}  // namespace aladdin::kernels
