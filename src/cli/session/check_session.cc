#include "cli/session/check_session.h"

#include <fmt/format.h>

#include <filesystem>
#include <limits>

#include "algorithms/algorithms.h"
#include "base/error.h"
#include "base/hash/sha256.h"
#include "base/process/machine.h"
#include "base/text/printable.h"
#include "base/text/quantity.h"
#include "cli/options/check_identity.h"
#include "cli/options/given_options.h"
#include "cli/options/memory.h"
#include "cli/session/kept_run.h"
#include "cli/session/output.h"
#include "cli/session/rank_folders.h"
#include "cli/session/saved_result.h"
#include "cli/session/scratch.h"
#include "io/data/missing_disk.h"
#include "language/table/table.h"
#include "report/status.h"
#include "report/text.h"
#include "report/version.h"

namespace spillway {
namespace {

bool names_run_directory(const CommandSettings& settings) {
  return settings.run_dir && !settings.run_dir->empty();
}

void refuse(const std::string& why_not) {
  if (!why_not.empty()) throw Error(Fault::usage, why_not);
}

CheckRequest request_of(const CommandSettings& settings) {
  return {.limits = settings.limits,
          .signatures = settings.signatures.bits != 0,
          .durable = names_run_directory(settings)};
}

const Algorithm& algorithm_of(const CommandSettings& settings) {
  const Algorithm& algorithm =
      settings.algorithm != nullptr ? *settings.algorithm : algorithms().front();
  refuse(why_not(request_of(settings), algorithm));
  if (settings.json_file == "-" && settings.events_file == "-")
    throw Error(Fault::usage, "--events: standard output already has the JSON; name a file");
  if (settings.report_file == "-")
    throw Error(Fault::usage, "--report: a page does not go to standard output; name a file");
  return algorithm;
}

// All that is known before the model is opened.
Subject first_subject(const CommandSettings& settings, const RunDirectory* resumed,
                      const Algorithm& algorithm) {
  Subject subject = given_subject(settings);
  if (resumed != nullptr) subject.path = resumed->config().model;
  subject.algorithm = algorithm.name;
  subject.could_be_kept = algorithm.durable && settings.runs.automata.empty();
  return subject;
}

OpeningOptions reading_options(const CommandSettings& settings, const Algorithm& algorithm) {
  OpeningOptions reading = settings.reading;
  // Execution is handed over between levels only.
  if (!algorithm.in_levels && reading.executed == Executed::automatic)
    reading.executed = Executed::optimized;
  reading.compiling.memory_beside = memory_bytes(settings);
  reading.verified = settings.verify;
  return reading;
}

// What the property process that is left out accepts; empty if nothing.
std::string acceptance_name(const Model& system) {
  for (const Unchecked& property : system.unchecked())
    if (property.kind == PropertyKind::acceptance) return property.name;
  return "";
}

// While it lives, the other ranks hear how much memory this one may use, and how much disk it does.
class RankGauge {
 public:
  RankGauge(Cluster& cluster, std::uint64_t memory_limit_bytes, const Budget& room)
      : cluster_(cluster) {
    cluster_.set_gauge([memory_limit_bytes, &room](RankFigures& own) {
      own.memory_limit_bytes = memory_limit_bytes;
      own.disk_bytes = room.used();
    });
  }
  ~RankGauge() { cluster_.set_gauge(nullptr); }
  RankGauge(const RankGauge&) = delete;
  RankGauge& operator=(const RankGauge&) = delete;

