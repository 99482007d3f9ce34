#include "cli/explorer.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text/printable.h"
#include "base/text/quantity.h"

namespace spillway {
namespace {

// The numbers between the points of an address; std::nullopt if there is anything else.
std::optional<std::vector<std::size_t>> numbers_of(std::string_view text) {
  std::vector<std::size_t> all;
  while (true) {
    const std::string_view one = text.substr(0, text.find('.'));
    if (one.empty() || one.size() > 9 || one.find_first_not_of("0123456789") != one.npos)
      return std::nullopt;
    all.push_back(parse_count(one));
    if (one.size() == text.size()) return all;
    text.remove_prefix(one.size() + 1);
  }
}

// Whether a state is the one that was saved.
bool is_saved(const Description& description, State state, const SavedStep& saved) {
  const std::vector<Variable> variables = description.variables(state);
  return std::ranges::equal(variables, saved.state, [](const Variable& a, const SavedVariable& b) {
    return a.name == b.name && a.value == b.value;
  });
}

std::string title_of(const SavedTrace& trace) {
  return fmt::format("Counterexample for {} \"{}\"", trace.kind, trace.property);
}

}  // namespace

Explorer::Explorer(const Model& model, Deadlock deadlock)
    : model_(model),
      deadlock_(deadlock),
      pages_(model, deadlock),
      initial_(initial_next_steps(model)) {}

bool Explorer::add_trace(const SavedTrace& trace) {
  std::vector<Step> steps;
  const std::vector<Step>* possible = &initial_.steps;
  NextSteps next;
  const Description& description = model_.description();
  for (const SavedStep& saved : trace.steps) {
    const auto found = std::ranges::find_if(*possible, [&](const Step& step) {
      return description.rule_name(step.rule) == saved.rule &&
             is_saved(description, step.row, saved);
    });
    if (found == possible->end()) return false;
    steps.push_back(*found);
    next = next_steps(model_, deadlock_, steps.back().row);
    possible = &next.steps;
  }
  add_trace(title_of(trace), std::move(steps));
  return true;
}

void Explorer::add_trace(std::string title, std::vector<Step> steps) {
  traces_.push_back({std::move(title), fmt::format("t{}", traces_.size() + 1), std::move(steps)});
}

bool Explorer::begin(char kind, const std::vector<std::size_t>& numbers, std::size_t& taken,
                     ExplorerState& state, std::string& why) const {
  if (kind == 'i') {
    taken = 1;
    state.address = fmt::format("i{}", numbers[0]);
    if (numbers[0] == 0 || numbers[0] > initial_.steps.size()) {
      why = fmt::format("The model has {} initial states.", with_commas(initial_.steps.size()));
      return false;
    }
    state.path.push_back({state.address, initial_.steps[numbers[0] - 1]});
    return true;
  }
  taken = 2;
  if (numbers.size() < 2 || numbers[0] == 0 || numbers[0] > traces_.size() ||
      numbers[1] >= traces_[numbers[0] - 1].steps.size()) {
    why = "There is no such step of a trace.";
    return false;
  }
  const ExplorerTrace& trace = traces_[numbers[0] - 1];
  for (std::size_t i = 0; i <= numbers[1]; ++i)
    state.path.push_back({fmt::format("{}.{}", trace.address, i), trace.steps[i]});
  state.address = state.path.back().address;
  return true;
}

std::optional<ExplorerState> Explorer::state_at(const std::string& address,
                                                std::string& why) const {
  const char kind = address.empty() ? ' ' : address.front();
  const auto numbers = numbers_of(std::string_view(address).substr(address.empty() ? 0 : 1));
  if ((kind != 'i' && kind != 't') || !numbers) {
    why = "This is no address of a state, such as i1.2.3.";
    return std::nullopt;
  }
  ExplorerState state;
  std::size_t taken = 0;
  if (!begin(kind, *numbers, taken, state, why)) return std::nullopt;
  state.next_steps = next_steps(model_, deadlock_, state.path.back().step.row);
  for (std::size_t i = taken; i < numbers->size(); ++i) {
    const std::size_t choice = (*numbers)[i];
    if (choice == 0 || choice > state.next_steps.steps.size()) {
      why = fmt::format("After {} there is no step {}.", state.address, choice);
      return std::nullopt;
    }
    state.address += fmt::format(".{}", choice);
    state.path.push_back({state.address, state.next_steps.steps[choice - 1]});
    state.next_steps = next_steps(model_, deadlock_, state.path.back().step.row);
  }
  return state;
}

HttpAnswer Explorer::answer(const std::string& address) const {
  if (address.empty()) return {200, "text/html; charset=utf-8", pages_.start(initial_, traces_)};
  std::string why;
  const std::optional<ExplorerState> state = state_at(address, why);
  if (!state) return {404, "text/html; charset=utf-8", pages_.nowhere(why)};
  return {200, "text/html; charset=utf-8", pages_.state(*state)};
}

std::vector<HttpRoute> Explorer::routes() const {
  const auto text = [](std::string type, std::string_view body) {
    return [type = std::move(type), body](const HttpQuestion&) {
      return HttpAnswer{200, type, std::string(body)};
    };
  };
  const std::string folder = "/state/";
  return {{"/",
           [folder](const HttpQuestion&) {
             return HttpAnswer{302, "text/plain", "", "", folder};
           }},
          {folder,
           [this, folder](const HttpQuestion& question) {
             return answer(question.path.substr(folder.size()));
           }},
          {"/explore.css", text("text/css; charset=utf-8", ExplorerPages::style())},
          {"/explore.js", text("text/javascript; charset=utf-8", ExplorerPages::script())}};
}

}  // namespace spillway
