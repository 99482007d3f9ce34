#include <fmt/format.h>

#include "base/error.h"
#include "base/text/printable.h"
#include "base/text/quantity.h"
#include "check/durable/check_log.h"
#include "check/durable/product_journal.h"
#include "cli/commands.h"
#include "cli/options/memory.h"
#include "cli/session/check_session.h"
#include "cli/session/kept_run.h"
#include "cli/session/output.h"
#include "cli/session/rank_folders.h"
#include "cli/session/ranks.h"
#include "io/data/system_disk.h"
#include "io/texts/system_file_system.h"

namespace spillway {
namespace {

void need_directory(const CommandSettings& settings, std::string_view command) {
  if (settings.subject.empty())
    throw Error(Fault::usage,
                fmt::format("no run directory given; try: spillway {} DIR, or spillway {} --help",
                            command, command));
}

std::string intact_text(const Manifest& checkpoint) {
  return fmt::format("checkpoint {} is intact: {} states in {} levels, {} in the next",
                     checkpoint.generation, with_commas(checkpoint.states()),
                     with_commas(checkpoint.levels.size()), with_commas(checkpoint.level_states));
}

// Prints a sentence if the older checkpoint is intact.
void examine_older(Journal& journal, Budget& budget, Disk& scratch) {
  try {
    examine(journal, budget, scratch);
    say(stdout, fmt::format("the newest checkpoint is damaged, but 'resume' can continue from the "
                            "one before it: {}\n",
                            intact_text(*journal.resumed())));
  } catch (const Error&) {  // only what is wrong with the newest is reported
  }
}

// Throws Error(integrity) unless everything is intact.
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

// Those of products, as far as they have one.
void examine_products(const RunDirectory& directory, Disk& kept, std::uint64_t memory,
                      const JournalSettings& how, Disk& scratch) {
  for (const std::size_t product : products_on(kept)) {
    std::vector<std::string> faults;
    const std::optional<Manifest> newest = newest_of_product(kept, product, how.run, faults);
    ProductJournal of(kept, product, newest ? newest->form.shape.words : 1, memory, how);
    if (!of.journal().resumed() && !of.journal().rejected().empty())
      throw Error(Fault::integrity, of.journal().rejected().front());
    if (!of.journal().resumed()) continue;
    Budget budget(memory - of.journal().budget_bytes());
    if (!of.journal().was_decided()) examine_all(of.journal(), budget, scratch);
    say(stdout, fmt::format("{}: product-{}: {}\n", printable(directory.path()), product,
                            intact_text(*of.journal().resumed())));
  }
}

}  // namespace

int run_resume(const CommandSettings& settings) {
  need_directory(settings, "resume");
  SystemFileSystem files;
  Ranks ranks(settings.commit);
  RunDirectory directory = ranks.open_part(files, settings.subject, memory_bytes(settings));
  CommandSettings together = kept_settings(directory);
  directory.need_places();
  together.subject = directory.model_path(settings.model_file);
  for (const std::string& disk : settings.disks) directory.add_place(disk);
  set_given(together, settings.given);
  together.reading.shown_path = directory.config().model;
  together.command = settings.command;
  together.commit = settings.commit;
  together = ranks.settings_for(together);
  const int code = CheckSession(files, together, &directory, ranks.cluster()).run();
  ranks.end();
  return code;
}

namespace {

// Of a run, or of a part of one.
void examine_directory(const RunDirectory& directory, const CommandSettings& settings) {
  kept_settings(directory);
  directory.need_places();
  directory.check_copy();
  SystemDisk kept(kept_files(directory));
  SystemDisk scratch({settings.disks.empty() ? directory.own_places() : settings.disks});
  std::vector<std::string> faults;
  const std::optional<Manifest> newest = ManifestFiles(kept, directory.mark()).newest(faults);
  const std::uint64_t memory = search_budget(memory_bytes(settings));
  JournalSettings how;
  how.run = directory.mark();
  how.begun = true;
  if (newest) {
    how.rank = newest->rank;
    how.ranks = newest->ranks;
  }
  Journal journal(kept, newest ? newest->form.shape.words : 1, memory, how);
  if (!journal.resumed()) {
    say(stdout,
        fmt::format("{}: there is no checkpoint yet; 'resume' starts from the initial states\n",
                    printable(directory.path())));
    return;
  }
  for (const std::string& why : journal.rejected())
    say(stdout, fmt::format("skipped: {}\n", printable(why)));
  Budget budget(memory - journal.budget_bytes());
  examine_all(journal, budget, scratch);
  say(stdout,
      fmt::format("{}: {}\n", printable(directory.path()), intact_text(*journal.resumed())));
  examine_products(directory, kept, memory, how, scratch);
}

}  // namespace

int run_fsck(const CommandSettings& settings) {
  need_directory(settings, "fsck");
  SystemFileSystem files;
  const RankFolders folders(files, settings.subject);
  if (folders.ranks() == 0) {
    examine_directory(RunDirectory::open(files, settings.subject), settings);
    return 0;
  }
  for (const RunDirectory& part : folders.open_all()) examine_directory(part, settings);
  return 0;
}

int run_clean(const CommandSettings& settings) {
  need_directory(settings, "clean");
  SystemFileSystem files;
  const auto tell = [](const std::string& left) { say(stdout, printable(left) + "\n"); };
  RankFolders folders(files, settings.subject);
  std::uint64_t bytes = 0;
  if (folders.ranks() == 0) {
    RunDirectory directory = RunDirectory::open(files, settings.subject);
    kept_settings(directory);
    bytes = directory.bytes();
    for (const std::string& left : directory.remove()) tell(left);
  } else {
    bytes = folders.remove(tell);
  }
  say(stdout, fmt::format("{}: removed, {}\n", printable(settings.subject), bytes_text(bytes)));
  return 0;
}

}  // namespace spillway
