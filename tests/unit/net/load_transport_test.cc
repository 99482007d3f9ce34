#include "net/load_transport.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "../caught.h"
#include "../temporary_folder.h"
#include "base/error.h"
#include "folders.h"
#include "net/plugin_transport.h"

namespace spillway {
namespace {

constexpr const char* kBuild = "1.0 of a test";

std::string plugin() { return NET_TEST_PLUGIN; }

std::optional<unsigned> ranks_with(const std::map<std::string, std::string>& variables) {
  return launched_ranks([&](const char* name) {
    const auto at = variables.find(name);
    return at == variables.end() ? nullptr : at->second.c_str();
  });
}

std::string refusal(const std::string& path, const std::string& build, unsigned ranks) {
  try {
    const PluginTransport transport(path, build, ranks);
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::system);
    return error.what();
  }
  return "";
}

TEST(LoadTransport, KnowsWhetherThereAreOtherRanks) {
  EXPECT_EQ(ranks_with({}), std::nullopt);
  EXPECT_EQ(ranks_with({{"OMPI_COMM_WORLD_SIZE", "1"}}), std::nullopt);
  EXPECT_EQ(ranks_with({{"OMPI_COMM_WORLD_SIZE", "4"}}), 4);
  EXPECT_EQ(ranks_with({{"OMPI_COMM_WORLD_SIZE", "many"}}), std::nullopt);
  EXPECT_EQ(ranks_with({{"PMI_SIZE", "8"}}), 8);
  EXPECT_EQ(ranks_with({{"PMI_SIZE", "8"}, {"SPILLWAY_MPI", "off"}}), std::nullopt);
  EXPECT_EQ(ranks_with({{"PMI_SIZE", "8"}, {"SPILLWAY_MPI", "/a.so"}}), 8);
}

// In a job of Slurm there are tasks, but only srun makes ranks of them.
TEST(LoadTransport, KnowsRanksOfSlurm) {
  EXPECT_EQ(ranks_with({{"SLURM_NTASKS", "4"}}), std::nullopt);
  EXPECT_EQ(ranks_with({{"SLURM_NTASKS", "4"}, {"PMIX_RANK", "0"}}), 4);
  EXPECT_EQ(ranks_with({{"SLURM_NTASKS", "4"}, {"SLURM_STEP_NUM_TASKS", "1"}, {"PMIX_RANK", "0"}}),
            std::nullopt);
}

TEST(LoadTransport, LooksWhereItIsToldTo) {
  const auto places = plugin_places([](const char*) { return "/a/plugin.so"; });
  EXPECT_EQ(places, std::vector<std::string>{"/a/plugin.so"});
  const std::filesystem::path beside = std::filesystem::read_symlink("/proc/self/exe");
  const auto usual = plugin_places([](const char*) -> const char* { return nullptr; });
  ASSERT_EQ(usual.size(), 2);
  EXPECT_EQ(usual[0], beside.parent_path() / "libspillway_mpi.so");
}

TEST(PluginTransport, HasItsRank) {
  PluginTransport transport(plugin(), kBuild, 1);
  EXPECT_EQ(transport.rank(), 0);
  EXPECT_EQ(transport.ranks(), 1);
  EXPECT_EQ(transport.library(), "an MPI of a test");
  EXPECT_FALSE(transport.receive());
  transport.end();
}

TEST(PluginTransport, RefusesAnotherBuildAndAnotherMpi) {
  EXPECT_NE(refusal(plugin(), "2.0", 1).find("this was not built with the program, which is 2.0"),
            std::string::npos);
  EXPECT_NE(refusal(plugin(), kBuild, 3).find("built for an MPI of a test, and finds 1 of 3 ranks"),
            std::string::npos);
}

TEST(PluginTransport, RefusesWhatIsNoPlugin) {
  EXPECT_NE(refusal("/nonexistent", kBuild, 1), "");
  EXPECT_NE(refusal(source_file("README.md"), kBuild, 1).find("no shared object"),
            std::string::npos);
  EXPECT_NE(refusal(model_file("pancake_9.so"), kBuild, 1).find("has no spillway_transport()"),
            std::string::npos);
}

// However much of it is missing: it is not the dynamic linker that finds out.
TEST(PluginTransport, RefusesPartOfAPlugin) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/part.so";
  const std::uintmax_t size = std::filesystem::file_size(plugin());
  for (std::uintmax_t left = 0; left < size; left += size / 50 + 1) {
    std::filesystem::copy_file(plugin(), path, std::filesystem::copy_options::overwrite_existing);
    std::filesystem::resize_file(path, left);
    EXPECT_NE(refusal(path, kBuild, 1).find("not all of it"), std::string::npos) << left;
  }
}

}  // namespace
}  // namespace spillway
