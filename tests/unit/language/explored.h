// All states of a small model in DVE, by the interpreter.
#pragma once

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "language/dve/dve.h"
#include "program/interpreter.h"

namespace spillway {

class Explored {
 public:
  explicit Explored(std::string_view text, DveErrors errors = DveErrors::report)
      : program(std::move(
            read_dve("some.dve", text, {.errors = errors, .property = DveProperty::product})
                .program)),
        interpreter_(program) {
    const auto add = [&](const Word* row) {
      const std::vector<Word> state(row, row + interpreter_.layout().words());
      if (known_.insert(state).second) states.push_back(state);
    };
    note(interpreter_.initial([&](const Word* row, program::InstanceIndex) { add(row); }));
    for (std::size_t i = 0; i < states.size() && failure.empty() && i < 10000; ++i) {
      const std::vector<Word> state = states[i];
      std::size_t successors = 0;
      note(interpreter_.successors(state, [&](const Word* row, program::InstanceIndex) {
        add(row);
        ++successors;
      }));
      transitions += successors;
      deadlocks += successors == 0 ? 1 : 0;
    }
  }

  // The values of a variable in a state, in the order of its cells.
  program::Value value(std::size_t state, const std::string& name, std::size_t part = 0) const {
    std::vector<program::Value> all(interpreter_.layout().cells().size());
    interpreter_.layout().unpack(states.at(state), all.data());
    std::size_t cell = 0;
    for (const program::Variable& variable : program.variables) {
      if (variable.name == name) return all.at(cell + part);
      cell += program::cells(*variable.type);
    }
    ADD_FAILURE() << "there is no variable " << name;
    return 0;
  }
  // All values that a variable has somewhere.
  std::set<program::Value> values(const std::string& name, std::size_t part = 0) const {
    std::set<program::Value> all;
    for (std::size_t i = 0; i < states.size(); ++i) all.insert(value(i, name, part));
    return all;
  }
  bool accepting(std::size_t state) {
    return interpreter_.holds(*program.accepting, states.at(state));
  }

  program::Program program;
  std::vector<std::vector<Word>> states;
  std::size_t transitions = 0, deadlocks = 0;
  std::string failure;

 private:
  void note(const std::optional<program::Failure>& what) {
    if (what) failure = what->failed.what;
  }

  program::Interpreter interpreter_;
  std::set<std::vector<Word>> known_;
};

using Values = std::set<program::Value>;

}  // namespace spillway
