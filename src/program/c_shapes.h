// Rules whose C text differs in numbers only share one text: compilers take milliseconds for each
// function, and models with processes and channels have thousands of rules.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace spillway::program {

class CShapes {
 public:
  // The functions of the next rule.  Its name stands as @ in the text, numbers as INT64_C(1).
  void add(const std::string& text);
  // A rule that looks like no other.
  void add_alone(const std::string& text);

  // The functions of all rules; their numbers where they are shared.
  std::string text();
  // The statements that prepare the execution of a rule, and the name of its function.  REQUIRES:
  // text() was called.
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
