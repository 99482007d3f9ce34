// The table of options.  Help, shell completion and the tests of the manual are made from it.
//
// To add one, add its line to a group and its name to the lists of the commands that have it.  Words
// in braces stand for the languages that have something (Option::explanation()).
#include <array>
#include <vector>

#include "base/text/quantity.h"
#include "cli/options/option_columns.h"
#include "cli/options/option_values.h"
#include "cli/options/options.h"
#include "language/table/table.h"

namespace spillway {
namespace {

using namespace option_columns;

// Limits ------------------------------------------------------------------------------------------

constexpr Option kThreads =
    limit("--threads", "N", "all processors", "number of threads; results do not depend on it",
          set_threads, 'j', kKept, kNobody);
constexpr Option kMemory = limit(
    "--memory", "SIZE", "70% of the machine's or container's memory",
    "memory that the process may use, such as 512M or 24G",
    [](auto& s, auto text) { s.memory_bytes = parse_bytes(text); }, kKept, kNobody);
constexpr Option kTimeout = limit(
    "--timeout", "TIME", "no limit", "stop after this time, such as 90s, 15m or 2h",
    [](auto& s, auto text) { s.limits.timeout_seconds = parse_seconds(text); }, kAnew, kNobody);
constexpr Option kMaxDepth = limit(
    "--max-depth", "N", "no limit",
    "do not visit states that need more than N steps from an initial state",
    [](auto& s, auto text) { s.limits.max_depth = parse_count(text); }, kKept, kRanks);
constexpr Option kMaxStates = limit(
    "--max-states", "N", "no limit",
    "stop before the level that would bring the number of states above N",
    [](auto& s, auto text) { s.limits.max_states = parse_count(text); }, kKept, kRanks);
constexpr Option kMaxErrors = limit("--max-errors", "N", "1",
                                    "go on until N properties are violated, and report a shortest "
                                    "counterexample of each; all: until every state is visited",
                                    set_max_errors, kCheck);
constexpr Option kDiskLimit = limit(
    "--disk-limit", "SIZE", "no limit",
    "disk space that all files of the search together may take, such as 200G",
    [](auto& s, auto text) { s.disk_limit_bytes = parse_bytes(text); }, kKept, kNobody);

// Model and properties ----------------------------------------------------------------------------

constexpr Option kConst = model("--const", "NAME=VALUE", "the values in the model",
                                "set a constant of the model; may be repeated", set_constant, kAdds,
                                kChangesMeaning, kCheck);
constexpr Option kDeadlock =
    model("--deadlock", "MODE", "auto",
          "what counts as a deadlock: stuck (no successor), stuttering (no successor other than "
          "the state itself), off, or auto (the convention of the model's language)",
          set_deadlock, deadlock_names, kChangesMeaning, kCheck);
constexpr Option kLtl = model(
    "--ltl", "FORMULA", "no formula",
    "check that every run satisfies this formula of linear temporal logic, such as 'G (request -> "
    "F granted)', or 'NAME: FORMULA'; propositions are conditions in the language of the model; "
    "may be repeated",
    [](auto& s, auto text) { s.runs.formulas.emplace_back(text); }, kAdds, kCheck);
constexpr Option kLtlFile = model(
    "--ltl-file", "FILE", "no file",
    "the same with every formula in FILE, one 'NAME: FORMULA' a line; may be repeated",
    [](auto& s, auto text) { s.runs.formula_files.emplace_back(text); }, kAdds, kAnew, kCheck);
constexpr Option kCtl = model(
    "--ctl", "FORMULA", "no formula",
    "check that this formula of branching time holds in the initial states, such as 'AG (request "
    "-> EF granted)', or 'NAME: FORMULA'; may be repeated",
    [](auto& s, auto text) { s.runs.ctl.emplace_back(text); }, kAdds, kCheck);
constexpr Option kProp = model("--prop", "NAME=EXPRESSION", "propositions are written out",
                               "what NAME stands for in formulas and automata; may be repeated",
                               set_proposition, kAdds, kCheck);
constexpr Option kAutomaton = model(
    "--automaton", "FILE", "no automaton",
    "check that no run is accepted by this automaton in the Hanoi Omega-Automata format; may be "
    "repeated",
    [](auto& s, auto text) { s.runs.automata.emplace_back(text); }, kAdds, kAnew, kCheck);
constexpr Option kLtlEnds =
    model("--ltl-ends", "MODE", "stutter",
          "what formulas say about a run that ends in a state without successors: stutter (it "
          "repeats that state for ever), or ignore (nothing)",
          set_run_ends, run_end_names, kChangesMeaning, kCheck);
constexpr Option kFair = model(
    "--fair", "PATTERN", "all runs count",
    "leave out runs that are unfair to a rule whose name matches, such as 'Send*': it could act "
    "for ever and never does; processes: to a process of {processes}; may be repeated",
    [](auto& s, auto text) { s.runs.fair.emplace_back(text); }, kAdds, kChangesMeaning, kCheck);
constexpr Option kMinimal = model(
    "--minimal", "", "one whose loop is met first",
    "of runs that violate a formula, an automaton or a property process, report one with the "
    "fewest steps, up to the loop and around it",
    [](auto& s, auto) { s.minimal = s.runs.minimal = true; }, kCheck);
constexpr Option kIgnore =
    model("--ignore", "KIND", "a property that is not decided prevents VERIFIED",
          "do not check properties of the model of this kind: acceptance (its property process and "
          "accepting states), or liveness (properties that must be reachable from everywhere); may "
          "be repeated",
          set_ignored, ignored_names, kAdds, kChangesMeaning, kCheck);
constexpr Option kSymmetry = model("--symmetry", "MODE", "auto",
                                   "how to use scalarsets: exhaustive (one state represents each "
                                   "class of symmetric states), heuristic (sometimes several do), "
                                   "off, or auto (exhaustive, if the scalarsets are small enough)",
                                   set_symmetry, symmetry_names, kCheck);
// In lists, this stands for the options of all languages.
constexpr Option kOfLanguages{};
constexpr Option kProduct = model(
    "--product", "", "the system, and then the product",
    "explore only the product of a system in {property_process} and its property process; "
    "deadlocks are not "
    "checked",
    [](auto& s, auto) { s.reading.product = true; }, kChangesMeaning, kCheck);
constexpr Option kInterpret = model(
    "--interpret", "", "compile it",
    "interpret a model in {programs} instead of compiling it: slow, but needs no C compiler",
    [](auto& s, auto) { s.reading.executed = Executed::interpreted; }, kNobody);

// Long runs ---------------------------------------------------------------------------------------

constexpr Option kRunDir =
    long_run("--run-dir", "DIR",
             "with --disk, a new directory there, which is removed when the search is done; "
             "otherwise nothing is kept",
             "keep checkpoints in this new directory, so that 'spillway resume DIR' can continue "
             "from the last one; none: keep nothing",
             set_run_directory, kAnew, kNobody);
constexpr Option kCheckpointEvery = long_run(
    "--checkpoint", "TIME", "5s, or longer if checkpoints would take more than 1% of the time",
    "the least time between two checkpoints of a run that is kept, such as 30s; 0: one after every "
    "level",
    [](auto& s, auto text) { s.checkpoint_seconds = parse_seconds(text); }, kKept, kNobody);
constexpr Option kDisk = long_run(
    "--disk", "DIR", "the run directory, TMPDIR, /var/tmp, or /tmp",
    "where to put states that do not fit in memory; may be repeated, for several devices",
    [](auto& s, auto text) { s.disks.emplace_back(text); }, kAdds, kKept, kNobody);
constexpr Option kModel = long_run(
    "--model", "FILE", "the copy in the run directory",
    "the model of the run, if it is native code ({native_code}), which is never loaded from a path "
    "in a run "
    "directory",
    [](auto& s, auto text) { s.model_file = text; }, kAnew);

// Output ------------------------------------------------------------------------------------------

constexpr Option kJson = output(
    "--json", "FILE", "no JSON", "write the result as JSON to FILE; - is standard output",
    [](auto& s, auto text) { s.json_file = text; }, 'o', kAnew, kNobody);
constexpr Option kEvents = output(
    "--events", "FILE", "no events",
    "write what happens to FILE at once, one JSON object a line: levels, checkpoints, findings and "
    "the end; - is standard output",
    [](auto& s, auto text) { s.events_file = text; }, kAnew, kNobody);
constexpr Option kReport = output(
    "--report", "FILE", "no page",
    "write the result to FILE as one page for people: verdict, counterexamples to step through, "
    "levels, time and memory, and coverage beside the model",
    [](auto& s, auto text) { s.report_file = text; }, kAnew, kNobody);
constexpr Option kDashboard =
    output("--dashboard", "", "no page; without PORT, one that is free",
           "show the report while the check runs, on a page of this machine, with figures for "
           "OpenMetrics at metrics below its address",
           set_dashboard, "PORT", kAnew, kNobody);
constexpr Option kQuiet = output(
    "--quiet", "", "", "print only the verdict line", [](auto& s, auto) { s.quiet = true; }, 'q',
    kAnew, kNobody);
constexpr Option kVerbose = output(
    "--verbose", "", "list the properties that are violated or not decided",
    "list every property, and report whether the compiled model comes from the cache",
    [](auto& s, auto) { s.verbose = true; }, 'v', kAnew, kNobody);
constexpr Option kTrace =
    output("--trace", "MODE", "changes",
           "how to show counterexamples: changes (what each step changes), last (the same, and the "
           "last state), or full (every variable of every state)",
           set_trace, trace_names, kAnew, kNobody);
constexpr Option kColor =
    output("--color", "WHEN", "auto",
           "color the verdict: always, never, or auto (on a terminal, unless NO_COLOR is set)",
           set_color, color_names, kAnew, kNobody);
constexpr Option kFailOnDeadRules = output(
    "--fail-on-dead-rules", "", "0",
    "exit with 30 if all properties hold but some rule never fired",
    [](auto& s, auto) { s.fail_on_dead_rules = true; }, kAnew, kNobody);
constexpr Option kExitCode =
    output("--exit-code", "MODE", "full",
           "full: see 'spillway explain'; simple: 0 verified, 1 violated, 2 anything else",
           set_exit_code, exit_code_names, kAnew, kNobody);

// For experts -------------------------------------------------------------------------------------

constexpr Option kExecute =
    expert("--execute", "HOW", "auto",
           "how to execute a model in {programs}: optimized (wait for the C compiler), tcc "
           "(which compiles at once, to slower code), interpreter, auto (begin with tcc or the "
           "interpreter, and continue with optimized code when it is there), or in-turn (another "
           "way for each level, to compare them)",
           set_execute, execute_names, kAnew, kNobody);
constexpr Option kAlgorithm =
    expert("--algorithm", "NAME", "auto", "the search algorithm: one of those below", set_algorithm,
           algorithm_names, kCheck);
constexpr Option kStore =
    expert("--store", "WHAT", "full",
           "what the visited set holds: full (the states), or signature:BITS (a hash of each "
           "state, 64 bits by default; states may be omitted, and the result bounds the "
           "probability of that; not for auto, ram and sorted-runs)",
           set_store, kCheck);
constexpr Option kHash =
    expert("--hash", "WHERE", "ram",
           "where semi-external, iterative-deepening and minimal keep their perfect hash: ram (2.6 "
           "bits a state), or disk (a read of 4 KiB for each question)",
           set_hash, hash_names, kNobody);
constexpr Option kParts = expert(
    "--parts", "MODE", "auto",
    "whether auto, ram and sorted-runs store wide states in parts whose values are numbered: "
    "auto (where it saves memory), or off",
    set_parts, parts_names, kNobody);
constexpr Option kVerify = expert(
    "--verify", "", "",
    "when the search is complete, read the visited set back and compare it with the states that "
    "were expanded; also check the symmetry of the model in every state",
    [](auto& s, auto) { s.verify = true; }, kAnew, kNobody);

// In the order of the groups.
constexpr std::array kCheckOptions = {
    kThreads,   kMemory,    kTimeout,         kMaxDepth, kMaxStates, kMaxErrors,       kDiskLimit,
    kConst,     kLtl,       kLtlFile,         kCtl,      kProp,      kAutomaton,       kLtlEnds,
    kFair,      kMinimal,   kDeadlock,        kIgnore,   kSymmetry,  kOfLanguages,     kProduct,
    kInterpret, kRunDir,    kCheckpointEvery, kDisk,     kJson,      kEvents,          kReport,
    kDashboard, kQuiet,     kVerbose,         kTrace,    kColor,     kFailOnDeadRules, kExitCode,
    kExecute,   kAlgorithm, kStore,           kHash,     kParts,     kVerify};
constexpr Option kEstimateFor =
    limit("--for", "TIME", "2m",
          "how long to search, such as 30s or 10m: the longer, the narrower the estimate",
          [](auto& s, auto text) { s.limits.timeout_seconds = parse_seconds(text); });
constexpr std::array kEstimateOptions = {kEstimateFor, kThreads,  kMemory,      kConst,
                                         kDeadlock,    kSymmetry, kOfLanguages, kInterpret};
constexpr Option kLintJson = output(
    "--json", "FILE", "no JSON", "write errors and warnings as JSON to FILE; - is standard output",
    [](auto& s, auto text) { s.json_file = text; }, 'o');
constexpr std::array kLintOptions = {kConst, kOfLanguages, kLintJson};
constexpr Option kLtlNegate =
    model("--negate", "", "the formula itself",
          "translate the negation of the formula, which is what a check looks for",
          [](auto& s, auto) { s.ltl.negated = true; });
constexpr Option kLtlHoa =
    output("--hoa", "", "a summary", "print the automaton in the Hanoi Omega-Automata format",
           [](auto& s, auto) { s.ltl.form = AutomatonForm::hoa; });
constexpr Option kLtlDot =
    output("--dot", "", "a summary", "print the automaton as a picture for Graphviz",
           [](auto& s, auto) { s.ltl.form = AutomatonForm::dot; });
constexpr Option kLtlSpin =
    output("--spin", "", "a summary", "print the automaton as a never claim for Spin",
           [](auto& s, auto) { s.ltl.form = AutomatonForm::spin; });
constexpr std::array kLtlOptions = {kLtlNegate, kLtlHoa, kLtlDot, kLtlSpin};
constexpr std::array kResumeOptions = {
    kThreads, kMemory, kTimeout, kMaxDepth,        kMaxStates, kDiskLimit, kCheckpointEvery,
    kDisk,    kModel,  kJson,    kEvents,          kReport,    kDashboard, kQuiet,
    kVerbose, kTrace,  kColor,   kFailOnDeadRules, kExitCode,  kExecute,   kVerify};
constexpr Option kStatusJson = output(
    "--json", "FILE", "text", "write the same as JSON to FILE; - is standard output",
    [](auto& s, auto text) { s.json_file = text; }, 'o');
constexpr std::array kStatusOptions = {kStatusJson};
constexpr Option kOutput = output(
    "--output", "FILE", "-", "write it to FILE; - is standard output",
    [](auto& s, auto text) { s.shown.file = text; }, 'o');
constexpr Option kTraceProperty =
    model("--property", "NAME", "as text all of them, otherwise the first",
          "only the counterexample of this property",
          [](auto& s, auto text) { s.shown.property = text; });
constexpr Option kTraceOnly = model(
    "--only", "GLOB", "all variables",
    "only variables whose name matches, such as 'cache*.state'; * is any text, ? any "
    "character; may be repeated",
    [](auto& s, auto text) { s.shown.filter.only.emplace_back(text); }, kAdds);
constexpr Option kTraceHide = model(
    "--hide", "GLOB", "all variables", "no variables whose name matches; may be repeated",
    [](auto& s, auto text) { s.shown.filter.hide.emplace_back(text); }, kAdds);
constexpr Option kTraceFull =
    output("--full", "", "what each step changes", "as text, every variable of every state",
           [](auto& s, auto) { s.shown.full = true; });
constexpr Option kTraceItf = output("--itf", "", "text", "as JSON in the Informal Trace Format",
                                    [](auto& s, auto) { s.shown.form = TraceForm::itf; });
constexpr Option kTraceHtml =
    output("--html", "", "text", "as one page to step through, which needs nothing else",
           [](auto& s, auto) { s.shown.form = TraceForm::html; });
constexpr Option kTraceSequence =
    output("--sequence", "FORM", "text",
           "as a sequence diagram: mermaid or svg; parameters of rules, or processes, are its "
           "lifelines",
           set_sequence, sequence_names);
constexpr Option kTraceVcd =
    output("--vcd", "", "text", "as a value change dump, for viewers of waves",
           [](auto& s, auto) { s.shown.form = TraceForm::vcd; });
constexpr std::array kTraceOptions = {kTraceProperty, kTraceOnly, kTraceHide,
                                      kTraceFull,     kTraceItf,  kTraceHtml,
                                      kTraceSequence, kTraceVcd,  kOutput};
constexpr Option kReportEvents =
    output("--events", "FILE", "only what the result has",
           "show also the course of the check, which it wrote to FILE with --events",
           [](auto& s, auto text) { s.events_file = text; });
constexpr std::array kReportOptions = {kOutput, kReportEvents};
constexpr Option kTestLane =
    model("--lane", "NAME", "all cases", "only cases of this lane, and those of none",
          [](auto& s, auto text) { s.suite.lane = text; });
constexpr Option kTestJunit =
    output("--junit", "FILE", "no XML", "write the results to FILE as JUnit's XML, for CI systems",
           [](auto& s, auto text) { s.suite.junit = text; });
constexpr Option kTestMarkdown =
    output("--markdown", "FILE", "no table",
           "write a table of the results to FILE, for the summary of a job",
           [](auto& s, auto text) { s.suite.markdown = text; });
constexpr Option kTestEvents =
    output("--events", "FILE", "no events",
           "write each result to FILE at once, one JSON object a line; - is standard output",
           [](auto& s, auto text) { s.events_file = text; });
constexpr Option kTestReports =
    output("--reports", "DIR", "no pages", "write a page about each case into this folder",
           [](auto& s, auto text) { s.suite.reports = text; });
constexpr Option kTestRuns =
    output("--runs", "DIR", ".spillway-runs",
           "where to keep what was searched when time was up, for the next time",
           [](auto& s, auto text) { s.suite.runs = text; });
constexpr std::array kTestOptions = {kTestLane,   kTestJunit,   kTestMarkdown,
                                     kTestEvents, kTestReports, kTestRuns};
constexpr Option kSimulateSeed =
    limit("--seed", "N", "drawn at random, and printed",
          "which walks: the same seed gives the same ones, with any number of threads",
          [](auto& s, auto text) { s.walk.seed = parse_count(text); });
constexpr Option kSimulateWalks =
    limit("--walks", "N", "1000; with --for, as many as there is time for",
          "how many walks, unless one finds a violation",
          [](auto& s, auto text) { s.walk.walks = parse_count(text); });
constexpr Option kSimulateDepth =
    limit("--depth", "N", "1000", "the most steps of a walk",
          [](auto& s, auto text) { s.walk.depth = parse_count(text); });
constexpr Option kSimulateFor =
    limit("--for", "TIME", "until the walks are done", "how long to walk, such as 30s or 10m",
          [](auto& s, auto text) { s.limits.timeout_seconds = parse_seconds(text); });
constexpr Option kSimulateStep = output(
    "--step", "", "random walks", "choose each step yourself, back and forth, in the terminal",
    [](auto& s, auto) { s.walk.by_hand = true; });
constexpr std::array kSimulateOptions = {
    kSimulateSeed, kSimulateWalks, kSimulateDepth, kSimulateFor,  kThreads, kConst,
    kDeadlock,     kOfLanguages,   kInterpret,     kSimulateStep, kJson,    kQuiet,
    kVerbose,      kTrace,         kColor,         kExitCode};
constexpr Option kExploreWhere =
    model("--where", "EXPRESSION", "begin with the initial states and the counterexamples",
          "find a state of the run in which this is true, the first by its level, and begin with a "
          "shortest way to it",
          [](auto& s, auto text) { s.explore.where = text; });
constexpr Option kExploreResult =
    model("--result", "FILE", "those of the run, if there is one",
          "walk from the states of the counterexamples in this result as well",
          [](auto& s, auto text) { s.explore.result_file = text; });
constexpr Option kExplorePort =
    output("--port", "N", "one that is free", "the port on this machine", set_port);
constexpr Option kExploreText =
    output("--text", "", "serve a page", "print what --where finds, and end",
           [](auto& s, auto) { s.explore.text_only = true; });
constexpr std::array kExploreOptions = {kThreads,     kMemory,       kConst,         kDeadlock,
                                        kOfLanguages, kExploreWhere, kExploreResult, kModel,
                                        kExplorePort, kExploreText};
constexpr std::array kFsckOptions = {kMemory, kDisk};

// The options in the list, with those of the languages in their place.
template <const auto& list>
std::span<const Option> with_languages() {
  static const std::vector<Option> all = [] {
    std::vector<Option> result;
    for (const Option& option : list)
      if (!option.name.empty())
        result.push_back(option);
      else
        for (const Language& language : languages())
          for (const LanguageOption& one : language.options) result.push_back(option_of(one));
    return result;
  }();
  return all;
}

}  // namespace

std::span<const Option> check_options() { return with_languages<kCheckOptions>(); }
std::span<const Option> estimate_options() { return with_languages<kEstimateOptions>(); }
std::span<const Option> lint_options() { return with_languages<kLintOptions>(); }
std::span<const Option> ltl_options() { return kLtlOptions; }
std::span<const Option> resume_options() { return kResumeOptions; }
std::span<const Option> status_options() { return kStatusOptions; }
std::span<const Option> trace_options() { return kTraceOptions; }
std::span<const Option> report_options() { return kReportOptions; }
std::span<const Option> test_options() { return kTestOptions; }
std::span<const Option> simulate_options() { return with_languages<kSimulateOptions>(); }
std::span<const Option> explore_options() { return with_languages<kExploreOptions>(); }
std::span<const Option> fsck_options() { return kFsckOptions; }

}  // namespace spillway
