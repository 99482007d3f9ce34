#include "net/message_buffers.h"

#include <gtest/gtest.h>

namespace spillway {
namespace {

using Buffer = std::vector<std::byte>;

TEST(MessageBuffers, GiveTheSameMemoryAgain) {
  MessageBuffers buffers;
  Buffer first = buffers.take(100'000);
  const std::byte* const memory = first.data();
  buffers.give(std::move(first));
  const Buffer smaller = buffers.take(50'000);
  EXPECT_EQ(smaller.data(), memory);
  EXPECT_EQ(smaller.size(), 50'000U);
  EXPECT_NE(buffers.take(50'000).data(), memory) << "somebody has it";
}

TEST(MessageBuffers, AreAsLongAsAskedFor) {
  MessageBuffers buffers;
  for (const std::size_t bytes : {0, 10, 5'000, 20'000, 6'000, 100'000, 5'000'000, 7'000}) {
    Buffer buffer = buffers.take(bytes);
    EXPECT_EQ(buffer.size(), bytes);
    buffers.give(std::move(buffer));
  }
}

TEST(MessageBuffers, KeepFewAndNoneThatAreSmallOrHuge) {
  MessageBuffers buffers;
  std::vector<Buffer> taken;
  for (int i = 0; i < 100; ++i) taken.push_back(buffers.take(10'000));
  for (Buffer& buffer : taken) buffers.give(std::move(buffer));
  buffers.give(Buffer(10));
  buffers.give(Buffer(std::size_t{1} << 25));
  EXPECT_EQ(buffers.kept(), 16U);
}

}  // namespace
}  // namespace spillway
