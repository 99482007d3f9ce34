#include <fmt/format.h>

#include <iterator>

#include "base/text/printable.h"
#include "report/trace/trace_forms.h"

namespace spillway {

std::string saved_trace_text(const SavedTrace& trace, bool full) {
  std::string text = fmt::format("{}: {} \"{}\"{}\n", printable(trace.model), printable(trace.kind),
                                 printable(trace.property),
                                 trace.line != 0 ? fmt::format(" (line {})", trace.line) : "");
  const auto out = std::back_inserter(text);
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const SavedStep& step = trace.steps[i];
    if (i != 0 && i == trace.first_omitted && trace.omitted != 0)
      fmt::format_to(out, "  {}: the changes of step {} are those since step {}.\n",
                     omission_text(trace), trace.number_of(i), i - 1);
    fmt::format_to(out, "  Step {}: {}{}\n", trace.number_of(i), printable(step.rule),
                   step.line != 0 && step.rule.find(" at line ") == std::string::npos
                       ? fmt::format(" (line {})", step.line)
                       : "");
    bool changed = false;
    for (std::size_t j = 0; j < step.state.size(); ++j) {
      const auto& [name, value] = step.state[j];
      const std::string* before = i == 0 ? nullptr : value_in(trace.steps[i - 1], name, j);
      changed = changed || before == nullptr || *before != value;
      if (full || before == nullptr)
        fmt::format_to(out, "    {}: {}\n", printable(name), printable(value));
      else if (*before != value)
        fmt::format_to(out, "    {}: {} -> {}\n", printable(name), printable(*before),
                       printable(value));
    }
    if (!full && !changed && i != 0) fmt::format_to(out, "    (nothing shown changes)\n");
  }
  if (trace.loop_start)
    fmt::format_to(out, "  Back to step {}: the steps after it repeat for ever.\n",
                   trace.number_of(*trace.loop_start));
  if (!trace.remark.empty()) fmt::format_to(out, "  {}\n", printable(trace.remark));
  return text;
}

}  // namespace spillway