 private:
  Cluster& cluster_;
};

CheckResult failed(const Error& error) {
  CheckResult result;
  Evidence evidence;
  evidence.fault = error.fault();
  evidence.fault_sentence = error.what();
  result.verdict = judge(evidence);
  return result;
}

RunDirectoryRequest request_of(const CommandSettings& settings, const RunProperties& runs,
                               const std::string& model_sha256) {
  RunDirectoryRequest request;
  request.path = settings.run_dir;
  request.disks = settings.disks;
  request.model = settings.subject;
  request.model_sha256 = model_sha256;
  request.version = kVersion;
  request.arguments = recorded_arguments(settings, runs);
  if (runs.has_automata()) request.path = "";
  return request;
}

}  // namespace

CheckSession::CheckSession(FileSystem& files, const CommandSettings& settings,
                           const RunDirectory* resumed, Cluster& cluster)
    : files_(files),
      settings_(settings),
      resumed_(resumed),
      cluster_(cluster),
      algorithm_(algorithm_of(settings)),
      for_system_(&algorithm_),
      subject_(first_subject(settings, resumed, algorithm_)),
      watch_(settings, report_, subject_) {}

int CheckSession::run() {
  CheckResult result;
  try {
    open_model_file();
    loaded_.model->runtime().prepare();
    const std::uint64_t budget = budget_bytes();
    check_can_write(settings_.json_file);
    check_can_write(settings_.report_file);
    events_.open();
    start_dashboard();
    if (subject_.memory_bytes > memory_limit_bytes())
      say_sentence(fmt::format(
          "--memory: {} MiB is more than the {} MiB of this machine; the kernel may kill the "
          "process",
          with_commas(subject_.memory_bytes >> 20), with_commas(memory_limit_bytes() >> 20)));
    expect_same_on_all_ranks();
    choose_run_directory();
    open_text();
    if (!settings_.quiet && chosen_->is_unrequested()) say_where_it_is_kept();
    result = search(budget);
    say_how_executed();
  } catch (const Stopped&) {
    result = unanswered(nullptr, requested_stop().value_or(Stop::time));
  } catch (const DiagnosedError& error) {
    subject_.sha256 = sha256_of(settings_.subject);
    subject_.diagnostics = error.diagnostics();
    say_errors(error);
    result = failed(error);
  } catch (const Error& error) {
    if (error.fault() != Fault::model) throw;
    subject_.sha256 = sha256_of(settings_.subject);
    result = failed(error);
  }
  watch_.watch().enter(Watch::Stage::ended, nullptr);
  const int code = report(result);
  const bool wanted_to_stop =
      result.verdict.exit == Exit::interrupted || result.verdict.exit == Exit::terminated;
  if (dashboard_ && !wanted_to_stop) dashboard_->wait_for_viewers();
  return code;
}

// Of several ranks, the first one has it.
void CheckSession::start_dashboard() {
  if (!settings_.dashboard.wanted || cluster_.rank() != 0) return;
  dashboard_.emplace(Dashboard::Sources{watch_.watch(), watch_.gauges(), history_}, subject_,
                     model_text(settings_.subject, subject_.sha256), settings_.dashboard.port);
  say_sentence(fmt::format("the check can be watched at {}", dashboard_->address()));
}

void CheckSession::open_model_file() {
  OpeningOptions reading = reading_options(settings_, algorithm_);
  const auto announce = [this](const std::string& sentence) {
    watch_.progress().announce("spillway: " + sentence);
  };
  if (settings_.verbose) reading.compiling.tell = announce;
  if (!settings_.quiet) {
    reading.compiling.warn = announce;
    reading.compiling.slow = [this](const std::string& not_kept) { say_compiling(not_kept); };
  }
  read_run_properties(reading);
  loaded_ = open_model(settings_.subject, reading);
  subject_.sha256 = loaded_.sha256;
  subject_.model = loaded_.model.get();
  subject_.symmetry = loaded_.symmetry;
  subject_.diagnostics = loaded_.warnings;
  for (const Diagnostic& warning : loaded_.warnings) say(stderr, warning.text());
  if (!loaded_.symmetry_given_up.empty() && !settings_.quiet)
    say_sentence(loaded_.symmetry_given_up);
  add_run_properties();
  if (algorithm_.is_for_cycles && !loaded_.model->has_acceptance())
    for_system_ = &algorithms().front();
  subject_.deadlock = settings_.deadlock.value_or(loaded_.model->deadlock());
  if (settings_.reading.product && settings_.deadlock.value_or(Deadlock::off) != Deadlock::off)
    throw Error(Fault::usage,
                "--product: a product can end because only its property process is stuck; check "
                "for deadlocks without --product");
  if (settings_.fail_on_dead_rules && !loaded_.model->description().coverage({}))
    throw Error(Fault::usage,
                fmt::format("--fail-on-dead-rules: only the rules of models in {} are counted",
                            languages_with(&Language::Has::counted_rules)));
  CheckRequest request = request_of(settings_);
  request.model = subject_.model;
  request.ignored = settings_.ignored;
  request.ctl = runs_->ctl();
  refuse(why_not(request, *for_system_));
  if (settings_.minimal && !algorithm_.minimal)
    throw Error(Fault::usage,
                fmt::format("--minimal: --algorithm={} does not find shortest runs; use {}",
                            algorithm_.name, minimal_algorithms()));
  watch_.know_model();
}

void CheckSession::read_run_properties(OpeningOptions& reading) {
  runs_.emplace(settings_.runs);
  if (runs_->empty()) return;
  if (settings_.reading.product)
    throw Error(Fault::usage,
                "--product: formulas and automata are about the system without its property "
                "process; leave out --product");
  if (runs_->has_automata() && names_run_directory(settings_))
    throw Error(Fault::usage, "--run-dir: a run cannot keep automata; use --ltl");
  reading.propositions = runs_->propositions();
  reading.distinguishes_rules = !settings_.runs.fair.empty();
}

void CheckSession::add_run_properties() {
  const bool with_process = has_property_process(*loaded_.model) && !settings_.ignored.acceptance;
  if (with_process) subject_.run_semantics = "a property process accepts no run that ends";
  if (runs_->empty()) return;
  fair_ = runs_->fair_actors(loaded_.model->description());
  refuse_fairness_of_model();
  subject_.run_semantics =
      with_process ? fmt::format("for formulas, {}; {}", runs_->semantics(), subject_.run_semantics)
                   : runs_->semantics();
  std::vector<LetterInvariant> invariants;
  if (std::optional<LetterInvariant> invariant = runs_->invariant(*loaded_.model))
    invariants.push_back(*std::move(invariant));
  products_wanted_ = invariants.empty() ? runs_->size() : 0;
  subject_.formulas = products_wanted_ + runs_->ctl().size();
  // It also finds states in which a proposition cannot be evaluated.
  invariants_ = std::make_unique<InvariantsModel>(*loaded_.model, std::move(invariants));
  subject_.model = invariants_.get();
}

// What the model accepts by itself is looked for in all runs.
void CheckSession::refuse_fairness_of_model() const {
  if (fair_.empty() || settings_.ignored.acceptance) return;
  const std::string of_process = acceptance_name(*loaded_.model);
  const std::string name = loaded_.model->acceptance().property().value_or(of_process);
  if (!name.empty())
    throw Error(Fault::usage,
                fmt::format("--fair: fairness is for formulas and automata, and not for \"{}\" of "
                            "the model; leave that out with --ignore=acceptance",
                            printable(name)));
}

const Model& CheckSession::make_product(std::size_t property) {
  products_.push_back(runs_->product(property, *loaded_.model, fair_));
  return *products_.back();
}

void CheckSession::open_text() {
  if (!opened_ && !settings_.quiet) say(report_.text_stream(), opening_text(subject_));
  opened_ = true;
}

// A user who waits wants to know for what, and whether for the last time.
void CheckSession::say_compiling(const std::string& not_kept) {
  open_text();
  const std::string path = printable(subject_.path);
  watch_.progress().announce(
      not_kept.empty() ? fmt::format("spillway: compiling {} (first time) ...", path)
                       : fmt::format("spillway: compiling {} (not kept for the next time: {}) ...",
                                     path, printable(not_kept)));
}

void CheckSession::say_how_executed() const {
  if (settings_.quiet || (!settings_.verbose && !settings_.verify)) return;
  const std::vector<ExecutedLevels> all = loaded_.model->runtime().executions();
  if (all.empty()) return;
  std::string text;
  for (const ExecutedLevels& execution : all)
    text += text.empty() ? fmt::format("{}", execution.by)
                         : fmt::format(", from level {} on {}", with_commas(execution.first_level),
                                       execution.by);
  say_sentence("executed by: " + text);
}

const Model& CheckSession::open_product() {
  OpeningOptions reading = reading_options(settings_, algorithm_);
  reading.product = true;
  product_ = open_model(settings_.subject, reading);
  product_.model->runtime().prepare();
  return *product_.model;
}

std::uint64_t CheckSession::budget_bytes() const {
  std::uint64_t least = 0;
  if (for_system_->least_bytes != nullptr) {
    const bool no_directory = settings_.run_dir && settings_.run_dir->empty();
    const bool journal = resumed_ != nullptr || !no_directory;
    least = for_system_->least_bytes(subject_.model->words(), journal);
  }
  const std::uint64_t to_come = subject_.model->runtime().bytes_to_come();
  const bool for_cycles = products_wanted_ != 0 || has_property_process(*subject_.model) ||
                          subject_.model->has_acceptance();
  return search_budget(subject_.memory_bytes, subject_.threads, least, to_come,
                       for_cycles ? kOfCycleSearch : 0);
}

void CheckSession::choose_run_directory() {
  if (resumed_ != nullptr) {
    chosen_.emplace(*resumed_, say_sentence);
    resumed_->take_up();
  } else {
    RunDirectoryRequest request = request_of(settings_, *runs_, loaded_.sha256);
    RankFolders::begin(files_, request, cluster_);
    chosen_.emplace(files_, request, algorithm_, say_sentence);
  }
  watch_.know(*chosen_);
}

// Before anything is searched: two ranks with different models would send each other states that
// mean something else.
void CheckSession::expect_same_on_all_ranks() const {
  const bool keeps = resumed_ != nullptr || names_run_directory(settings_);
  cluster_.expect_same(fmt::format("{} {}\n{}\n{}\n{}\n{}", kVersion, settings_.commit,
                                   check_identity(settings_, loaded_.sha256, *runs_),
                                   ranks_text(settings_), row_meaning(*subject_.model).layout,
                                   keeps ? "with a run directory" : ""));
}

std::vector<std::string> CheckSession::scratch_directories() const {
  if (settings_.disks.empty() && directory() != nullptr) return {directory()->own_places().back()};
  return settings_.disks;
}

JournalSettings CheckSession::journal_settings() const {
  JournalSettings journal;
  journal.run = directory()->mark();
  journal.rows = row_meaning(*subject_.model);
  journal.begun = true;
  if (settings_.checkpoint_seconds) {
    journal.least_seconds = *settings_.checkpoint_seconds;
    journal.share = 1;
  }
  journal.complete = !chosen_->is_unrequested();
  journal.rank = cluster_.rank();
  journal.ranks = cluster_.ranks();
  return journal;
}

CheckOptions CheckSession::options_for(std::uint64_t budget_bytes) {
  CheckOptions options;
  options.session.limits = settings_.limits;
  // The watch knows the time.
  options.session.limits.timeout_seconds = std::numeric_limits<double>::infinity();
  options.watch = &watch_.watch();
  options.session.deadlock = subject_.deadlock;
  options.session.threads = subject_.threads;
  options.session.cluster = &cluster_;
  options.memory_bytes = budget_bytes;
  options.verify = settings_.verify;
  options.signatures = settings_.signatures;
  options.hash_on_disk = settings_.hash_on_disk;
  options.short_rows = settings_.short_rows;
  options.minimal = settings_.minimal;
  options.ignored = settings_.ignored;
  options.ctl = runs_->ctl();
  for (std::size_t i = 0; i < products_wanted_; ++i)
    options.runs.push_back({runs_->name(i), PropertyKind::ltl,
                            [this, i]() -> const Model& { return make_product(i); },
                            runs_->is_tight(i)});
  if (has_property_process(*subject_.model))
    options.runs.push_back({acceptance_name(*loaded_.model), PropertyKind::acceptance,
                            [this]() -> const Model& { return open_product(); }});
  // Within a level, the monitor looks.
  options.session.observe_seconds = std::numeric_limits<double>::infinity();
  options.session.observer = [this](const Progress& now) {
    watch_.gauges().sample(now);
    if (settings_.quiet && !events_.wanted() && settings_.report_file.empty() && !dashboard_)
      return;
    const ProgressFigures figures = watch_.gauges().figures(now);
    history_.note(figures);
    if (now.level_done) events_.level(figures);
    if (!settings_.quiet) watch_.progress().show(figures);
  };
  options.session.announcer = [this](const std::string& sentence) {
    events_.message(sentence);
    if (!settings_.quiet) watch_.progress().announce(sentence);
  };
  return options;
}

CheckMonitor::Duties CheckSession::monitor_duties(const Budget& disk_room) {
  CheckMonitor::Duties duties;
  if (!settings_.quiet) duties.line = &watch_.progress();
  duties.history = &history_;
  duties.directory = directory();
  duties.disk_room = &disk_room;
  if (for_system_->uses_disk || algorithm_.uses_disk) duties.places = scratch_directories();
  if (directory() != nullptr)
    for (const std::string& place : directory()->own_places()) duties.places.push_back(place);
  duties.could_be_kept = directory() == nullptr && algorithm_.durable && !settings_.run_dir;
  return duties;
}

CheckResult CheckSession::search(std::uint64_t budget_bytes) {
  Budget room(settings_.disk_limit_bytes.value_or(kUnlimited));
  std::optional<Scratch> scratch;
  std::optional<SystemDisk> kept;
  std::optional<Journal> journal;
  CheckOptions options = options_for(budget_bytes);
  MissingDisk none("internal error: a search in memory asked for a disk", Fault::internal);
  options.disk = &none;
  if (for_system_->may_use_disk() || algorithm_.may_use_disk()) {
    const auto say_unless_quiet = [this](const std::string& sentence) {
      if (!settings_.quiet) say_sentence(sentence);
    };
    options.disk = &scratch.emplace(scratch_directories(), &room, say_unless_quiet).disk();
  }
  if (directory() != nullptr) {
    const std::vector<std::string> places = directory()->own_places();
    kept.emplace(SystemDisk::Options{places, SystemDisk::Keep::yes, EngineKind::best,
                                     places.size() - 1, &room, directory()->places_of_original()});
    options.journal =
        &journal.emplace(*kept, subject_.model->words(), budget_bytes, journal_settings());
    watch_.watch().keeps_something(true);
    if (const Manifest* const from = journal->resumed())
      watch_.gauges().know_levels(from->levels, from->level_states);
    events_.follow(*options.journal);
    if (resumed_ != nullptr && !journal->resumed() && !settings_.quiet)
      watch_.progress().announce(
          "the run has no checkpoint yet: starting again from the initial states");
  }
  events_.start(subject_, journal && journal->resumed() ? journal->resumed()->levels.size() : 0);
  const RankGauge gauge(cluster_, subject_.memory_bytes, room);
  watch_.gauges().know_ranks(cluster_);
  std::optional<CheckMonitor> monitor;
  if (!settings_.quiet || events_.wanted() || !settings_.report_file.empty() || dashboard_ ||
      directory() != nullptr)
    monitor.emplace(watch_.watch(), watch_.gauges(), monitor_duties(room));
  if (for_system_ != &algorithm_) options.run_algorithm = &algorithm_;
  CheckResult result = check(*subject_.model, *for_system_, options);
  monitor.reset();
  events_.unfollow(result.statistics.levels.size());
  watch_.progress().clear();
  return result;
}

int CheckSession::report(CheckResult& result) {
  const bool stays = chosen_ && chosen_->stays(result.verdict);
  if (stays) {
    subject_.run_directory = RankFolders::run_of(directory()->path(), cluster_);
    subject_.ranks = cluster_.ranks();
    if (directory()->config().native()) subject_.native_model = settings_.subject;
  }
  report_.tell(subject_, result);
  if (dashboard_)
    dashboard_->show_end(result, report_.document(subject_, result, CheckReport::Use::page));
  if (settings_.quiet && stays && chosen_->is_unrequested()) say_where_it_is_kept();
  if (stays)
    chosen_->end(result.verdict,
                 report_.document(subject_, result, CheckReport::Use::run_directory));
  return report_.exit_code(result);
}

// Of a run directory that nobody asked for.
void CheckSession::say_where_it_is_kept() const {
  const bool native = directory()->config().native();
  const std::string command = resume_command(directory()->path(), native ? settings_.subject : "");
  say_sentence(fmt::format("the run is kept in {} until it is done; resume it with: {}",
                           printable(directory()->path()), printable(command)));
}

}  // namespace spillway
