// A model as tests like to look at it: states and rules by name.
#pragma once

#include <string>
#include <vector>

#include "model/model.h"

namespace spillway {

inline std::string name_of(const Model& graph, Word number) {
  const std::vector<Word> row = {number};
  return graph.description().variables(row).at(0).value;
}

// REQUIRES: a graph that has a state of this name.
inline std::vector<Word> row_of(const Model& graph, const std::string& name) {
  Word number = 0;
  while (name_of(graph, number) != name) ++number;
  return {number};
}

// "left by step": the states and the rules that make them.
inline std::vector<std::string> named(const Model& graph, const Successors& made) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < made.size(); ++i)
    names.push_back(name_of(graph, made.states()[i][0]) + " by " +
                    graph.description().rule_name(made.rule(i)));
  return names;
}

inline std::vector<std::string> initial_of(const Model& graph) {
  Successors made(1);
  made.want_rules(true);
  graph.steps().initial(made);
  return named(graph, made);
}

inline std::vector<std::string> successors_of(const Model& graph, const std::string& state) {
  Successors made(1);
  made.want_rules(true);
  graph.steps().successors(row_of(graph, state), made);
  return named(graph, made);
}

// The names of the invariants that are false in the state.
inline std::vector<std::string> violated_in(const Model& model, const std::string& state) {
  std::vector<PropertyIndex> violated(model.properties().size());
  violated.resize(model.conditions().check(row_of(model, state), violated.data()));
  std::vector<std::string> names;
  for (const PropertyIndex i : violated) names.push_back(model.properties()[i].name);
  return names;
}

}  // namespace spillway
