#include "report/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/text/printable.h"
#include "base/text/quantity.h"
#include "report/coverage.h"
#include "report/properties_text.h"
#include "report/status.h"
#include "report/verdict_text.h"
#include "report/words/words.h"

namespace spillway {
namespace {

using Out = std::back_insert_iterator<std::string>;

constexpr std::size_t kMostProducts = 5;

void products(Out out, const std::vector<RunResult>& runs) {
  std::size_t more = 0;
  for (const RunResult& run : runs) {
    if (!run.product) continue;
    if (++more > kMostProducts) continue;
    fmt::format_to(
        out, "  with {}: {}   {}{}\n",
        run.kind == PropertyKind::acceptance ? "the property process"
                                             : fmt::format("\"{}\"", printable(run.name)),
        plural(run.product->states, "state"), plural(run.product->transitions, "transition"),
        run.product->in_levels ? fmt::format("   depth {}", with_commas(run.product->depth()))
                               : "");
  }
  if (more > kMostProducts)
    fmt::format_to(out, "  and {} more products\n", with_commas(more - kMostProducts));
}

void figures(Out out, const CheckResult& result) {
  const Statistics& s = result.statistics;
  const auto states_now = static_cast<double>(s.states - std::min(s.states, result.earlier_states));
  const double rate = result.seconds > 0 ? states_now / result.seconds : 0;
  fmt::format_to(out, "  {}   {}   {}{}", plural(s.states, "state"),
                 plural(s.transitions, "transition"),
                 s.in_levels ? fmt::format("depth {}   ", with_commas(s.depth())) : "",
                 seconds_text(result.seconds));
  if (result.earlier_seconds > 0)
    fmt::format_to(out, " (and {} earlier)", seconds_text(result.earlier_seconds));
  if (result.seconds >= 0.1 && states_now > 0)
    fmt::format_to(out, "   {} states/s", with_commas(static_cast<std::uint64_t>(rate)));
  fmt::format_to(out, "   memory {}\n", bytes_text(result.peak_memory_bytes));
  products(out, result.runs);
  if (!result.ranks.empty())
    fmt::format_to(
        out, "  {} ranks, skew {:.2f}   sent {}   memory {} and disk {} in all\n",
        result.ranks.size(), skew(result.ranks), bytes_text(sum(result.ranks).bytes_sent),
        bytes_text(sum(result.ranks).peak_memory_bytes), bytes_text(sum(result.ranks).disk_bytes));
  if (s.activities) {
    std::string parts;
    for (std::size_t i = 0; i < kActivities.size(); ++i)
      if ((*s.activities)[i] > 0)
        parts += fmt::format("{}{} {:.2f} s", parts.empty() ? "" : ", ", kActivities[i],
                             (*s.activities)[i]);
    fmt::format_to(out, "  {}; read {}, written {}\n", parts, bytes_text(s.disk_bytes_read),
                   bytes_text(s.disk_bytes_written));
  }
  if (s.revisits != 0)
    fmt::format_to(
        out, "  {} repeated; their transitions are counted each time\n",
        s.revisits == 1 ? "1 expansion was" : with_commas(s.revisits) + " expansions were");
  if (s.unfinished)
    fmt::format_to(out,
                   "  level {} was not finished: {} of its {} were expanded (not counted above)\n",
                   with_commas(s.unfinished->level), with_commas(s.unfinished->expanded),
                   plural(s.unfinished->states, "state"));
}

std::vector<ShownProperty> shown_properties(const Subject& subject, const CheckResult& result) {
  std::vector<ShownProperty> all;
  for (const PropertyResult& property : result.properties(*subject.model, subject.deadlock))
    all.push_back(shown(property));
  return all;
}

// What the user can do about a result that is not final.
std::string_view advice(const Verdict& verdict) {
  if (verdict.final) return "";
  if (verdict.outcome == Outcome::violated)
    return verdict.complete
               ? "The check was stopped before all properties were decided. More may be violated."
               : "The search was stopped before it was complete. More properties may be violated.";
  if (verdict.complete) return "";  // the reason says it all
  switch (verdict.exit) {
    case Exit::time:
      return "No violation was found in the complete levels. Raise --timeout, or leave it out.";
    case Exit::memory:
      return "No violation was found in the complete levels. Raise --memory, or make the model "
             "smaller.";
    case Exit::disk:
      return "No violation was found in the complete levels. Free disk space, raise --disk-limit, "
             "or use another --disk.";
    case Exit::bound:
      return "No violation was found within the bound. Raise --max-depth or --max-states, or leave "
             "them out.";
    case Exit::interrupted:
    case Exit::terminated: return "No violation was found in the complete levels.";
    default: return "";
  }
}

bool was_stopped(const Verdict& verdict) {
  return verdict.exit == Exit::time || verdict.exit == Exit::interrupted ||
         verdict.exit == Exit::terminated;
}

// A job that always gets as little time would repeat this for ever.
bool is_where_it_was(const CheckResult& result) {
  std::uint64_t states = result.statistics.states;
  std::uint64_t earlier = result.earlier_states;
  for (const RunResult& run : result.runs) {
    if (run.product) states += run.product->states;
    earlier += run.earlier_states;
  }
  return was_stopped(result.verdict) && !result.verdict.complete && result.untraced.empty() &&
         states == earlier;
}

// How to resume a run that is not finished.
void continuation(Out out, const Subject& subject, const CheckResult& result) {
  if (result.verdict.final) return;
  if (subject.run_directory.empty()) {
    if (subject.could_be_kept && (was_stopped(result.verdict) || result.verdict.exit == Exit::disk))
      fmt::format_to(out, "  With --run-dir DIR, this run could be resumed now.\n");
    return;
  }
  if (is_where_it_was(result))
    fmt::format_to(out,
                   "  No level was completed in {}, so the run is where it was before. Allow more "
                   "time.\n",
                   seconds_text(result.seconds));
  if (!result.not_saved.empty())
    fmt::format_to(out, "  The last levels could not be saved: {}\n", printable(result.not_saved));
  fmt::format_to(
      out, "  Resume with: {}\n",
      printable(resume_command(subject.run_directory, subject.native_model, subject.ranks)));
}

void counterexamples(const TextSink& sink, const Subject& subject, const CheckResult& result,
                     TraceStyle style) {
  for (const Trace& trace : result.traces) {
    if (trace.finding.kind == PropertyKind::cover) continue;
    const Model& model = model_of(trace, *subject.model);
    sink(fmt::format(
        "Counterexample for {}, {}{}:\n", violated_text(model, trace),
        plural(trace.finding.depth, "step"),
        trace.finding.loop.empty()
            ? ""
            : fmt::format(" and a loop of {}", with_commas(trace.finding.loop.size()))));
    write_trace_text(model.description(), trace, style, sink);
    sink("\n");
  }
}

// Between the counterexamples and the last line.
void details(Out out, const Subject& subject, const CheckResult& result, const TextStyle& style) {
  if (result.verdict.outcome == Outcome::error && result.statistics.states == 0) return;
  figures(out, result);
  fmt::format_to(out, "{}{}",
                 properties_text(shown_properties(subject, result), {style.verbose, style.color}),
                 coverage_text(result, style.verbose));
  if (!result.coverage)
    for (const std::string& name : subject.model->assumptions())
      fmt::format_to(out, "  assumption \"{}\": taken for granted\n", printable(name));
  if (!result.no_room.empty()) fmt::format_to(out, "  {}\n", printable(result.no_room));
  if (!result.untraced.empty())
    fmt::format_to(out, "  {}\n", result.untraced);
  else if (const std::string_view hint = advice(result.verdict); !hint.empty())
    fmt::format_to(out, "  {}\n", hint);
  continuation(out, subject, result);
}

}  // namespace

std::string opening_text(const Subject& subject) {
  const Model& model = *subject.model;
  const std::size_t properties =
      CheckResult{}.properties(model, subject.deadlock).size() + subject.formulas;
  return fmt::format(
      "{}: {} per state, {}{}, {}, up to {} of memory\n{}", subject_name(subject),
      plural(model.steps().row_bits(), "bit"),
      subject.symmetry == "off" ? "" : fmt::format("{} symmetry, ", subject.symmetry),
      properties_counted(properties), plural(subject.threads, "thread"),
      bytes_text(subject.memory_bytes),
      subject.run_semantics.empty() ? "" : fmt::format("runs: {}\n", subject.run_semantics));
}

void write_result_text(const Subject& subject, const CheckResult& result, const TextStyle& style,
                       const TextSink& sink) {
  std::string text;
  if (!style.brief && subject.model != nullptr) {
    counterexamples(sink, subject, result, style.trace);
    details(std::back_inserter(text), subject, result, style);
  }
  sink(text + verdict_line(subject, result, style.brief, style.color));
}

std::string result_text(const Subject& subject, const CheckResult& result, const TextStyle& style) {
  return whole_text([&](const TextSink& sink) { write_result_text(subject, result, style, sink); });
}

}  // namespace spillway
