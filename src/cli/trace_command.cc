#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text/printable.h"
#include "cli/commands.h"
#include "cli/session/output.h"
#include "cli/session/saved_result.h"
#include "report/trace/trace_forms.h"

namespace spillway {
namespace {

std::vector<SavedTrace> chosen_traces(const CommandSettings& settings) {
  std::vector<SavedTrace> all = read_traces(saved_result(settings.subject), settings.subject);
  if (all.empty())
    throw Error(Fault::usage,
                fmt::format("{}: there is no counterexample in it", printable(settings.subject)));
  const std::string& wanted = settings.shown.property;
  if (!wanted.empty()) {
    std::erase_if(all, [&](const SavedTrace& trace) { return trace.property != wanted; });
    if (all.empty())
      throw Error(Fault::usage,
                  fmt::format("--property: no counterexample is of '{}'", printable(wanted)));
  }
  for (SavedTrace& trace : all) {
    trace = filtered(std::move(trace), settings.shown.filter);
    if (trace.omitted != 0)
      say_sentence(
          fmt::format("{}: {} in it, because --memory had no room for them; check with "
                      "--json FILE to have all of them",
                      printable(settings.subject), omission_text(trace)));
    if (trace.steps.front().state.empty() &&
        !(settings.shown.filter.only.empty() && settings.shown.filter.hide.empty()))
      throw Error(Fault::usage, "--only, --hide: no variable is left");
  }
  return all;
}

std::string in_form(const SavedTrace& trace, const TraceOutput& how) {
  switch (how.form) {
    case TraceForm::text: return saved_trace_text(trace, how.full);
    case TraceForm::itf: return trace_itf(trace);
    case TraceForm::vcd: return trace_vcd(trace);
    case TraceForm::html: return trace_html(trace);
    case TraceForm::mermaid: return trace_mermaid(trace);
    case TraceForm::svg: return trace_svg(trace);
  }
  return "";
}

}  // namespace

int run_trace(const CommandSettings& settings) {
  if (settings.subject.empty())
    throw Error(Fault::usage,
                "no result given; try: spillway trace FILE, or spillway trace --help");
  const std::vector<SavedTrace> all = chosen_traces(settings);
  const TraceOutput& how = settings.shown;
  std::string text;
  for (const SavedTrace& trace : all) {
    text += in_form(trace, how);
    if (how.form != TraceForm::text) break;  // such a file has one
  }
  if (how.form != TraceForm::text && all.size() > 1)
    say_sentence(
        fmt::format("this is the first of {} counterexamples; choose with --property", all.size()));
  replace_file(how.file, text);
  return 0;
}

}  // namespace spillway
