#include "report/status.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "base/printable.h"
#include "base/quantity.h"
#include "check/verdict.h"
#include "report/json.h"

namespace spillway {
namespace {

// Where it is said how to go on: not the path in the configuration, which may come from somebody
// else.
std::string model_to_name(const RunStatus& status) { return status.native ? "FILE" : ""; }

// Whether no later process can change it.
bool is_final(const ReadResult& result) {
  for (const Outcome outcome :
       {Outcome::verified, Outcome::verified_probabilistic, Outcome::violated})
    if (result.verdict == json_word(outcome)) return true;
  return result.verdict == json_word(Outcome::inconclusive) && result.marked_final;
}

// Of a run: the last result, or an earlier one if the last process left none.  What it says when it
// is final, a process that went on could not change: a run has one model and one set of options.
bool is_finished(const std::optional<ReadResult>& result,
                 const std::optional<ReadResult>& earlier) {
  return result ? is_final(*result) : earlier && is_final(*earlier);
}

std::string_view condition(const RunStatus& status, bool finished) {
  if (status.user) return "running";
  return finished ? "finished" : "stopped";
}

std::string_view verb_of(const std::string& verdict) {
  constexpr std::pair<std::string_view, std::string_view> kVerbs[] = {
      {"verified", "holds"},
      {"verified-probabilistic", "holds (probabilistic)"},
      {"violated", "VIOLATED"},
      {"ignored", "ignored"}};
  for (const auto& [word, verb] : kVerbs)
    if (word == verdict) return verb;
  return "not decided";
}

// What became of each property, a line each.
std::string property_lines(const ReadResult& result) {
  std::string lines;
  for (const ReadResult::Property& property : result.properties)
    lines += fmt::format("  {}\n",
                         property_line(property.kind, property.name, verb_of(property.verdict)));
  return lines;
}

// How the last process ended, and what it found; empty: nobody can tell.
std::string ending(const RunStatus& status, const std::optional<ReadResult>& result,
                   const std::optional<ReadResult>& earlier) {
  const auto in_words = [](const ReadResult& of) {
    return fmt::format("{}: {}\n{}", printable(is_final(of) ? of.verdict : "it stopped"),
                       printable(of.reason), property_lines(of));
  };
  if (result) return fmt::format("  {}", in_words(*result));
  if (status.user || !earlier) return "";
  return fmt::format("  the last process did not end normally; an earlier one: {}",
                     in_words(*earlier));
}

}  // namespace

std::string property_line(std::string_view kind, std::string_view name, std::string_view verb) {
  if (kind == "deadlock" || kind == "runtime-error")
    return fmt::format("{}: {}", printable(name), verb);
  return fmt::format("{} \"{}\": {}", printable(kind), printable(name), verb);
}

std::string resume_command(const std::string& directory, const std::string& model) {
  return "spillway resume " + shell_word(directory) +
         (model.empty() ? "" : " --model " + shell_word(model));
}

std::string status_text(const RunStatus& status) {
  const std::optional<ReadResult> result = read_result(status.result);
  const std::optional<ReadResult> earlier = read_result(status.earlier_result);
  const bool finished = is_finished(result, earlier);
  std::string text = fmt::format(
      "{}: {}{}, started {}\n", printable(status.model), condition(status, finished),
      status.user ? fmt::format(" ({})", printable(*status.user)) : "", printable(status.begun));
  auto out = std::back_inserter(text);
  for (const std::string& fault : status.faults)
    fmt::format_to(out, "  damaged: {}\n", printable(fault));
  if (const auto& checkpoint = status.checkpoint)
    fmt::format_to(out, "  checkpoint {}: {} states in {} levels, {} in the next, after {}\n",
                   checkpoint->generation, with_commas(checkpoint->states()),
                   with_commas(checkpoint->levels.size()), with_commas(checkpoint->level_states),
                   seconds_text(checkpoint->seconds));
  else
    fmt::format_to(out, "  {}\n",
                   status.faults.empty() ? "no checkpoint yet" : "no intact checkpoint");
  fmt::format_to(out, "  {} on disk\n", bytes_text(status.bytes));
  text += ending(status, result, earlier);
  if (!status.user && !finished)
    fmt::format_to(out, "  Resume with: {}\n",
                   printable(resume_command(status.directory, model_to_name(status))));
  return text;
}

std::string status_json(const RunStatus& status) {
  const bool finished = is_finished(read_result(status.result), read_result(status.earlier_result));
  return status_document(status, condition(status, finished),
                         resume_command(status.directory, model_to_name(status)));
}

}  // namespace spillway
