// The grammar of the Hanoi Omega-Automata format.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ltl/automaton/automaton.h"
#include "ltl/exchange/expression.h"
#include "ltl/exchange/hoa_tokens.h"

namespace spillway::ltl {

class HoaReader {
 public:
  explicit HoaReader(std::vector<HoaToken> tokens) : tokens_(std::move(tokens)) {}

  // Throws BadFormula.
  Automaton read();

 private:
  // A set of the condition is met by transitions that have one of these marks, or lack one of those
  // that are `absent`.
  struct AnyMark {
    SetMask present = 0, absent = 0;
  };
  using Labels = std::vector<Label>;

  const HoaToken& now() const { return tokens_[at_]; }
  HoaToken take() { return tokens_[at_ + 1 < tokens_.size() ? at_++ : at_]; }
  bool take_sign(std::string_view sign);
  [[noreturn]] static void refuse(const HoaToken& at, std::string message);
  HoaToken expect(HoaKind kind, std::string_view what);
  void expect_sign(std::string_view sign);

  void read_headers();
  void read_header(const HoaToken& header);
  void read_propositions(const HoaToken& header);
  void read_alias();
  void read_acceptance();
  void check_headers(const HoaToken& body);
  void skip_values();

  Expressions::Id expression(bool is_acceptance, std::uint32_t depth = 0);
  Expressions::Id conjunction(bool is_acceptance, std::uint32_t depth);
  Expressions::Id operand(bool is_acceptance, std::uint32_t depth);
  Expressions::Id label_atom();
  Expressions::Id acceptance_atom();

  void read_body();
  void read_state();
  void read_edge(std::uint32_t state, const std::optional<Labels>& of_state, SetMask marks);
  Labels read_label();
  Label implicit_label(const HoaToken& at);
  void check_implicit(const HoaToken& at) const;
  std::uint32_t read_state_number();
  SetMask read_marks();
  SetMask sets_met(SetMask marks) const;

  std::vector<HoaToken> tokens_;
  std::size_t at_ = 0;
  Automaton automaton_;
  Expressions expressions_;
  std::map<std::string, Expressions::Id> aliases_;
  std::set<std::string> seen_;
  std::optional<std::uint32_t> states_;
  unsigned marks_ = 0;                                 // how many marks the file has
  std::vector<std::pair<std::uint32_t, bool>> terms_;  // Inf(n), and whether it is Inf(!n)
  std::vector<AnyMark> sets_;
  std::vector<bool> defined_;
  HoaToken largest_;          // number of a proposition so far
  std::size_t implicit_ = 0;  // edges without a label in this state
};

}  // namespace spillway::ltl
