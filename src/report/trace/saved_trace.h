// Counterexamples as they are kept in a result (report/json.h), for whoever shows them again.
//
// A result may come from anybody.  What is read is plain text of any content, so everything that
// shows it escapes it, and is bounded: nothing is deeper than one step and its variables.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spillway {

struct SavedVariable {
  std::string name, value;
  bool operator==(const SavedVariable&) const = default;
};

struct SavedStep {
  std::string rule;                       // with its parameters
  std::string rule_name;                  // without
  std::uint32_t line = 0;                 // of the rule in the model; 0: unknown
  std::vector<SavedVariable> parameters;  // of the rule
  std::vector<SavedVariable> state;       // after it
};

struct SavedTrace {
  std::string model;  // its path
  std::string kind, property;
  std::uint32_t line = 0;  // of the property in the model; 0: unknown
  std::string remark;      // why it is violated there, or about the run; may be empty
  std::vector<SavedStep> steps;
  // The last step leads to the state of steps[*loop_start]: the steps after it repeat for ever.
  std::optional<std::size_t> loop_start;
  // Steps in the middle that were left out: the first of them, and how many.
  std::size_t first_omitted = 0, omitted = 0;

  // The number of steps[i] in the trace, with those that were left out.
  std::size_t number_of(std::size_t i) const {
    return omitted != 0 && i >= first_omitted ? i + omitted : i;
  }
};

// "Steps 10 to 19 are left out"; empty if none are.
std::string omission_text(const SavedTrace& trace);

// Those in a document of `check --json`, in its order.  Throws Error(usage), beginning with `name`,
// if it is no such document.
std::vector<SavedTrace> read_traces(const std::string& document, const std::string& name);

// Which variables are shown.  A pattern has * for any text and ? for any character; all other
// characters stand for themselves, also brackets.
struct VariableFilter {
  std::vector<std::string> only;  // none: all
  std::vector<std::string> hide;
};
bool matches(std::string_view name, std::string_view pattern);
// Removes the other variables from all states.
SavedTrace filtered(SavedTrace trace, const VariableFilter& filter);

// The value of a variable in a state; nullptr if there is none.  `hint`: where it probably is.
const std::string* value_in(const SavedStep& step, const std::string& name, std::size_t hint);

}  // namespace spillway
