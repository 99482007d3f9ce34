#include "cli/step_by_hand.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/text/printable.h"
#include "base/text/quantity.h"
#include "report/trace/state_text.h"
#include "report/words/words.h"

namespace spillway {
namespace {

constexpr std::size_t kLongChanges = 100;  // bytes of one line
constexpr std::size_t kMostShown = 200;    // choices

constexpr std::string_view kHelp = R"(  N             take step N of those listed
  back [N]      take back the last step, or the last N
  forward [N]   take again what was taken back
  list          list what can happen here
  state         show all of this state
  trace         show the steps so far
  restart       go back to the beginning, and choose again
  help          show this
  quit          end; so does the end of the input
)";

// "x: 1 -> 2; y: 3 -> 4", not longer than a line.
std::string changes_in_a_line(const std::vector<std::string>& lines) {
  std::string all;
  for (const std::string& line : lines) {
    if (!all.empty() && all.size() + line.size() > kLongChanges) return all + "; ...";
    all += (all.empty() ? "" : "; ") + line;
  }
  return all.empty() ? "(nothing changes)" : all;
}

std::string indented(const std::vector<std::string>& lines) {
  std::string all;
  for (const std::string& line : lines) all += fmt::format("    {}\n", line);
  return all;
}

std::optional<std::size_t> number_in(const std::string& word) {
  try {
    return parse_count(word);
  } catch (const Error&) {
    return std::nullopt;
  }
}

// The words of a line.
std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> all;
  std::string one;
  for (const char c : line + " ") {
    if (c != ' ' && c != '\t' && c != '\r') {
      one += c;
    } else if (!one.empty()) {
      all.push_back(one);
      one.clear();
    }
  }
  return all;
}

// A word may be shortened to its first letter.
bool is(const std::string& word, std::string_view name) {
  return word == name || (word.size() == 1 && word.front() == name.front());
}

}  // namespace

StepByHand::StepByHand(const Model& model, Deadlock deadlock, Say say)
    : model_(model), description_(model.description()), deadlock_(deadlock), say_(std::move(say)) {}

void StepByHand::run(std::istream& words, bool prompts) {
  begin();
  if (prompts) say_("Type a number, or help.\n");
  for (;;) {
    if (prompts) say_("> ");
    std::string line;
    if (!std::getline(words, line)) return;
    if (!obey(line)) return;
  }
}

void StepByHand::begin() {
  steps_.clear();
  here_ = 0;
  next_steps_ = initial_next_steps(model_);
  if (next_steps_.failure)
    say_(fmt::format("While computing the initial states: {}\n",
                     printable(next_steps_.failure->message)));
  if (next_steps_.steps.size() == 1) return choose(1);
  say_(fmt::format("{}:\n", plural(next_steps_.steps.size(), "initial state")));
  show_choices();
}

bool StepByHand::obey(const std::string& line) {
  const std::vector<std::string> words = words_of(line);
  if (words.empty()) return true;
  const std::string& word = words.front();
  const std::optional<std::size_t> second =
      words.size() == 2 ? number_in(words[1]) : std::optional<std::size_t>(1);
  if (words.size() > 2 || !second ||
      (words.size() == 2 && !is(word, "back") && !is(word, "forward")))
    say_(fmt::format("'{}' is not understood; help lists what is\n", printable(line)));
  else if (is(word, "quit"))
    return false;
  else if (is(word, "help"))
    say_(std::string(kHelp));
  else if (is(word, "back"))
    move(here_ - std::min(here_, *second));
  else if (is(word, "forward"))
    move(here_ + std::min(steps_.size() - std::min(steps_.size(), here_ + 1), *second));
  else if (is(word, "list"))
    show_choices();
  else if (is(word, "state"))
    show_state();
  else if (is(word, "trace"))
    show_trace();
  else if (is(word, "restart"))
    begin();
  else if (const std::optional<std::size_t> number = number_in(word))
    choose(*number);
  else
    say_(fmt::format("'{}' is not understood; help lists what is\n", printable(word)));
  return true;
}

