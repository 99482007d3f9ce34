// The table of options.  Help, shell completion and the tests of the manual are made from it.
#include <array>

#include "base/quantity.h"
#include "cli/option_values.h"
#include "cli/options.h"

namespace spillway {
namespace {

// Limits ------------------------------------------------------------------------------------------

constexpr Option kThreads{
    .name = "--threads",
    .letter = 'j',
    .argument = "N",
    .help = "number of threads; results do not depend on it",
    .unset = "all processors",
    .set = set_threads,
    .later = Later::kept,
    .group = Group::limits,
    .same_for = SameFor::nobody,
};
constexpr Option kMemory{
    .name = "--memory",
    .argument = "SIZE",
    .help = "memory that the process may use, such as 512M or 24G",
    .unset = "70% of the machine's or container's memory",
    .set = [](CommandSettings& s, std::string_view text) { s.memory_bytes = parse_bytes(text); },
    .later = Later::kept,
    .group = Group::limits,
    .same_for = SameFor::nobody,
};
constexpr Option kTimeout{
    .name = "--timeout",
    .argument = "TIME",
    .help = "stop after this time, such as 90s, 15m or 2h",
    .unset = "no limit",
    .set = [](CommandSettings& s,
              std::string_view text) { s.limits.timeout_seconds = parse_seconds(text); },
    .later = Later::anew,
    .group = Group::limits,
    .same_for = SameFor::nobody,
};
constexpr Option kMaxDepth{
    .name = "--max-depth",
    .argument = "N",
    .help = "do not visit states that need more than N steps from an initial state",
    .unset = "no limit",
    .set = [](CommandSettings& s,
              std::string_view text) { s.limits.max_depth = parse_count(text); },
    .later = Later::kept,
    .group = Group::limits,
    .same_for = SameFor::ranks,
};
constexpr Option kMaxStates{
    .name = "--max-states",
    .argument = "N",
    .help = "stop before the level that would bring the number of states above N",
    .unset = "no limit",
    .set = [](CommandSettings& s,
              std::string_view text) { s.limits.max_states = parse_count(text); },
    .later = Later::kept,
    .group = Group::limits,
    .same_for = SameFor::ranks,
};
constexpr Option kMaxErrors{
    .name = "--max-errors",
    .argument = "N",
    .help =
        "go on until N properties are violated, and report a shortest counterexample of each; "
        "all: until every state is visited",
    .unset = "1",
    .set = set_max_errors,
    .group = Group::limits,
    .same_for = SameFor::check,
};
constexpr Option kDiskLimit{
    .name = "--disk-limit",
    .argument = "SIZE",
    .help = "disk space that all files of the search together may take, such as 200G",
    .unset = "no limit",
    .set = [](CommandSettings& s,
              std::string_view text) { s.disk_limit_bytes = parse_bytes(text); },
    .later = Later::kept,
    .group = Group::limits,
    .same_for = SameFor::nobody,
};

// Model and properties ----------------------------------------------------------------------------

constexpr Option kConst{
    .name = "--const",
    .argument = "NAME=VALUE",
    .help = "set a constant of the model; may be repeated",
    .unset = "the values in the model",
    .set = set_constant,
    .adds = true,
    .group = Group::model,
    .changes_meaning = true,
    .same_for = SameFor::check,
};
constexpr Option kDeadlock{
    .name = "--deadlock",
    .argument = "MODE",
    .help =
        "what counts as a deadlock: stuck (no successor), stuttering (no successor other than "
        "the state itself), off, or auto (the convention of the model's language)",
    .unset = "auto",
    .set = set_deadlock,
    .choices = deadlock_names,
    .group = Group::model,
    .changes_meaning = true,
    .same_for = SameFor::check,
};
constexpr Option kLtl{
    .name = "--ltl",
    .argument = "FORMULA",
    .help =
        "check that every run satisfies this formula of linear temporal logic, such as "
        "'G (request -> F granted)', or 'NAME: FORMULA'; propositions are conditions in the "
        "language of the model; may be repeated",
    .unset = "no formula",
    .set = [](CommandSettings& s, std::string_view text) { s.runs.formulas.emplace_back(text); },
    .adds = true,
    .group = Group::model,
    .same_for = SameFor::check,
};
constexpr Option kLtlFile{
    .name = "--ltl-file",
    .argument = "FILE",
    .help = "the same with every formula in FILE, one 'NAME: FORMULA' a line; may be repeated",
    .unset = "no file",
    .set = [](CommandSettings& s,
              std::string_view text) { s.runs.formula_files.emplace_back(text); },
    .adds = true,
    .later = Later::anew,
    .group = Group::model,
    .same_for = SameFor::check,
};
constexpr Option kCtl{
    .name = "--ctl",
    .argument = "FORMULA",
    .help =
        "check that this formula of branching time holds in the initial states, such as "
        "'AG (request -> EF granted)', or 'NAME: FORMULA'; may be repeated",
    .unset = "no formula",
    .set = [](CommandSettings& s, std::string_view text) { s.runs.ctl.emplace_back(text); },
    .adds = true,
    .group = Group::model,
    .same_for = SameFor::check,
};
constexpr Option kProp{
    .name = "--prop",
    .argument = "NAME=EXPRESSION",
    .help = "what NAME stands for in formulas and automata; may be repeated",
    .unset = "propositions are written out",
    .set = set_proposition,
    .adds = true,
    .group = Group::model,
    .same_for = SameFor::check,
};
constexpr Option kAutomaton{
    .name = "--automaton",
    .argument = "FILE",
    .help =
        "check that no run is accepted by this automaton in the Hanoi Omega-Automata format; may "
        "be repeated",
    .unset = "no automaton",
    .set = [](CommandSettings& s, std::string_view text) { s.runs.automata.emplace_back(text); },
    .adds = true,
    .later = Later::anew,
    .group = Group::model,
    .same_for = SameFor::check,
};
constexpr Option kLtlEnds{
    .name = "--ltl-ends",
    .argument = "MODE",
    .help =
        "what formulas say about a run that ends in a state without successors: stutter (it "
        "repeats that state for ever), or ignore (nothing)",
    .unset = "stutter",
    .set = set_run_ends,
    .choices = run_end_names,
    .group = Group::model,
    .changes_meaning = true,
    .same_for = SameFor::check,
};
constexpr Option kFair{
    .name = "--fair",
    .argument = "PATTERN",
    .help =
        "leave out runs that are unfair to a rule whose name matches, such as 'Send*': it could "
        "act for ever and never does; processes: to a process of DVE; may be repeated",
    .unset = "all runs count",
    .set = [](CommandSettings& s, std::string_view text) { s.runs.fair.emplace_back(text); },
    .adds = true,
    .group = Group::model,
    .changes_meaning = true,
    .same_for = SameFor::check,
};
constexpr Option kMinimal{
    .name = "--minimal",
    .argument = "",
    .help =
        "of runs that violate a formula, an automaton or a property process, report one with the "
        "fewest steps, up to the loop and around it",
    .unset = "one whose loop is met first",
    .set = [](CommandSettings& s, std::string_view) { s.minimal = s.runs.minimal = true; },
    .group = Group::model,
    .same_for = SameFor::check,
};
constexpr Option kIgnore{
    .name = "--ignore",
    .argument = "KIND",
    .help =
        "do not check properties of the model of this kind: acceptance (its property process and "
        "accepting states), or liveness (properties that must be reachable from everywhere); may "
        "be repeated",
    .unset = "a property that is not decided prevents VERIFIED",
    .set = set_ignored,
    .choices = ignored_names,
    .adds = true,
    .group = Group::model,
    .changes_meaning = true,
    .same_for = SameFor::check,
};
constexpr Option kSymmetry{
    .name = "--symmetry",
    .argument = "MODE",
    .help =
        "how to use scalarsets: exhaustive (one state represents each class of symmetric "
        "states), heuristic (sometimes several do), off, or auto (exhaustive, if the "
        "scalarsets are small enough)",
    .unset = "auto",
    .set = set_symmetry,
    .choices = symmetry_names,
    .group = Group::model,
    .same_for = SameFor::check,
};
constexpr Option kDialect{
    .name = "--dialect",
    .argument = "NAME",
    .help = "where Murphi tools differ, follow this one: auto, cmurphi or rumur",
    .unset = "auto",
    .set = set_dialect,
    .choices = dialect_names,
    .group = Group::model,
    .changes_meaning = true,
    .same_for = SameFor::check,
};
constexpr Option kDveErrors{
    .name = "--dve-errors",
    .argument = "MODE",
    .help =
        "what to do with values in DVE that do not fit their variable: report (a run-time "
        "error), wrap (truncate, as compiled models of other tools do), or legacy (go to an "
        "error state, as the first interpreters did)",
    .unset = "report",
    .set = set_dve_errors,
    .choices = dve_error_names,
    .group = Group::model,
    .changes_meaning = true,
    .same_for = SameFor::check,
};
constexpr Option kProduct{
    .name = "--product",
    .argument = "",
    .help =
        "explore only the product of a system in DVE and its property process; deadlocks are not "
        "checked",
    .unset = "the system, and then the product",
    .set = [](CommandSettings& s,
              std::string_view) { s.reading.dve.property = DveProperty::product; },
    .group = Group::model,
    .changes_meaning = true,
    .same_for = SameFor::check,
};
constexpr Option kInterpret{
    .name = "--interpret",
    .argument = "",
    .help =
        "interpret a model in Murphi or DVE instead of compiling it: slow, but needs no C "
        "compiler",
    .unset = "compile it",
    .set = [](CommandSettings& s, std::string_view) { s.reading.executed = Executed::interpreted; },
    .group = Group::model,
    .same_for = SameFor::nobody,
};

// Long runs ---------------------------------------------------------------------------------------

constexpr Option kRunDir{
    .name = "--run-dir",
    .argument = "DIR",
    .help =
        "keep checkpoints in this new directory, so that 'spillway resume DIR' can continue "
        "from the last one; none: keep nothing",
    .unset =
        "with --disk, a new directory there, which is removed when the search is done; "
        "otherwise nothing is kept",
    .set = set_run_directory,
    .later = Later::anew,
    .group = Group::long_runs,
    .same_for = SameFor::nobody,
};
constexpr Option kCheckpointEvery{
    .name = "--checkpoint",
    .argument = "TIME",
    .help =
        "the least time between two checkpoints of a run that is kept, such as 30s; 0: one "
        "after every level",
    .unset = "5s, or longer if checkpoints would take more than 1% of the time",
    .set = [](CommandSettings& s,
              std::string_view text) { s.checkpoint_seconds = parse_seconds(text); },
    .later = Later::kept,
    .group = Group::long_runs,
    .same_for = SameFor::nobody,
};
constexpr Option kDisk{
    .name = "--disk",
    .argument = "DIR",
    .help = "where to put states that do not fit in memory; may be repeated, for several devices",
    .unset = "the run directory, TMPDIR, /var/tmp, or /tmp",
    .set = [](CommandSettings& s, std::string_view text) { s.disks.emplace_back(text); },
    .adds = true,
    .later = Later::kept,
    .group = Group::long_runs,
    .same_for = SameFor::nobody,
};
constexpr Option kModel{
    .name = "--model",
    .argument = "FILE",
    .help =
        "the model of the run, if it is native code (.so), which is never loaded from a path "
        "in a run directory",
    .unset = "the copy in the run directory",
    .set = [](CommandSettings& s, std::string_view text) { s.model_file = text; },
    .later = Later::anew,
    .group = Group::long_runs,
};

// Output ------------------------------------------------------------------------------------------

constexpr Option kJson{
    .name = "--json",
    .letter = 'o',
    .argument = "FILE",
    .help = "write the result as JSON to FILE; - is standard output",
    .unset = "no JSON",
    .set = [](CommandSettings& s, std::string_view text) { s.json_file = text; },
    .later = Later::anew,
    .group = Group::output,
    .same_for = SameFor::nobody,
};
constexpr Option kEvents{
    .name = "--events",
    .argument = "FILE",
    .help =
        "write what happens to FILE at once, one JSON object a line: levels, checkpoints, "
        "findings and the end; - is standard output",
    .unset = "no events",
    .set = [](CommandSettings& s, std::string_view text) { s.events_file = text; },
    .later = Later::anew,
    .group = Group::output,
    .same_for = SameFor::nobody,
};
constexpr Option kReport{
    .name = "--report",
    .argument = "FILE",
    .help =
        "write the result to FILE as one page for people: verdict, counterexamples to step "
        "through, levels, time and memory, and coverage beside the model",
    .unset = "no page",
    .set = [](CommandSettings& s, std::string_view text) { s.report_file = text; },
    .later = Later::anew,
    .group = Group::output,
    .same_for = SameFor::nobody,
};
constexpr Option kDashboard{
    .name = "--dashboard",
    .argument = "",
    .number = "PORT",
    .help =
        "show the report while the check runs, on a page of this machine, with figures for "
        "OpenMetrics at metrics below its address",
    .unset = "no page; without PORT, one that is free",
    .set = set_dashboard,
    .later = Later::anew,
    .group = Group::output,
    .same_for = SameFor::nobody,
};
constexpr Option kQuiet{
    .name = "--quiet",
    .letter = 'q',
    .argument = "",
    .help = "print only the verdict line",
    .set = [](CommandSettings& s, std::string_view) { s.quiet = true; },
    .later = Later::anew,
    .group = Group::output,
    .same_for = SameFor::nobody,
};
constexpr Option kVerbose{
    .name = "--verbose",
    .letter = 'v',
    .argument = "",
    .help = "list every property, and report whether the compiled model comes from the cache",
    .unset = "list the properties that are violated or not decided",
    .set = [](CommandSettings& s, std::string_view) { s.verbose = true; },
    .later = Later::anew,
    .group = Group::output,
    .same_for = SameFor::nobody,
};
constexpr Option kTrace{
    .name = "--trace",
    .argument = "MODE",
    .help =
        "how to show counterexamples: changes (what each step changes), last (the same, and "
        "the last state), or full (every variable of every state)",
    .unset = "changes",
    .set = set_trace,
    .choices = trace_names,
    .later = Later::anew,
    .group = Group::output,
    .same_for = SameFor::nobody,
};
constexpr Option kColor{
    .name = "--color",
    .argument = "WHEN",
    .help = "color the verdict: always, never, or auto (on a terminal, unless NO_COLOR is set)",
    .unset = "auto",
    .set = set_color,
    .choices = color_names,
    .later = Later::anew,
    .group = Group::output,
    .same_for = SameFor::nobody,
};
constexpr Option kFailOnDeadRules{
    .name = "--fail-on-dead-rules",
    .argument = "",
    .help = "exit with 30 if all properties hold but some rule never fired",
    .unset = "0",
    .set = [](CommandSettings& s, std::string_view) { s.fail_on_dead_rules = true; },
    .later = Later::anew,
    .group = Group::output,
    .same_for = SameFor::nobody,
};
constexpr Option kExitCode{
    .name = "--exit-code",
    .argument = "MODE",
    .help = "full: see 'spillway explain'; simple: 0 verified, 1 violated, 2 anything else",
    .unset = "full",
    .set = set_exit_code,
    .choices = exit_code_names,
    .later = Later::anew,
    .group = Group::output,
    .same_for = SameFor::nobody,
};

// For experts -------------------------------------------------------------------------------------

constexpr Option kExecute{
    .name = "--execute",
    .argument = "HOW",
    .help =
        "how to execute a model in Murphi or DVE: optimized (wait for the C compiler), tcc "
        "(which compiles at once, to slower code), interpreter, auto (begin with tcc or the "
        "interpreter, and continue with optimized code when it is there), or in-turn (another "
        "way for each level, to compare them)",
    .unset = "auto",
    .set = set_execute,
    .choices = execute_names,
    .later = Later::anew,
    .group = Group::experts,
    .same_for = SameFor::nobody,
};
constexpr Option kAlgorithm{
    .name = "--algorithm",
    .argument = "NAME",
    .help = "the search algorithm: one of those below",
    .unset = "auto",
    .set = set_algorithm,
    .choices = algorithm_names,
    .group = Group::experts,
    .same_for = SameFor::check,
};
constexpr Option kStore{
    .name = "--store",
    .argument = "WHAT",
    .help =
        "what the visited set holds: full (the states), or signature:BITS (a hash of each "
        "state, 64 bits by default; states may be omitted, and the result bounds the "
        "probability of that; not for auto, ram and sorted-runs)",
    .unset = "full",
    .set = set_store,
    .group = Group::experts,
    .same_for = SameFor::check,
};
constexpr Option kHash{
    .name = "--hash",
    .argument = "WHERE",
    .help =
        "where semi-external, iterative-deepening and minimal keep their perfect hash: ram (2.6 "
        "bits a state), or disk (a read of 4 KiB for each question)",
    .unset = "ram",
    .set = set_hash,
    .choices = hash_names,
    .group = Group::experts,
    .same_for = SameFor::nobody,
};
constexpr Option kVerify{
    .name = "--verify",
    .argument = "",
    .help =
        "when the search is complete, read the visited set back and compare it with the states "
        "that were expanded; also check the symmetry of the model in every state",
    .set = [](CommandSettings& s, std::string_view) { s.verify = true; },
    .later = Later::anew,
    .group = Group::experts,
    .same_for = SameFor::nobody,
};

// In the order of the groups.
constexpr std::array kCheckOptions = {
    kThreads,   kMemory,    kTimeout,   kMaxDepth, kMaxStates,
    kMaxErrors, kDiskLimit, kConst,     kLtl,      kLtlFile,
    kCtl,       kProp,      kAutomaton, kLtlEnds,  kFair,
    kMinimal,   kDeadlock,  kIgnore,    kSymmetry, kDialect,
    kDveErrors, kProduct,   kInterpret, kRunDir,   kCheckpointEvery,
    kDisk,      kJson,      kEvents,    kReport,   kDashboard,
    kQuiet,     kVerbose,   kTrace,     kColor,    kFailOnDeadRules,
    kExitCode,  kExecute,   kAlgorithm, kStore,    kHash,
    kVerify,
};
constexpr std::array kEstimateOptions = {
    Option{
        .name = "--for",
        .argument = "TIME",
        .help = "how long to search, such as 30s or 10m: the longer, the narrower the estimate",
        .unset = "2m",
        .set = [](CommandSettings& s,
                  std::string_view text) { s.limits.timeout_seconds = parse_seconds(text); },
        .group = Group::limits,
    },
    kThreads,
    kMemory,
    kConst,
    kDeadlock,
    kSymmetry,
    kDialect,
    kDveErrors,
    kInterpret};
constexpr std::array kLintOptions = {
    kConst, kDialect, kDveErrors,
    Option{
        .name = "--json",
        .letter = 'o',
        .argument = "FILE",
        .help = "write errors and warnings as JSON to FILE; - is standard output",
        .unset = "no JSON",
        .set = [](CommandSettings& s, std::string_view text) { s.json_file = text; },
        .group = Group::output,
    }};
constexpr std::array kLtlOptions = {
    Option{
        .name = "--negate",
        .argument = "",
        .help = "translate the negation of the formula, which is what a check looks for",
        .unset = "the formula itself",
        .set = [](CommandSettings& s, std::string_view) { s.ltl.negated = true; },
        .group = Group::model,
    },
    Option{
        .name = "--hoa",
        .argument = "",
        .help = "print the automaton in the Hanoi Omega-Automata format",
        .unset = "a summary",
        .set = [](CommandSettings& s, std::string_view) { s.ltl.form = AutomatonForm::hoa; },
        .group = Group::output,
    },
    Option{
        .name = "--dot",
        .argument = "",
        .help = "print the automaton as a picture for Graphviz",
        .unset = "a summary",
        .set = [](CommandSettings& s, std::string_view) { s.ltl.form = AutomatonForm::dot; },
        .group = Group::output,
    },
    Option{
        .name = "--spin",
        .argument = "",
        .help = "print the automaton as a never claim for Spin",
        .unset = "a summary",
        .set = [](CommandSettings& s, std::string_view) { s.ltl.form = AutomatonForm::spin; },
        .group = Group::output,
    }};
constexpr std::array kResumeOptions = {
    kThreads, kMemory, kTimeout, kMaxDepth,        kMaxStates, kDiskLimit, kCheckpointEvery,
    kDisk,    kModel,  kJson,    kEvents,          kReport,    kDashboard, kQuiet,
    kVerbose, kTrace,  kColor,   kFailOnDeadRules, kExitCode,  kExecute,   kVerify,
};
constexpr std::array kStatusOptions = {Option{
    .name = "--json",
    .letter = 'o',
    .argument = "FILE",
    .help = "write the same as JSON to FILE; - is standard output",
    .unset = "text",
    .set = [](CommandSettings& s, std::string_view text) { s.json_file = text; },
    .group = Group::output,
}};
constexpr Option kOutput{
    .name = "--output",
    .letter = 'o',
    .argument = "FILE",
    .help = "write it to FILE; - is standard output",
    .unset = "-",
    .set = [](CommandSettings& s, std::string_view text) { s.shown.file = text; },
    .group = Group::output,
};
constexpr std::array kTraceOptions = {
    Option{
        .name = "--property",
        .argument = "NAME",
        .help = "only the counterexample of this property",
        .unset = "as text all of them, otherwise the first",
        .set = [](CommandSettings& s, std::string_view text) { s.shown.property = text; },
        .group = Group::model,
    },
    Option{
        .name = "--only",
        .argument = "GLOB",
        .help = "only variables whose name matches, such as 'cache*.state'; * is any text, ? any "
                "character; may be repeated",
        .unset = "all variables",
        .set = [](CommandSettings& s,
                  std::string_view text) { s.shown.filter.only.emplace_back(text); },
        .adds = true,
        .group = Group::model,
    },
    Option{
        .name = "--hide",
        .argument = "GLOB",
        .help = "no variables whose name matches; may be repeated",
        .unset = "all variables",
        .set = [](CommandSettings& s,
                  std::string_view text) { s.shown.filter.hide.emplace_back(text); },
        .adds = true,
        .group = Group::model,
    },
    Option{
        .name = "--full",
        .argument = "",
        .help = "as text, every variable of every state",
        .unset = "what each step changes",
        .set = [](CommandSettings& s, std::string_view) { s.shown.full = true; },
        .group = Group::output,
    },
    Option{
        .name = "--itf",
        .argument = "",
        .help = "as JSON in the Informal Trace Format",
        .unset = "text",
        .set = [](CommandSettings& s, std::string_view) { s.shown.form = TraceForm::itf; },
        .group = Group::output,
    },
    Option{
        .name = "--html",
        .argument = "",
        .help = "as one page to step through, which needs nothing else",
        .unset = "text",
        .set = [](CommandSettings& s, std::string_view) { s.shown.form = TraceForm::html; },
        .group = Group::output,
    },
    Option{
        .name = "--sequence",
        .argument = "FORM",
        .help = "as a sequence diagram: mermaid or svg; parameters of rules, or processes, are its "
                "lifelines",
        .unset = "text",
        .set = set_sequence,
        .choices = sequence_names,
        .group = Group::output,
    },
    Option{
        .name = "--vcd",
        .argument = "",
        .help = "as a value change dump, for viewers of waves",
        .unset = "text",
        .set = [](CommandSettings& s, std::string_view) { s.shown.form = TraceForm::vcd; },
        .group = Group::output,
    },
    kOutput};
constexpr std::array kReportOptions = {
    kOutput, Option{
                 .name = "--events",
                 .argument = "FILE",
                 .help = "show also the course of the check, which it wrote to FILE with --events",
                 .unset = "only what the result has",
                 .set = [](CommandSettings& s, std::string_view text) { s.events_file = text; },
                 .group = Group::output,
             }};
constexpr std::array kTestOptions = {
    Option{
        .name = "--lane",
        .argument = "NAME",
        .help = "only cases of this lane, and those of none",
        .unset = "all cases",
        .set = [](CommandSettings& s, std::string_view text) { s.suite.lane = text; },
        .group = Group::model,
    },
    Option{
        .name = "--junit",
        .argument = "FILE",
        .help = "write the results to FILE as JUnit's XML, for CI systems",
        .unset = "no XML",
        .set = [](CommandSettings& s, std::string_view text) { s.suite.junit = text; },
        .group = Group::output,
    },
    Option{
        .name = "--markdown",
        .argument = "FILE",
        .help = "write a table of the results to FILE, for the summary of a job",
        .unset = "no table",
        .set = [](CommandSettings& s, std::string_view text) { s.suite.markdown = text; },
        .group = Group::output,
    },
    Option{
        .name = "--events",
        .argument = "FILE",
        .help = "write each result to FILE at once, one JSON object a line; - is standard output",
        .unset = "no events",
        .set = [](CommandSettings& s, std::string_view text) { s.events_file = text; },
        .group = Group::output,
    },
    Option{
        .name = "--reports",
        .argument = "DIR",
        .help = "write a page about each case into this folder",
        .unset = "no pages",
        .set = [](CommandSettings& s, std::string_view text) { s.suite.reports = text; },
        .group = Group::output,
    },
    Option{
        .name = "--runs",
        .argument = "DIR",
        .help = "where to keep what was searched when time was up, for the next time",
        .unset = ".spillway-runs",
        .set = [](CommandSettings& s, std::string_view text) { s.suite.runs = text; },
        .group = Group::output,
    }};
constexpr std::array kSimulateOptions = {
    Option{
        .name = "--seed",
        .argument = "N",
        .help = "which walks: the same seed gives the same ones, with any number of threads",
        .unset = "drawn at random, and printed",
        .set = [](CommandSettings& s, std::string_view text) { s.walk.seed = parse_count(text); },
        .group = Group::limits,
    },
    Option{
        .name = "--walks",
        .argument = "N",
        .help = "how many walks, unless one finds a violation",
        .unset = "1000; with --for, as many as there is time for",
        .set = [](CommandSettings& s, std::string_view text) { s.walk.walks = parse_count(text); },
        .group = Group::limits,
    },
    Option{
        .name = "--depth",
        .argument = "N",
        .help = "the most steps of a walk",
        .unset = "1000",
        .set = [](CommandSettings& s, std::string_view text) { s.walk.depth = parse_count(text); },
        .group = Group::limits,
    },
    Option{
        .name = "--for",
        .argument = "TIME",
        .help = "how long to walk, such as 30s or 10m",
        .unset = "until the walks are done",
        .set = [](CommandSettings& s,
                  std::string_view text) { s.limits.timeout_seconds = parse_seconds(text); },
        .group = Group::limits,
    },
    kThreads,
    kConst,
    kDeadlock,
    kDialect,
    kDveErrors,
    kInterpret,
    Option{
        .name = "--step",
        .argument = "",
        .help = "choose each step yourself, back and forth, in the terminal",
        .unset = "random walks",
        .set = [](CommandSettings& s, std::string_view) { s.walk.by_hand = true; },
        .group = Group::output,
    },
    kJson,
    kQuiet,
    kVerbose,
    kTrace,
    kColor,
    kExitCode,
};
constexpr std::array kExploreOptions = {
    kThreads,
    kMemory,
    kConst,
    kDeadlock,
    kDialect,
    kDveErrors,
    Option{
        .name = "--where",
        .argument = "EXPRESSION",
        .help = "find a state of the run in which this is true, the first by its level, and begin "
                "with a shortest way to it",
        .unset = "begin with the initial states and the counterexamples",
        .set = [](CommandSettings& s, std::string_view text) { s.explore.where = text; },
        .group = Group::model,
    },
    Option{
        .name = "--result",
        .argument = "FILE",
        .help = "walk from the states of the counterexamples in this result as well",
        .unset = "those of the run, if there is one",
        .set = [](CommandSettings& s, std::string_view text) { s.explore.result_file = text; },
        .group = Group::model,
    },
    kModel,
    Option{
        .name = "--port",
        .argument = "N",
        .help = "the port on this machine",
        .unset = "one that is free",
        .set = set_port,
        .group = Group::output,
    },
    Option{
        .name = "--text",
        .argument = "",
        .help = "print what --where finds, and end",
        .unset = "serve a page",
        .set = [](CommandSettings& s, std::string_view) { s.explore.text_only = true; },
        .group = Group::output,
    }};
constexpr std::array kFsckOptions = {kMemory, kDisk};

}  // namespace

std::span<const Option> check_options() { return kCheckOptions; }
std::span<const Option> estimate_options() { return kEstimateOptions; }
std::span<const Option> lint_options() { return kLintOptions; }
std::span<const Option> ltl_options() { return kLtlOptions; }
std::span<const Option> resume_options() { return kResumeOptions; }
std::span<const Option> status_options() { return kStatusOptions; }
std::span<const Option> trace_options() { return kTraceOptions; }
std::span<const Option> report_options() { return kReportOptions; }
std::span<const Option> test_options() { return kTestOptions; }
std::span<const Option> simulate_options() { return kSimulateOptions; }
std::span<const Option> explore_options() { return kExploreOptions; }
std::span<const Option> fsck_options() { return kFsckOptions; }

std::string_view heading(Group group) {
  switch (group) {
    case Group::limits: return "Limits";
    case Group::model: return "Model and properties";
    case Group::long_runs: return "Long runs";
    case Group::output: return "Output";
    case Group::experts: return "For experts";
  }
  return "";
}

}  // namespace spillway
