#include <fmt/format.h>

#include <functional>

#include "base/error.h"
#include "base/printable.h"
#include "base/quantity.h"
#include "check/examine.h"
#include "cli/commands.h"
#include "io/system_disk.h"
#include "report/status.h"

namespace spillway {
namespace {

void need_folder(const Settings& settings, std::string_view command) {
  if (settings.subject.empty())
    throw Error(Fault::usage,
                fmt::format("no run directory given; try: spillway {} DIR, or spillway {} --help",
                            command, command));
}

// As the run began.  Throws Error(integrity) when the configuration has something that no run
// writes.
Settings kept_settings(const RunFolder& folder) {
  const std::string file = folder.path() + "/config";
  Settings settings;
  set_kept(settings, folder.config().arguments, file);
  if (settings.algorithm != nullptr && !settings.algorithm->durable)
    throw Error(Fault::integrity, fmt::format("{}: --algorithm={} does not support checkpoints",
                                              file, settings.algorithm->name));
  return settings;
}

SystemDisk::Options kept_files(const RunFolder& folder) {
  SystemDisk::Options options{folder.own_places(), SystemDisk::Keep::yes, EngineKind::best, 0};
  options.only_read = folder.places_of_original();
  return options;
}

// Why the result of a process is not told goes to `faults`.
std::optional<std::string> told(const std::function<std::optional<std::string>()>& result,
                                std::vector<std::string>& faults) {
  try {
    return result();
  } catch (const Error& error) {
    faults.emplace_back(error.what());
    return std::nullopt;
  }
}

std::string wholeness(const Manifest& checkpoint) {
  return fmt::format("checkpoint {} is intact: {} states in {} levels, {} in the next",
                     checkpoint.generation, with_commas(checkpoint.states()),
                     with_commas(checkpoint.levels.size()), with_commas(checkpoint.level_states));
}

// Says so if that one is whole.
void examine_older(Journal& journal, Budget& budget, Disk& scratch) {
  try {
    examine(journal, budget, scratch);
    say(stdout, fmt::format("the newest checkpoint is damaged, but 'resume' can continue from the "
                            "one before it: {}\n",
                            wholeness(*journal.resumed())));
  } catch (const Error&) {  // what is wrong with the newest is told
  }
}

// Throws Error(integrity) unless all is as it was left.
void examine_all(Journal& journal, Budget& budget, Disk& scratch) {
  const std::vector<std::string> rejected = journal.rejected();
  if (!rejected.empty()) {
    examine_older(journal, budget, scratch);
    throw Error(Fault::integrity, rejected.front());
  }
  try {
    examine(journal, budget, scratch);
  } catch (const Error& error) {
    if (error.fault() == Fault::integrity && journal.fall_back(error.what()))
      examine_older(journal, budget, scratch);
    throw;
  }
  if (!journal.doubt().empty()) throw Error(Fault::integrity, journal.doubt());
}

}  // namespace

int run_resume(const Settings& settings) {
  need_folder(settings, "resume");
  RunFolder folder = RunFolder::open(settings.subject);
  Settings together = kept_settings(folder);
  folder.need_places();
  together.subject = folder.model_path(settings.model_file);
  for (const std::string& directory : settings.disks) folder.add_place(directory);
  set_given(together, settings.given);
  together.reading.shown_path = folder.config().model;
  return check_in(folder, together);
}

int run_status(const Settings& settings) {
  need_folder(settings, "status");
  const RunFolder folder = RunFolder::look(settings.subject);
  kept_settings(folder);
  RunStatus status;
  status.directory = folder.path();
  status.model = folder.config().model;
  status.begun = folder.config().begun;
  if (const auto user = folder.user()) status.user = printable(*user);
  status.bytes = folder.bytes();
  status.native = folder.config().native();
  SystemDisk disk(kept_files(folder));
  status.faults = folder.place_faults();
  const NewestCheckpoint newest(disk, folder.mark().identity, true);
  if (!newest.fault().empty()) status.faults.push_back(newest.fault());
  const ManifestFiles files(disk, folder.mark());
  const auto missing = files.missing(newest.generation());
  // a process may just have made one
  if (missing && !status.user) status.faults.push_back(*missing);
  status.checkpoint = files.newest(status.faults);
  if (!status.user) status.result = told([&] { return folder.result(); }, status.faults);
  status.earlier_result = told([&] { return folder.earlier_result(); }, status.faults);
  if (settings.json_file.empty())
    say(stdout, status_text(status));
  else
    write_file(settings.json_file, status_json(status));
  return 0;
}

int run_fsck(const Settings& settings) {
  need_folder(settings, "fsck");
  const RunFolder folder = RunFolder::open(settings.subject);
  kept_settings(folder);
  folder.need_places();
  folder.check_copy();
  SystemDisk kept(kept_files(folder));
  SystemDisk scratch({settings.disks.empty() ? folder.own_places() : settings.disks});
  std::vector<std::string> faults;
  const std::optional<Manifest> newest = ManifestFiles(kept, folder.mark()).newest(faults);
  const std::uint64_t memory = search_budget(memory_bytes(settings));
  JournalSettings how;
  how.run = folder.mark();
  how.begun = true;
  Journal journal(kept, newest ? newest->form.shape.words : 1, memory, how);
  if (!journal.resumed()) {
    say(stdout,
        fmt::format("{}: there is no checkpoint yet; 'resume' starts from the initial states\n",
                    printable(folder.path())));
    return 0;
  }
  for (const std::string& why : journal.rejected())
    say(stdout, fmt::format("skipped: {}\n", printable(why)));
  Budget budget(memory - journal.budget_bytes());
  examine_all(journal, budget, scratch);
  say(stdout, fmt::format("{}: {}\n", printable(folder.path()), wholeness(*journal.resumed())));
  return 0;
}

int run_clean(const Settings& settings) {
  need_folder(settings, "clean");
  RunFolder folder = RunFolder::open(settings.subject);
  kept_settings(folder);
  const std::uint64_t bytes = folder.bytes();
  for (const std::string& left : folder.remove()) say(stdout, printable(left) + "\n");
  say(stdout, fmt::format("{}: removed, {}\n", printable(settings.subject), bytes_text(bytes)));
  return 0;
}

}  // namespace spillway
