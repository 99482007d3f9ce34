// What all disks promise.
#include "io/data/disk.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "cases.h"
#include "io/data/missing_disk.h"
#include "unit/caught.h"
#include "unit/io/disks.h"

namespace spillway {
namespace {

class AnyDisk : public testing::TestWithParam<DiskKind> {
 protected:
  Buffer buffer(std::size_t sectors) { return Buffer::need(budget, sectors * kSector, "a test"); }
  Buffer filled(std::size_t sectors, std::uint64_t seed) {
    Buffer made = buffer(sectors);
    fill(made, seed);
    return made;
  }

  Budget budget{std::uint64_t{64} << 20};
  TestDisk disk{GetParam()};
};

TEST_P(AnyDisk, GivesBackWhatWasWritten) {
  const auto file = disk->create("a");
  const Buffer out = filled(7, 1);
  Buffer in = buffer(7);
  file->write(3 * kSector, out.all()).wait();
  file->read(3 * kSector, in.all()).wait();
  EXPECT_TRUE(same(out, in));
  EXPECT_EQ(file->size(), 10 * kSector);
}

TEST_P(AnyDisk, TransfersAtTheSameTimeDoNotMix) {
  constexpr std::size_t kMany = 700;  // more than the ring takes at once
  const auto file = disk->create("a");
  std::vector<Buffer> out, in;
  std::vector<Request> requests;
  for (std::size_t i = 0; i < kMany; ++i) out.push_back(filled(2, i));
  for (std::size_t i = 0; i < kMany; ++i)
    requests.push_back(file->write(i * 2 * kSector, out[i].all()));
  for (Request& request : requests) request.wait();
  requests.clear();
  for (std::size_t i = 0; i < kMany; ++i) in.push_back(buffer(2));
  for (std::size_t i = 0; i < kMany; ++i)
    requests.push_back(file->read(i * 2 * kSector, in[i].all()));
  for (std::size_t i = kMany; i-- > 0;) requests[i].wait();
  for (std::size_t i = 0; i < kMany; ++i) EXPECT_TRUE(same(out[i], in[i])) << i;
}

TEST_P(AnyDisk, ThreadsShareIt) {
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (std::uint64_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      const auto file = disk->create("t" + std::to_string(t));
      const Buffer out = filled(4, t);
      const Buffer in = buffer(4);
      for (std::uint64_t i = 0; i < 50; ++i) {
        Request one = file->write(i * 8 * kSector, out.all());
        Request two = file->write((i * 8 + 4) * kSector, out.all());
        two.wait();
        one.wait();
        file->read(i * 8 * kSector, in.all()).wait();
        if (same(out, in)) ++right;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 200);
}

TEST_P(AnyDisk, ATransferOutlivesTheThreadThatBeganIt) {
  const auto file = disk->create("a");
  const Buffer out = filled(256, 1);
  const Buffer in = buffer(256);
  for (std::uint64_t i = 0; i < scaled(20); ++i) {
    Request request;
    std::thread([&] { request = file->write(i * out.size(), out.all()); }).join();
    request.wait();
    std::thread([&] { request = file->read(i * out.size(), in.all()); }).join();
    request.wait();
    ASSERT_TRUE(same(out, in));
  }
}

TEST_P(AnyDisk, ARequestThatIsDroppedIsWaitedFor) {
  const auto file = disk->create("a");
  const Buffer in = buffer(64);
  {
    const Buffer out = filled(64, 5);
    Request request = file->write(0, out.all());
    request = file->write(64 * kSector, out.all());  // drops the first
  }                                                  // the buffer goes after the request
  file->read(0, in.all()).wait();
  EXPECT_TRUE(same(filled(64, 5), in));
}

TEST_P(AnyDisk, ReadingPastTheEndIsAnErrorAtTheWait) {
  const auto file = disk->create("a");
  const Buffer two = filled(2, 1);
  file->write(0, two.all()).wait();
  for (const std::uint64_t offset : {kSector, 2 * kSector, 100 * kSector}) {
    Request request = file->read(offset, two.all());
    const auto error = caught([&] { request.wait(); });
    ASSERT_TRUE(error);
    EXPECT_EQ(error->fault(), Fault::integrity);
    EXPECT_NE(std::string(error->what())
                  .find("a: truncated: the file ends within the 8,192 bytes at offset"),
              std::string::npos)
        << error->what();
    request.wait();  // told once
  }
}

TEST_P(AnyDisk, TruncatesToLessAndToMore) {
  const auto file = disk->create("a");
  const Buffer out = filled(4, 1);
  file->write(0, out.all()).wait();
  file->truncate(kSector);
  EXPECT_EQ(file->size(), kSector);
  file->truncate(3 * kSector);
  const Buffer in = filled(3, 2);
  file->read(0, in.all()).wait();
  EXPECT_TRUE(std::ranges::equal(in.first(kSector), out.first(kSector)));
  const std::span<std::byte> rest = in.all().subspan(kSector);
  EXPECT_TRUE(std::ranges::all_of(rest, [](std::byte b) { return b == std::byte{0}; }));
}

TEST_P(AnyDisk, FilesHaveNames) {
  disk->create("b");
  disk->create("a-1");
  EXPECT_EQ(disk->list(), (std::vector<std::string>{"a-1", "b"}));
  disk->rename("b", "c.tmp");
  EXPECT_EQ(disk->list(), (std::vector<std::string>{"a-1", "c.tmp"}));
  disk->remove("a-1");
  EXPECT_EQ(disk->list(), (std::vector<std::string>{"c.tmp"}));
  disk->sync_directory();
}

TEST_P(AnyDisk, AFileOpenedAgainIsTheSame) {
  const Buffer out = filled(1, 3);
  const auto first = disk->create("a");
  first->write(0, out.all()).wait();
  const auto second = disk->open("a");
  EXPECT_EQ(second->size(), kSector);
  first->write(kSector, out.all()).wait();
  EXPECT_EQ(second->size(), 2 * kSector);
  const Buffer in = buffer(1);
  second->read(kSector, in.all()).wait();
  EXPECT_TRUE(same(out, in));
}

TEST_P(AnyDisk, AFileStaysAfterItWasClosed) {
  const Buffer out = filled(3, 3);
  {
    const auto file = disk->create("a");
    file->write(0, out.all()).wait();
    file->sync();
  }
  disk->rename("a", "b");
  const auto again = disk->open("b");
  ASSERT_EQ(again->size(), 3 * kSector);
  const Buffer in = buffer(3);
  again->read(0, in.all()).wait();
  EXPECT_TRUE(same(out, in));
}

TEST_P(AnyDisk, RefusesWhatIsThereAndWhatIsNot) {
  disk->create("a");
  disk->create("b");
  const auto what = [](auto code) {
    return std::string(caught(code).value_or(Error(Fault::internal, "no error")).what());
  };
  EXPECT_NE(what([&] { disk->create("a"); }).find("a: cannot create: File exists (EEXIST)"),
            std::string::npos);
  EXPECT_NE(what([&] { disk->open("x"); }).find("x: cannot open: No such file"), std::string::npos);
  EXPECT_NE(what([&] { disk->remove("x"); }).find("x: cannot remove: No such file"),
            std::string::npos);
  EXPECT_NE(what([&] { disk->rename("a", "b"); }).find("a: cannot rename to b: File exists"),
            std::string::npos);
  EXPECT_NE(what([&] { disk->rename("x", "y"); }).find("x: cannot rename to y: No such file"),
            std::string::npos);
}

TEST_P(AnyDisk, RefusesNamesThatLeadElsewhere) {
  for (const char* name :
       {"", ".", "..", "../a", "a/b", ".hidden", "-x", "a b", "a\n", "\xc3\xa4"}) {
    const auto error = caught([&] { disk->create(name); });
    ASSERT_TRUE(error) << name;
    EXPECT_EQ(error->fault(), Fault::integrity);
  }
  EXPECT_TRUE(disk->list().empty());
}

TEST_P(AnyDisk, CountsBytesAndRequests) {
  const auto file = disk->create("a");
  const Buffer out = filled(4, 1);
  file->write(0, out.all()).wait();
  file->write(4 * kSector, out.first(kSector)).wait();
  file->read(0, out.first(2 * kSector)).wait();
  file->sync();
  disk->remove("a");
  const IoCounters& counters = disk->counters();
  EXPECT_EQ(counters.writes, 2U);
  EXPECT_EQ(counters.written_bytes, 5 * kSector);
  EXPECT_EQ(counters.reads, 1U);
  EXPECT_EQ(counters.read_bytes, 2 * kSector);
  EXPECT_EQ(counters.syncs, 1U);
  EXPECT_EQ(counters.created, 1U);
  EXPECT_EQ(counters.removed, 1U);
  EXPECT_EQ(counters.retries, 0U);
}

INSTANTIATE_TEST_SUITE_P(Io, AnyDisk, testing::ValuesIn(all_disk_kinds()),
                         [](const auto& instance) { return name_of(instance.param); });

TEST(MissingDisk, SaysWhyWhenItIsNeeded) {
  MissingDisk disk("there is no directory");
  EXPECT_TRUE(disk.list().empty());
  const auto error = caught([&] { disk.create("a"); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->fault(), Fault::disk);
  EXPECT_STREQ(error->what(), "there is no directory");
}

}  // namespace
}  // namespace spillway
