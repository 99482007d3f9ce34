#include "report/trace/trace_text.h"

#include <fmt/format.h>

#include <iterator>

#include "base/text/printable.h"
#include "report/trace/state_text.h"

namespace spillway {
namespace {

using Out = std::back_insert_iterator<std::string>;

constexpr std::size_t kPieceBytes = 1 << 16;

void print(Out out, const std::vector<std::string>& lines) {
  for (const std::string& line : lines) fmt::format_to(out, "    {}\n", line);
}

void print_every_variable(Out out, const Description& description, State row) {
  for (const Variable& variable : description.variables(row))
    fmt::format_to(out, "    {}: {}\n", printable(variable.name), printable(variable.value));
}

// The line of the model that a sentence is about, with a caret, below the sentence.
std::string source_text(const std::optional<SourceRange>& where) {
  if (!where) return "";
  const std::string lines = where->excerpt();
  const std::size_t end = lines.find('\n');
  return fmt::format("  {}\n  {}\n", lines.substr(0, end), lines.substr(end + 1));
}

// Adds to `text`, and passes on what has become long.
void write_steps(const Description& description, const PackedSteps& steps, TraceStyle style,
                 const TextSink& sink, std::string& text) {
  const Out out = std::back_inserter(text);
  std::vector<StatePart> before;
  const bool is_cut = style != TraceStyle::full && steps.size() > kMostShownSteps;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (is_cut && i == kMostShownSteps / 2) {
      i = steps.size() - kMostShownSteps / 2;
      fmt::format_to(
          out,
          "  Steps {} to {} are not shown; --trace=full shows all steps, and --json FILE "
          "keeps them for 'spillway trace FILE'.\n",
          kMostShownSteps / 2, i - 1);
      before = description.parts(steps[i - 1].row);
    }
    const Step& step = steps[i];
    if (text.size() >= kPieceBytes) {
      sink(text);
      text.clear();
    }
    fmt::format_to(out, "  Step {}: {}\n", i, printable(description.step_text(step.rule)));
    if (style == TraceStyle::full) {
      print_every_variable(out, description, step.row);
      continue;
    }
    std::vector<StatePart> after = description.parts(step.row);
    const std::vector<std::string> lines =
        i == 0 ? state_lines(after) : change_lines(before, after);
    if (i != 0 && lines.empty()) fmt::format_to(out, "    (nothing changes)\n");
    print(out, lines);
    before = std::move(after);
  }
  if (style == TraceStyle::last && steps.size() > 1) {
    fmt::format_to(out, "  The last state in full:\n");
    print(out, state_lines(before));
  }
}

}  // namespace

void write_trace_text(const Description& description, const Trace& trace, TraceStyle style,
                      const TextSink& sink) {
  std::string text;
  const Out out = std::back_inserter(text);
  write_steps(description, trace.steps, style, sink, text);
  if (trace.finding.kind == PropertyKind::invariant)
    if (const Explanation why = description.explanation(trace.finding.property, trace.finding.row);
        !why.text.empty())
      fmt::format_to(out, "  In this state: {}\n{}", printable(why.text), source_text(why.part));
  if (const std::optional<std::size_t> start = trace.loop_start())
    fmt::format_to(out, "  Back to step {}: the steps after it repeat for ever.\n", *start);
  if (!trace.remark.empty()) fmt::format_to(out, "  {}\n", trace.remark);
  if (trace.finding.kind == PropertyKind::reachable)
    fmt::format_to(out, "  From this state no state where it holds can be reached.\n");
  if (const std::optional<Failure>& failure = trace.finding.failure) {
    const std::string message = printable(failure->message);
    if (trace.steps.empty())
      fmt::format_to(out, "  While computing the initial states: {}\n", message);
    else if (failure->rule == kNoRule)
      fmt::format_to(out, "  In this state: {}\n", message);
    else
      fmt::format_to(out, "  In this state rule \"{}\" fails: {}\n",
                     printable(description.rule_name(failure->rule)), message);
    text += source_text(description.text_at(failure->position));
  }
  sink(text);
}

std::string steps_text(const Description& description, const PackedSteps& steps, TraceStyle style) {
  return whole_text([&](const TextSink& sink) {
    std::string text;
    write_steps(description, steps, style, sink, text);
    sink(text);
  });
}

}  // namespace spillway