void StepByHand::choose(std::size_t number) {
  if (number == 0 || number > next_steps_.steps.size())
    return say_(next_steps_.steps.empty()
                    ? "There is no step from here.\n"
                    : fmt::format("There is no step {}; they are numbered from 1 to {}.\n",
                                  with_commas(number), with_commas(next_steps_.steps.size())));
  steps_.resize(has_begun() ? here_ + 1 : 0);
  steps_.push_back(next_steps_.steps[number - 1]);
  here_ = steps_.size() - 1;
  look_around();
}

void StepByHand::move(std::size_t to) {
  if (!has_begun()) return say_("No initial state was chosen yet.\n");
  if (to == here_)
    return say_(here_ == 0 ? "This is the first step.\n" : "This is the last step.\n");
  here_ = to;
  look_around();
}

void StepByHand::look_around() {
  next_steps_ = next_steps(model_, deadlock_, steps_[here_].row);
  show_step();
  show_findings();
  show_choices();
}

void StepByHand::show_step() {
  const std::vector<StatePart> after = description_.parts(steps_[here_].row);
  std::vector<std::string> lines =
      here_ == 0 ? state_lines(after)
                 : change_lines(description_.parts(steps_[here_ - 1].row), after);
  if (lines.empty()) lines.emplace_back("(nothing changes)");
  say_(fmt::format("Step {}: {}\n{}", with_commas(here_),
                   printable(description_.step_text(steps_[here_].rule)), indented(lines)));
}

void StepByHand::show_findings() const {
  for (const PropertyIndex property : next_steps_.noted) {
    const Property& one = model_.properties()[property];
    if (one.kind != PropertyKind::invariant) continue;
    const std::string why = description_.explanation(property, steps_[here_].row).text;
    say_(fmt::format("  VIOLATED here: invariant \"{}\"{}\n", printable(one.name),
                     why.empty() ? "" : fmt::format(" ({})", printable(why))));
  }
  if (next_steps_.failure && next_steps_.failure->rule == kNoRule)
    say_(fmt::format("  VIOLATED here: {}\n", printable(next_steps_.failure->message)));
  else if (next_steps_.failure)
    say_(fmt::format("  VIOLATED here: rule \"{}\" fails: {}\n",
                     printable(description_.rule_name(next_steps_.failure->rule)),
                     printable(next_steps_.failure->message)));
  if (next_steps_.deadlock) say_("  VIOLATED here: deadlock\n");
}

void StepByHand::show_choices() {
  if (next_steps_.steps.empty()) return say_("  There is no step from here.\n");
  const std::vector<StatePart> before =
      has_begun() ? description_.parts(steps_[here_].row) : std::vector<StatePart>();
  std::string text;
  for (std::size_t i = 0; i < std::min(next_steps_.steps.size(), kMostShown); ++i) {
    const Step& step = next_steps_.steps[i];
    const std::vector<StatePart> after = description_.parts(step.row);
    text += fmt::format(
        "  {:>3}  {}: {}\n", i + 1, printable(description_.rule_name(step.rule)),
        changes_in_a_line(has_begun() ? change_lines(before, after) : state_lines(after)));
  }
  if (next_steps_.steps.size() > kMostShown)
    text += fmt::format("  and so on up to {}\n", with_commas(next_steps_.steps.size()));
  say_(text);
}

void StepByHand::show_state() const {
  if (!has_begun()) return say_("No initial state was chosen yet.\n");
  say_(fmt::format("The state after step {}:\n{}", with_commas(here_),
                   indented(state_lines(description_.parts(steps_[here_].row)))));
}

void StepByHand::show_trace() const {
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const std::vector<StatePart> after = description_.parts(steps_[i].row);
    const std::vector<std::string> lines =
        i == 0 ? state_lines(after) : change_lines(description_.parts(steps_[i - 1].row), after);
    say_(fmt::format("{} Step {}: {}\n{}", i == here_ ? '>' : ' ', with_commas(i),
                     printable(description_.step_text(steps_[i].rule)), indented(lines)));
  }
}

}  // namespace spillway
