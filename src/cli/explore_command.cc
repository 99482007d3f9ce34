#include <fmt/format.h>

#include <filesystem>

#include "base/error.h"
#include "base/process/machine.h"
#include "base/text/printable.h"
#include "base/text/quantity.h"
#include "base/text/read_file.h"
#include "check/session/signals.h"
#include "check/trace/find_state.h"
#include "cli/commands.h"
#include "cli/explorer.h"
#include "cli/options/memory.h"
#include "cli/session/kept_run.h"
#include "cli/session/output.h"
#include "io/texts/system_file_system.h"
#include "report/trace/trace_text.h"
#include "report/words/words.h"
#include "serve/http_server.h"

namespace spillway {
namespace {

constexpr double kLongSeconds = 3600;

// What is explored: a model, or the model of a run, with the settings that the run had.
struct Explored {
  CommandSettings settings;
  std::optional<RunDirectory> directory;
  std::string name;                   // for messages
  std::optional<std::string> result;  // with traces
};

Explored explored_by(const CommandSettings& given, SystemFileSystem& files) {
  std::error_code none;
  if (!std::filesystem::is_directory(given.subject, none)) {
    Explored explored{given, {}, given.subject, {}};
    if (!given.explore.result_file.empty()) explored.result = read_file(given.explore.result_file);
    return explored;
  }
  // A state is looked for while nobody else changes the files.
  Explored explored{{},
                    given.explore.where.empty() ? RunDirectory::look(files, given.subject)
                                                : RunDirectory::open(files, given.subject),
                    given.subject,
                    {}};
  const RunDirectory& directory = *explored.directory;
  explored.settings = kept_settings(directory);
  explored.settings.subject = directory.model_path(given.model_file);
  explored.settings.reading.shown_path = directory.config().model;
  explored.settings.explore = given.explore;
  explored.settings.threads = given.threads;
  explored.settings.memory_bytes = given.memory_bytes;
  explored.result = directory.result();
  if (!explored.result) explored.result = directory.earlier_result();
  if (!given.explore.result_file.empty()) explored.result = read_file(given.explore.result_file);
  return explored;
}

// Finds the state that --where describes, and a way to it.
class StateFinder {
 public:
  StateFinder(const Explored& explored) : explored_(explored), settings_(explored.settings) {
    if (!explored.directory)
      throw Error(Fault::usage,
                  "--where: the states are those of a run; name its directory (spillway check "
                  "--run-dir DIR keeps one)");
    explored.directory->need_places();
  }

  // Prints it, and returns the steps; none if there is no such state.
  std::vector<Step> find() {
    loaded_ = opened({});
    PropositionText where{settings_.explore.where, "--where"};
    const LoadedModel asked = opened({where});
    const RowMeaning rows = row_meaning(*loaded_.model);
    if (row_meaning(*asked.model) != rows)
      throw Error(Fault::internal, "the expression changes how states are represented");
    if (loaded_.symmetry != "off" && !asked.asymmetries.empty())
      say_sentence(
          "--where: this run has one state for each class of symmetric states, and the expression "
          "tells them apart; it is asked of those that the run has");
    SystemDisk kept(kept_files(*explored_.directory));
    JournalSettings how;
    how.run = explored_.directory->mark();
    how.begun = true;
    how.rows = rows;
    Journal journal(kept, loaded_.model->words(), search_budget(memory_bytes(settings_)), how);
    if (journal.has_other_rows())
      throw Error(Fault::usage,
                  fmt::format("{}: this version represents states in another way than the one that "
                              "made the run",
                              printable(explored_.name)));
    if (!journal.resumed())
      throw Error(Fault::usage,
                  fmt::format("{}: this run ended before it had saved any states. Without --where, "
                              "its counterexamples can be explored",
                              printable(explored_.name)));
    complete_ = journal.resumed()->level_states == 0;
    Crew crew(settings_.threads != 0 ? settings_.threads : allowed_processors());
    const StateSearch search = find_state(journal, crew, *asked.model);
    tell(search);
    if (!search.found) return {};
    const PackedSteps steps = shortest_way(journal, crew, *loaded_.model, *search.found);
    say(stdout, steps_text(loaded_.model->concrete().description(), steps, TraceStyle::last));
    return steps.all();
  }

