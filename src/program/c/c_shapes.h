// Shares C text between rules that differ only in numbers.  Compilers take milliseconds per
// function, and models with processes and channels have thousands of rules.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace spillway::program {

class CShapes {
 public:
  // Adds the functions of the next rule.  In the text, its name is @ and numbers are INT64_C(1).
  void add(const std::string& text);
  // Adds a rule that shares nothing.
  void add_alone(const std::string& text);

  // The functions of all rules, and the numbers of those that are shared.
  std::string text();
  // The statements that prepare a call of the rule, and the name of its function.  REQUIRES: text()
  // was called.
  const std::string& preparation(std::size_t rule) const { return rules_[rule].preparation; }
  std::string function(std::size_t rule) const { return "r" + std::to_string(rules_[rule].leader); }

 private:
  struct Rule {
    std::vector<std::string> pieces;  // of the text; a number between each two
    std::vector<std::string> numbers;
    bool alone = false;
    std::size_t leader = 0;  // the first rule of the same shape
    std::string preparation;
  };

  void share(const std::vector<std::size_t>& members, std::string& out);

  std::vector<Rule> rules_;
};

}  // namespace spillway::program
