#include "io/data/buffer.h"

#include <gtest/gtest.h>

#include "unit/caught.h"

namespace spillway {
namespace {

TEST(Buffer, IsAlignedZeroedAndPaidFor) {
  Budget budget(1 << 20);
  {
    const Buffer buffer = Buffer::need(budget, 5000, "a test");
    EXPECT_EQ(buffer.size(), 8192U);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % kSector, 0U);
    EXPECT_EQ(budget.used(), 8192U);
    for (const std::byte b : buffer.all()) EXPECT_EQ(b, std::byte{0});
  }
  EXPECT_EQ(budget.used(), 0U);
}

TEST(Buffer, IsRefusedWhereTheBudgetIsSpent) {
  Budget budget(10000);
  EXPECT_FALSE(Buffer::get(budget, 12288));
  const auto error = caught([&] { Buffer::need(budget, 65536, "a block of the queue"); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->fault(), Fault::usage);
  EXPECT_STREQ(error->what(),
               "a block of the queue needs 64 KiB, but only 9.8 KiB of the memory budget of 9.8 "
               "KiB is left: raise "
               "--memory");
}

}  // namespace
}  // namespace spillway
