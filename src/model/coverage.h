// Counts how often rules fired in a search, and names the parts of the model that nothing has
// touched.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace spillway {

// What was observed while states were expanded, as numbers that only the model understands.  Sums
// of several threads, and of several searches one after the other, do not depend on their order.
struct Observed {
  std::vector<std::uint64_t> counters;
  std::vector<std::uint8_t> marks;  // 1: it has happened

  bool operator==(const Observed&) const = default;

  // Makes room for so many, if there is none yet.  Fast otherwise: it is called for each state.
  void make_room(std::size_t counters_wanted, std::size_t marks_wanted) {
    if (counters.empty()) [[unlikely]]
      resize(counters_wanted, marks_wanted);
  }
  // Takes what `other` has, and leaves it empty-handed.  Throws Error(integrity) if both have
  // something, and that is not of one model: numbers may be those of a file or of another rank.
  void take(Observed& other);

 private:
  void resize(std::size_t counters_wanted, std::size_t marks_wanted);
};

// What it means.
struct Coverage {
  struct Rule {
    std::string name;
    std::uint32_t line = 0;
    bool start = false;       // a start state
    std::uint64_t fired = 0;  // successors or initial states that it has made
    std::uint64_t cut = 0;    // that it would have made, but an assumption excludes them
  };
  struct Assumption {
    std::string name;
    std::uint32_t line = 0;
    bool in_rules = false;  // a statement
    std::uint64_t cut = 0;  // successors that it excludes, and no assumption before it
  };
  // The antecedent of an implication that must hold in every state.
  struct Antecedent {
    std::string property;
    std::uint32_t line = 0;
    bool held = false;  // in some state
  };
  // A value of an enumeration.
  struct EnumValue {
    std::string type;  // empty if it has no name
    std::string name;
    std::uint32_t line = 0;
    bool assigned = false;  // to some variable
  };

  std::vector<Rule> rules;
  std::vector<Assumption> assumptions;
  std::vector<Antecedent> antecedents;
  std::vector<EnumValue> values;
};

}  // namespace spillway
