#include "cli/commands.h"

#include <array>

namespace spillway {
namespace {

std::span<const Option> no_options() { return {}; }

constexpr std::array kCommands = {
    Command{
        .name = "check",
        .subject = "MODEL",
        .summary = "Explore all reachable states of a model and check its properties",
        .examples = {{{"spillway check german.m --const NODES=5",
                       "check all properties with all processors and 70% of the memory"},
                      {"spillway check mesi.m --memory 2G --timeout 10m --json result.json",
                       "stay within limits, and write the result for other programs"},
                      {"spillway check german.m --quiet && echo fine",
                       "use it in a script: the exit code is 0 only for VERIFIED"}}},
        .options = check_options,
        .run = run_check,
    },
    Command{
        .name = "estimate",
        .subject = "MODEL",
        .summary = "Search for a while, and estimate states, memory, disk space and time",
        .examples = {{{"spillway estimate mesi.m --for 10m", "the longer, the better"},
                      {"spillway estimate german.m --const NODES=6",
                       "for two minutes, with another value of a constant"},
                      {"spillway estimate mesi.m --memory 8G --threads 4",
                       "as if the check had no more than this"}}},
        .options = estimate_options,
        .run = run_estimate,
    },
    Command{
        .name = "trace",
        .subject = "FILE",
        .summary = "Show the counterexamples of a result or run again, as text or for other tools",
        .examples = {{{"spillway trace result.json --only 'cache*' --hide '*.data'",
                       "what each step changes in these variables"},
                      {"spillway trace ./run --html --output bug.html", "a page to step through"},
                      {"spillway trace result.json --sequence=mermaid > bug.mmd",
                       "a sequence diagram"}}},
        .options = trace_options,
        .run = run_trace,
    },
    Command{
        .name = "report",
        .subject = "FILE",
        .summary = "Make a page of a result or run, for people: one file for any browser",
        .examples = {{{"spillway report result.json --output result.html", "of check --json"},
                      {"spillway report ./run --output run.html", "of a run, finished or stopped"},
                      {"spillway report result.json --events events.ndjson -o result.html",
                       "with the course of the check, from check --events"}}},
        .options = report_options,
        .run = run_report,
    },
    Command{
        .name = "resume",
        .subject = "DIR",
        .summary = "Resume a run from its newest checkpoint",
        .examples = {{{"spillway resume ./run", "with the options that the run started with"},
                      {"spillway resume ./run --memory 400G --threads 96",
                       "on a larger machine, after copying the directory there"},
                      {"spillway resume ./run --disk /data",
                       "when the disk is full: put new files on another disk"}}},
        .options = resume_options,
        .run = run_resume,
    },
    Command{
        .name = "status",
        .subject = "DIR",
        .summary = "Show the progress of a run, active or not",
        .examples = {{{"spillway status ./run", "as text"},
                      {"spillway status ./run --json -", "for other programs"},
                      {"watch spillway status ./run", "repeatedly"}}},
        .options = status_options,
        .run = run_status,
    },
    Command{
        .name = "fsck",
        .subject = "DIR",
        .summary = "Read all files of a run and report whether it can be resumed",
        .examples = {{{"spillway fsck ./run",
                       "verify every checksum and every level, and that no state appears twice"},
                      {"spillway fsck ./run --memory 2G", "with at most this much memory"},
                      {"spillway fsck ./run && spillway resume ./run",
                       "resume if everything is intact"}}},
        .options = fsck_options,
        .run = run_fsck,
    },
    Command{
        .name = "clean",
        .subject = "DIR",
        .summary = "Remove a run and all its files",
        .examples = {{{"spillway clean ./run", "its directory, and its files in other directories"},
                      {"spillway status ./run && spillway clean ./run", "look first"},
                      {"spillway fsck ./run || spillway clean ./run",
                       "only if it cannot be resumed"}}},
        .options = no_options,
        .run = run_clean,
    },
    Command{
        .name = "lint",
        .subject = "MODEL",
        .summary = "Report errors and warnings in a model without searching it",
        .examples = {{{"spillway lint german.m", "errors and warnings with file, line and column"},
                      {"spillway lint german.m --const NODES=8",
                       "the same, with another value of a constant"},
                      {"spillway lint old.m --dialect=cmurphi", "read it as CMurphi does"}}},
        .options = lint_options,
        .run = run_lint,
    },
    Command{
        .name = "ltl",
        .subject = "FORMULA",
        .summary = "Translate a formula of temporal logic into an automaton",
        .examples = {{{"spillway ltl 'G (request -> F answer)'",
                       "how a formula is understood, and how large its automaton is"},
                      {"spillway ltl 'p U q' --negate --hoa",
                       "the automaton that a check of the formula looks for, for other tools"},
                      {"spillway ltl 'G F p' --dot | dot -Tsvg > automaton.svg", "as a picture"}}},
        .options = ltl_options,
        .run = run_ltl,
    },
    Command{
        .name = "explain",
        .subject = "[CODE]",
        .summary = "Explain an exit code",
        .examples = {{{"spillway explain 12", "what exit code 12 means"},
                      {"spillway explain", "all exit codes"},
                      {"spillway check msi.m || spillway explain $?",
                       "check, and explain the result"}}},
        .options = no_options,
        .run = run_explain,
    },
};

}  // namespace

std::span<const Command> commands() { return kCommands; }

}  // namespace spillway
