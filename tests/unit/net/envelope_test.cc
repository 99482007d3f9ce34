#include "net/envelope.h"

#include <gtest/gtest.h>

#include "../caught.h"

namespace spillway {
namespace {

std::vector<std::byte> sealed_message(std::size_t bytes,
                                      Envelope::Kind kind = Envelope::Kind::gather) {
  std::vector<std::byte> message(Envelope::kBytes + bytes, std::byte{7});
  seal(message, {kind, 42, 3, 1, 9});
  return message;
}

TEST(Envelope, SaysWhatWasSealed) {
  for (const std::size_t bytes : {0, 1, 1000}) {
    const std::vector<std::byte> message = sealed_message(bytes);
    const Envelope envelope = open(message, 42, 3, 1);
    EXPECT_EQ(envelope.kind, Envelope::Kind::gather);
    EXPECT_EQ(envelope.round, 9);
    EXPECT_EQ(contents(message).size(), bytes);
  }
}

void expect_every_bit_counts(const std::vector<std::byte>& intact) {
  for (std::size_t bit = 0; bit < 8 * intact.size(); ++bit) {
    std::vector<std::byte> message = intact;
    message[bit / 8] ^= std::byte{1} << bit % 8;
    const std::optional<Error> error = caught([&] { open(message, 42, 3, 1); });
    ASSERT_TRUE(error) << bit;
    EXPECT_EQ(error->fault(), Fault::integrity);
  }
}

TEST(Envelope, NoticesEveryChangedBit) { expect_every_bit_counts(sealed_message(20)); }

// The Exchange looks at the rest of a batch.
TEST(Envelope, NoticesEveryChangedBitAtTheBeginningOfABatch) {
  expect_every_bit_counts(sealed_message(Envelope::kHashedOfBatch, Envelope::Kind::batch));
}

TEST(Envelope, NoticesWhatIsCutOff) {
  const std::vector<std::byte> intact = sealed_message(20);
  for (std::size_t left = 0; left < intact.size(); ++left)
    EXPECT_TRUE(caught([&] { open(std::span(intact).first(left), 42, 3, 1); })) << left;
}

TEST(Envelope, IsForOneCheckAndOnePairOfRanks) {
  const std::vector<std::byte> message = sealed_message(20);
  EXPECT_STREQ(caught([&] { open(message, 43, 3, 1); })->what(),
               "a message from rank 3 belongs to another check");
  EXPECT_TRUE(caught([&] { open(message, 42, 2, 1); }));
  EXPECT_TRUE(caught([&] { open(message, 42, 3, 0); }));
}

}  // namespace
}  // namespace spillway
