// Which run directory a check gets, and what becomes of it.
#include "directory/chosen_run_directory.h"

#include <gtest/gtest.h>

#include "base/hash/sha256.h"
#include "support/memory_file_system.h"
#include "unit/caught.h"
#include "unit/temporary_folder.h"

namespace spillway {
namespace {

constexpr const char* kModel = "a model";
constexpr const char* kJson = "{\n  \"verdict\": \"none\"\n}\n";

Verdict final_verdict() {
  Verdict verdict;
  verdict.final = true;
  return verdict;
}

class Chosen : public testing::Test {
 protected:
  Chosen() {
    EXPECT_EQ(files.make("/disk"), 0);
    request.model = folder.write("a model.m", kModel);
    request.model_sha256 = sha256(kModel);
    request.version = "0.1.0";
    durable.durable = true;
  }
  std::unique_ptr<ChosenRunDirectory> choose() {
    return std::make_unique<ChosenRunDirectory>(
        files, request, durable, [&](const std::string& why) { warnings.push_back(why); });
  }

  Faults faults;
  MemoryFileSystem files{faults};
  TemporaryFolder folder;
  RunDirectoryRequest request;
  Algorithm durable;
  std::vector<std::string> warnings;
};

TEST_F(Chosen, NoneWithoutARequestOrADisk) {
  EXPECT_EQ(choose()->directory(), nullptr);
  request.path = "";
  request.disks = {"/disk"};
  const auto none = choose();
  EXPECT_EQ(none->directory(), nullptr);
  EXPECT_FALSE(none->stays({}));
  none->end({}, kJson);
}

TEST_F(Chosen, ARequestedOneStays) {
  request.path = "/run";
  request.arguments = {"--threads=3", "--disk=data"};
  auto chosen = choose();
  ASSERT_NE(chosen->directory(), nullptr);
  EXPECT_FALSE(chosen->is_unrequested());
  EXPECT_EQ(chosen->directory()->config().arguments[0], "--threads=3");
  EXPECT_TRUE(chosen->directory()->config().arguments[1].starts_with("--disk=/"));
  EXPECT_TRUE(chosen->stays(final_verdict()));
  chosen->end(final_verdict(), kJson);
  chosen.reset();
  EXPECT_TRUE(RunDirectory::look(files, "/run").result());
  EXPECT_EQ(caught([&] { choose(); })->fault(), Fault::usage);  // it is not empty
}

TEST_F(Chosen, OneBesideTheScratchFilesGoesWithAFinalResult) {
  request.disks = {"/disk"};
  for (const bool final : {true, false}) {
    auto chosen = choose();
    ASSERT_NE(chosen->directory(), nullptr);
    const std::string path = chosen->directory()->path();
    EXPECT_TRUE(path.starts_with("/disk/spillway-a_model-")) << path;
    EXPECT_TRUE(chosen->is_unrequested());
    chosen->end(final ? final_verdict() : Verdict(), kJson);
    chosen.reset();
    EXPECT_EQ(files.is_directory(path), !final);
  }
  EXPECT_TRUE(warnings.empty());
}

TEST_F(Chosen, TwoInASecondHaveTwoNames) {
  request.disks = {"/disk"};
  const auto one = choose();
  const auto two = choose();
  ASSERT_NE(one->directory(), nullptr);
  ASSERT_NE(two->directory(), nullptr);
  EXPECT_NE(one->directory()->path(), two->directory()->path());
}

TEST_F(Chosen, OneThatCannotBeCreatedIsDoneWithout) {
  request.disks = {"/disk"};
  std::uint64_t refused = 0;
  for (std::uint64_t at = 0;; ++at) {
    warnings.clear();
    faults.set({Trouble::io_error, faults.operations() + at, false, 0});
    const auto chosen = choose();
    faults.set({});
    if (warnings.empty()) {
      EXPECT_NE(chosen->directory(), nullptr);
      if (at > 40) break;
      continue;
    }
    ++refused;
    EXPECT_TRUE(warnings[0].starts_with("the run cannot be resumed later: ")) << warnings[0];
    EXPECT_EQ(chosen->directory(), nullptr);
  }
  EXPECT_GT(refused, 20U);
}

TEST_F(Chosen, AModelThatHasChangedIsRefused) {
  request.model_sha256 = sha256("another model");
  for (const bool requested : {true, false}) {
    if (requested)
      request.path = "/run";
    else
      request.path.reset();
    request.disks = {"/disk"};
    EXPECT_EQ(caught([&] { choose(); })->fault(), Fault::model);
    EXPECT_FALSE(files.is_directory("/run"));
  }
}

TEST_F(Chosen, AResultThatCannotBeWrittenIsAWarning) {
  request.path = "/run";
  const auto chosen = choose();
  faults.set({Trouble::io_error, faults.operations(), true, 0});
  chosen->end({}, kJson);
  faults.set({});
  EXPECT_EQ(warnings.size(), 1U);
}

}  // namespace
}  // namespace spillway
