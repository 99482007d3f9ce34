#include <fmt/format.h>

#include <filesystem>

#include "base/error.h"
#include "base/printable.h"
#include "base/quantity.h"
#include "cli/commands.h"
#include "io/system_disk.h"
#include "report/status.h"
#include "run/examine.h"

namespace spillway {
namespace {

void need_folder(const Settings& settings, std::string_view command) {
  if (settings.subject.empty())
    throw Error(Fault::usage, fmt::format("which run? Try: spillway {} DIR, or spillway {} --help", command, command));
}

const Command& check_command() { return commands().front(); }

SystemDisk::Options kept_files(const RunFolder& folder) {
  return {folder.places(), SystemDisk::Keep::yes, EngineKind::best, 0};
}

std::uint64_t bytes_in(const std::vector<std::string>& places) {
  std::uint64_t bytes = 0;
  std::error_code none;
  for (const std::string& place : places)
    for (const auto& entry : std::filesystem::directory_iterator(place, none)) {
      const std::uint64_t size = entry.file_size(none);
      if (!none) bytes += size;
    }
  return bytes;
}

std::string wholeness(const Manifest& checkpoint) {
  return fmt::format("checkpoint {} is whole: {} states in {} levels, {} in the next", checkpoint.generation,
                     with_commas(checkpoint.states()), with_commas(checkpoint.levels.size()),
                     with_commas(checkpoint.level_states));
}

// Says so if that one is whole.
void examine_older(Journal& journal, Budget& budget, Disk& scratch) {
  try {
    examine(journal, budget, scratch);
    say(stdout, fmt::format("the newest checkpoint is not whole, but 'resume' can go on from the one before it: {}\n",
                            wholeness(*journal.resumed())));
  } catch (const Error&) {  // what is wrong with the newest is told
  }
}

}  // namespace

int run_resume(const Settings& settings) {
  need_folder(settings, "resume");
  RunFolder folder = RunFolder::open(settings.subject);
  for (const std::string& directory : settings.disks) folder.add_place(directory);
  std::vector<std::string> arguments = folder.config().arguments;
  if (!settings.disks.empty()) std::erase_if(arguments, [](const std::string& a) { return a.starts_with("--disk="); });
  arguments.insert(arguments.end(), settings.given.begin(), settings.given.end());
  arguments.insert(arguments.begin(), folder.model_path());
  Settings together = parse(check_command(), arguments).value();
  together.reading.shown_path = folder.config().model;
  return check_in(folder, together);
}

int run_status(const Settings& settings) {
  need_folder(settings, "status");
  const RunFolder folder = RunFolder::look(settings.subject);
  RunStatus status;
  status.directory = folder.path();
  status.model = folder.config().model;
  status.begun = folder.config().begun;
  status.user = folder.user();
  status.bytes = bytes_in(folder.places());
  SystemDisk disk(kept_files(folder));
  status.checkpoint = ManifestFiles(disk).newest(status.faults);
  if (!status.user) status.result = folder.result();
  status.earlier_result = folder.earlier_result();
  if (settings.json_file.empty())
    say(stdout, status_text(status));
  else
    write_file(settings.json_file, status_json(status));
  return 0;
}

int run_fsck(const Settings& settings) {
  need_folder(settings, "fsck");
  const RunFolder folder = RunFolder::open(settings.subject);
  folder.model_path();  // compares it with what the run began with
  SystemDisk kept(kept_files(folder));
  SystemDisk scratch({settings.disks.empty() ? folder.places() : settings.disks});
  std::vector<std::string> faults;
  const std::optional<Manifest> newest = ManifestFiles(kept).newest(faults);
  if (!newest && faults.empty()) {
    say(stdout, fmt::format("{}: there is no checkpoint yet; 'resume' begins from the initial states\n",
                            printable(folder.path())));
    return 0;
  }
  const std::uint64_t memory = search_budget(memory_bytes(settings));
  Journal journal(kept, newest ? newest->form.shape.words : 1, memory);  // which refuses when there is none
  for (const std::string& why : journal.rejected()) say(stdout, fmt::format("passed over: {}\n", printable(why)));
  Budget budget(memory - journal.budget_bytes());
  try {
    examine(journal, budget, scratch);
  } catch (const Error& error) {
    if (error.fault() == Fault::integrity && journal.fall_back(error.what())) examine_older(journal, budget, scratch);
    throw;
  }
  say(stdout, fmt::format("{}: {}\n", printable(folder.path()), wholeness(*journal.resumed())));
  return 0;
}

int run_clean(const Settings& settings) {
  need_folder(settings, "clean");
  RunFolder folder = RunFolder::open(settings.subject);
  const std::uint64_t bytes = bytes_in(folder.places());
  folder.remove();
  say(stdout, fmt::format("{}: removed, {}\n", printable(settings.subject), bytes_text(bytes)));
  return 0;
}

}  // namespace spillway