  // What it means that there is none.
  Exit none() const { return complete_ ? Exit::cover : Exit::bound; }

 private:
  LoadedModel opened(std::vector<PropositionText> propositions) const {
    OpeningOptions reading = settings_.reading;
    reading.executed = Executed::optimized;  // it is asked of many states
    reading.propositions = std::move(propositions);
    LoadedModel loaded = open_model(settings_.subject, reading);
    loaded.model->runtime().prepare();
    return loaded;
  }

  void tell(const StateSearch& search) const {
    const std::string unknown = search.unknown == 0 ? ""
                                                    : fmt::format("; in {} it cannot be evaluated",
                                                                  plural(search.unknown, "state"));
    if (search.found)
      return say(stdout, fmt::format("{} in level {}, the first that has any{}. A shortest way to "
                                     "the smallest of them:\n",
                                     plural(search.found->of_level, "such state"),
                                     with_commas(search.found->level), unknown));
    say(stdout, fmt::format("None of the {}{} is such a state{}.\n", plural(search.read, "state"),
                            complete_ ? "" : " so far", unknown));
  }

  const Explored& explored_;
  const CommandSettings& settings_;
  LoadedModel loaded_;
  bool complete_ = false;
};

void add_traces(Explorer& explorer, const Explored& explored) {
  if (!explored.result) return;
  for (const SavedTrace& trace : read_traces(*explored.result, explored.name))
    if (trace.omitted != 0)
      say_sentence(
          fmt::format("{}: {} of the counterexample of '{}', so it cannot be followed; "
                      "check with --json FILE, and explore with --result FILE",
                      printable(explored.name), omission_text(trace), printable(trace.property)));
    else if (!explorer.add_trace(trace))
      say_sentence(
          fmt::format("{}: the model has no such steps as the counterexample of '{}' "
                      "has, so it is left out",
                      printable(explored.name), printable(trace.property)));
}

int serve(const Explored& explored, std::vector<Step> found) {
  const CommandSettings& settings = explored.settings;
  OpeningOptions reading = settings.reading;
  reading.symmetry = SymmetryMode::off;      // states stand for themselves
  reading.executed = Executed::interpreted;  // a person is never faster
  LoadedModel loaded = open_model(settings.subject, reading);
  loaded.model->runtime().prepare();
  Explorer explorer(*loaded.model, settings.deadlock.value_or(loaded.model->deadlock()));
  if (!found.empty())
    explorer.add_trace(fmt::format("A shortest way to a state with {}", settings.explore.where),
                       std::move(found));
  add_traces(explorer, explored);
  const Signals signals;
  const HttpServer server(Site(explorer.routes()), settings.explore.port);
  say(stdout, fmt::format("{}: {}\nCtrl-C ends it.\n", printable(explored.name), server.address()));
  std::fflush(stdout);
  while (!stop_request::made()) Signals::wait(kLongSeconds);
  stop_request::spread();  // to what a page still waits for
  return 0;
}

}  // namespace

int run_explore(const CommandSettings& settings) {
  if (settings.subject.empty())
    throw Error(Fault::usage,
                "no model or run given; try: spillway explore MODEL, or spillway explore --help");
  SystemFileSystem files;
  const Explored explored = explored_by(settings, files);
  std::vector<Step> found;
  if (!settings.explore.where.empty()) {
    StateFinder finder(explored);
    found = finder.find();
    if (found.empty()) return static_cast<int>(finder.none());
  }
  return settings.explore.text_only ? 0 : serve(explored, std::move(found));
}

}  // namespace spillway
