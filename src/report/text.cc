#include "report/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/printable.h"
#include "base/quantity.h"
#include "report/status.h"

namespace spillway {
namespace {

using Out = std::back_insert_iterator<std::string>;

std::string plural(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", with_commas(count), noun, count == 1 ? "" : "s");
}

// What was violated, as a noun.
std::string violated_text(const Model& model, const Finding& finding) {
  switch (finding.kind) {
    case FindingKind::invariant:
      return fmt::format("invariant \"{}\"", printable(model.properties()[finding.property].name));
    case FindingKind::assertion:
      return fmt::format("assertion \"{}\"", printable(model.properties()[finding.property].name));
    case FindingKind::cover:
      return fmt::format("cover property \"{}\"",
                         printable(model.properties()[finding.property].name));
    case FindingKind::reachable:
      return fmt::format("liveness property \"{}\"",
                         printable(model.properties()[finding.property].name));
    case FindingKind::deadlock: return "deadlock";
    case FindingKind::runtime_error: return "run-time error";
  }
  return "";
}

std::string at_depth(const Trace& trace) {
  return fmt::format(" at depth {}{}", with_commas(trace.finding.depth),
                     trace.shortest ? " (shortest)" : "");
}

// Everything that is violated.  A cover property that holds nowhere has no depth.  Violations of
// one level share its depth.  A liveness property has its own.
std::string violations_text(const Model& model, const std::vector<Trace>& traces) {
  std::string nowhere, in_a_level, from_somewhere;
  const Trace* found = nullptr;
  const auto add = [](std::string& to, const std::string& what, std::string_view between) {
    to += fmt::format("{}{}", to.empty() ? "" : between, what);
  };
  for (const Trace& trace : traces) {
    const std::string what = violated_text(model, trace.finding);
    if (trace.finding.kind == FindingKind::cover) {
      add(nowhere, what + " holds in no reachable state", "; ");
    } else if (trace.finding.kind == FindingKind::reachable) {
      add(from_somewhere, what + at_depth(trace), "; ");
    } else {
      add(in_a_level, what, ", ");
      found = &trace;
    }
  }
  if (found != nullptr) in_a_level += at_depth(*found);
  std::string all;
  for (const std::string& part : {nowhere, in_a_level, from_somewhere})
    if (!part.empty()) add(all, part, "; ");
  return all;
}

std::string verdict_line(const Subject& subject, const CheckResult& result, bool brief) {
  const Verdict& verdict = result.verdict;
  if (verdict.outcome == Outcome::error) {
    const std::string reason = printable_lines(verdict.reason);
    return fmt::format("{}  {}\n", word(verdict.outcome),
                       brief ? reason.substr(0, reason.find('\n')) : reason);
  }
  const std::string name =
      printable(subject.model != nullptr ? subject.model->name() : subject.path);
  if (verdict.outcome != Outcome::violated)
    return fmt::format("{}  {}  ({})\n", word(verdict.outcome), name, printable(verdict.reason));
  return fmt::format("{}  {}  {}\n", word(verdict.outcome), name,
                     violations_text(*subject.model, result.traces));
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
  if (result.seconds >= 0.1)
    fmt::format_to(out, "   {} states/s", with_commas(static_cast<std::uint64_t>(rate)));
  fmt::format_to(out, "   memory {}\n", bytes_text(result.peak_memory_bytes));
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

std::string property_verb(const PropertyResult& property) {
  if (property.ignored) return "ignored";
  if (!property.checked) return "not checked";
  switch (property.outcome) {
    case Outcome::verified: return "holds";
    case Outcome::verified_probabilistic: return "holds (probabilistic)";
    case Outcome::violated:
      if (property.kind == "cover") return "VIOLATED: it holds in no reachable state";
      if (property.trace == nullptr) return "VIOLATED";
      return fmt::format("VIOLATED at depth {}", with_commas(property.trace->finding.depth));
    default: return "not decided";
  }
}

void property_lines(Out out, const Subject& subject, const CheckResult& result) {
  for (const PropertyResult& property : result.properties(*subject.model, subject.deadlock))
    fmt::format_to(out, "  {}\n",
                   property_line(property.kind, property.name, property_verb(property)));
  for (const std::string& name : subject.model->assumptions())
    fmt::format_to(out, "  {}\n", property_line("assumption", name, "taken for granted"));
}

// What the user can do about an inconclusive result.
std::string_view advice(const Verdict& verdict) {
  if (verdict.final || verdict.complete) return "";  // the reason says it all
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

// How to resume a run that is not finished.
void continuation(Out out, const Subject& subject, const CheckResult& result) {
  if (result.verdict.final) return;
  if (subject.run_directory.empty()) {
    const Exit exit = result.verdict.exit;
    if (exit == Exit::time || exit == Exit::interrupted || exit == Exit::terminated ||
        exit == Exit::disk)
      fmt::format_to(out, "  With --run-dir DIR, this run could be resumed now.\n");
    return;
  }
  if (!result.not_saved.empty())
    fmt::format_to(out, "  The last levels could not be saved: {}\n", printable(result.not_saved));
  fmt::format_to(out, "  Resume with: {}\n",
                 printable(resume_command(subject.run_directory, subject.native_model)));
}

void print_variable(Out out, const Variable& variable) {
  fmt::format_to(out, "    {}: {}\n", printable(variable.name), printable(variable.value));
}

void print_changes(Out out, const std::vector<Variable>& before,
                   const std::vector<Variable>& after) {
  bool changed = false;
  for (std::size_t i = 0; i < after.size(); ++i) {
    const bool known = i < before.size() && before[i].name == after[i].name;
    if (known && before[i].value == after[i].value) continue;
    changed = true;
    if (known)
      fmt::format_to(out, "    {}: {} -> {}\n", printable(after[i].name),
                     printable(before[i].value), printable(after[i].value));
    else
      print_variable(out, after[i]);
  }
  if (!changed) fmt::format_to(out, "    (nothing changes)\n");
}

}  // namespace

std::string opening_text(const Subject& subject) {
  const Model& model = *subject.model;
  return fmt::format(
      "{}: {} per state, {}{}, {}, up to {} of memory\n", printable(model.name()),
      plural(model.row_bits(), "bit"),
      subject.symmetry == "off" ? "" : fmt::format("{} symmetry, ", subject.symmetry),
      model.properties().size() == 1 ? "1 property"
                                     : fmt::format("{} properties", model.properties().size()),
      plural(subject.threads, "thread"), bytes_text(subject.memory_bytes));
}

std::string trace_text(const Model& model, const Trace& trace) {
  std::string text;
  const Out out = std::back_inserter(text);
  std::vector<Variable> before;
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const Step& step = trace.steps[i];
    std::vector<Variable> after = model.variables(step.row);
    fmt::format_to(out, "  Step {}: {}\n", i, printable(model.step_text(step.rule)));
    if (i == 0)
      for (const Variable& variable : after) print_variable(out, variable);
    else
      print_changes(out, before, after);
    before = std::move(after);
  }
  if (trace.steps.size() > 1) {
    fmt::format_to(out, "  The last state in full:\n");
    for (const Variable& variable : before) print_variable(out, variable);
  }
  if (trace.finding.kind == FindingKind::invariant)
    if (const std::string why = model.explanation(trace.finding.property, trace.finding.row);
        !why.empty())
      fmt::format_to(out, "  In this state: {}\n", printable(why));
  if (trace.finding.kind == FindingKind::reachable)
    fmt::format_to(out, "  From this state no state where it holds can be reached.\n");
  if (const std::optional<Failure>& failure = trace.finding.failure) {
    const std::string message = printable(failure->message);
    if (trace.steps.empty())
      fmt::format_to(out, "  While computing the initial states: {}\n", message);
    else if (failure->rule == kNoRule)
      fmt::format_to(out, "  In this state: {}\n", message);
    else
      fmt::format_to(out, "  In this state rule \"{}\" fails: {}\n",
                     printable(model.rule_name(failure->rule)), message);
  }
  return text;
}

std::string result_text(const Subject& subject, const CheckResult& result, bool brief) {
  std::string text;
  const Out out = std::back_inserter(text);
  if (!brief && subject.model != nullptr) {
    for (const Trace& trace : result.traces) {
      if (trace.finding.kind == FindingKind::cover) continue;
      fmt::format_to(out, "Counterexample for {}, {}:\n{}\n",
                     violated_text(*subject.model, trace.finding),
                     plural(trace.finding.depth, "step"), trace_text(*subject.model, trace));
    }
  }
  text += verdict_line(subject, result, brief);
  if (brief || subject.model == nullptr) return text;
  if (result.verdict.outcome == Outcome::error && result.statistics.states == 0) return text;
  figures(out, result);
  property_lines(out, subject, result);
  if (!result.no_room.empty()) fmt::format_to(out, "  {}\n", printable(result.no_room));
  if (!result.untraced.empty())
    fmt::format_to(out, "  {}\n", result.untraced);
  else if (const std::string_view hint = advice(result.verdict); !hint.empty())
    fmt::format_to(out, "  {}\n", hint);
  continuation(out, subject, result);
  return text;
}

}  // namespace spillway
