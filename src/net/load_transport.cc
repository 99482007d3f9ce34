#include "net/load_transport.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/error.h"
#include "net/plugin_transport.h"

namespace spillway {
namespace {

constexpr const char* kChoice = "SPILLWAY_MPI";
constexpr const char* kFile = "libspillway_mpi.so";

// 0 if it is no number.
unsigned number_in(const Environment& environment, const char* name) {
  const char* text = environment(name);
  unsigned number = 0;
  if (text != nullptr) std::from_chars(text, text + std::strlen(text), number);
  return number;
}

unsigned processes(const Environment& environment) {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const unsigned number = number_in(environment, name)) return number;
  if (environment("PMIX_RANK") == nullptr) return 1;
  for (const char* name : {"SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"})
    if (const unsigned number = number_in(environment, name)) return number;
  return 1;
}

const char* of_this_process(const char* name) { return std::getenv(name); }

}  // namespace

std::optional<unsigned> launched_ranks(const Environment& environment) {
  const char* choice = environment(kChoice);
  if (choice != nullptr && std::string_view(choice) == "off") return std::nullopt;
  const unsigned ranks = processes(environment);
  if (ranks <= 1) return std::nullopt;
  return ranks;
}

std::vector<std::string> plugin_places(const Environment& environment) {
  const char* choice = environment(kChoice);
  if (choice != nullptr && *choice != '\0') return {choice};
  std::error_code error;
  const std::filesystem::path folder =
      std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  return {folder / kFile, (folder / ".." / SPILLWAY_LIBRARIES / kFile).lexically_normal()};
}

std::string transport_build(std::string_view commit) {
  return commit.empty() ? SPILLWAY_VERSION : fmt::format("{} {}", SPILLWAY_VERSION, commit);
}

std::unique_ptr<Transport> load_transport(std::string_view commit) {
  const std::optional<unsigned> ranks = launched_ranks(of_this_process);
  if (!ranks) return nullptr;
  const std::vector<std::string> places = plugin_places(of_this_process);
  for (const std::string& place : places)
    if (access(place.c_str(), F_OK) == 0)
      return std::make_unique<PluginTransport>(place, transport_build(commit), *ranks);
  throw Error(Fault::system,
              fmt::format("this is one of {} ranks, but there is no MPI for Spillway ({}): install "
                          "the package spillway-mpi, or set {}=off to let each process work alone",
                          *ranks, fmt::join(places, ", "), kChoice));
}

}  // namespace spillway
