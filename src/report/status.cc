#include "report/status.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/text/printable.h"
#include "base/text/quantity.h"
#include "check/facts/verdict.h"
#include "report/json.h"
#include "report/progress/progress.h"
#include "report/properties_text.h"
#include "report/status_of_ranks.h"

namespace spillway {
namespace {

// Where it is said how to go on: not the path in the configuration, which may come from somebody
// else.
std::string model_to_name(const RunStatus& status) { return status.native ? "FILE" : ""; }

// Whether no later process can change it.
bool is_final(const ReadResult& result) {
  for (const Outcome outcome : {Outcome::verified, Outcome::verified_probabilistic})
    if (result.verdict == json_word(outcome)) return true;
  return result.verdict != json_word(Outcome::error) && result.marked_final;
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

Standing standing_of(const std::string& verdict) {
  constexpr std::pair<std::string_view, Standing> kMeanings[] = {
      {"verified", Standing::holds},
      {"verified-probabilistic", Standing::probably_holds},
      {"violated", Standing::violated},
      {"ignored", Standing::ignored}};
  for (const auto& [word, meaning] : kMeanings)
    if (word == verdict) return meaning;
  return Standing::undecided;
}

std::string property_lines(const ReadResult& result) {
  std::vector<ShownProperty> shown;
  for (const ReadResult::Property& property : result.properties)
    shown.push_back({property.kind, property.name, property.line, standing_of(property.verdict)});
  return properties_text(shown, {false, false, "--json lists all"});
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

// Where the process is.  Of one that was killed, where it was last seen.
std::string now_line(const RunStatus& status, bool ended) {
  if (!status.live || (!status.user && ended)) return "";
  const auto age = std::max<std::int64_t>(0, status.read - status.live->written);
  return fmt::format("  {} {} ago: {}\n", status.user ? "now, as of" : "last seen",
                     age < 60 ? fmt::format("{} s", age) : seconds_text(static_cast<double>(age)),
                     progress_text(figures_of(*status.live)));
}

std::string forecast_line(const RunStatus& status) {
  const std::optional<Forecast> said = forecast(status);
  return said ? fmt::format("  forecast: {}\n", forecast_text(*said)) : "";
}

}  // namespace

std::optional<Forecast> forecast(const RunStatus& status) {
  if (!status.checkpoint || status.checkpoint->level_states == 0) return std::nullopt;
  LevelSizes sizes;
  for (std::size_t i = 0; i < status.checkpoint->levels.size(); ++i)
    sizes.set(i, status.checkpoint->levels[i].states);
  sizes.set(sizes.count(), status.checkpoint->level_states);
  ProgressFigures figures = status.live ? figures_of(*status.live) : ProgressFigures{};
  // The time and the states of all processes.
  figures.limits = status.limits;
  figures.progress.level_states = status.checkpoint->level_states;
  figures.progress.states = status.checkpoint->states() + status.checkpoint->level_states;
  figures.progress.expanded = 0;
  figures.progress.seconds = status.checkpoint->seconds;
  return forecast(sizes, figures);
}

namespace {

std::string product_line(const RunStatus::Product& product) {
  const Manifest& checkpoint = product.checkpoint;
  if (checkpoint.decided)
    return fmt::format("  product-{}: complete, {} states, nothing found\n", product.number,
                       with_commas(checkpoint.states()));
  return fmt::format("  product-{}: checkpoint {}: {} states in {} levels, {} in the next\n",
                     product.number, checkpoint.generation, with_commas(checkpoint.states()),
                     with_commas(checkpoint.levels.size()), with_commas(checkpoint.level_states));
}

}  // namespace

std::string resume_command(const std::string& directory, const std::string& model, unsigned ranks) {
  return (ranks > 1 ? fmt::format("mpirun -n {} ", ranks) : "") + "spillway resume " +
         shell_word(directory) + (model.empty() ? "" : " --model " + shell_word(model));
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
  else if (!status.faults.empty())
    fmt::format_to(out, "  no intact checkpoint\n");
  else if (!finished)
    fmt::format_to(out, "  no checkpoint yet\n");
  for (const RunStatus::Product& product : status.products) text += product_line(product);
  text += now_line(status, result.has_value());
  if (!finished) text += forecast_line(status);
  if (!status.parts.empty()) text += ranks_text(status);
  fmt::format_to(out, "  {} on disk\n", bytes_text(status.bytes));
  text += ending(status, result, earlier);
  if (!status.user && !finished)
    fmt::format_to(
        out, "  Resume with: {}\n",
        printable(resume_command(status.directory, model_to_name(status), status.ranks)));
  return text;
}

std::string status_json(const RunStatus& status) {
  const bool finished = is_finished(read_result(status.result), read_result(status.earlier_result));
  return status_document(status, condition(status, finished),
                         resume_command(status.directory, model_to_name(status), status.ranks));
}

}  // namespace spillway
