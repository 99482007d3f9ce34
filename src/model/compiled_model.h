// A model in a shared object, accessed by the C interface of spillway/model_abi.h.
#pragma once

#include <memory>
#include <string>

#include "base/text/proposition_text.h"
#include "model/model.h"
#include "spillway/model_abi.h"

namespace spillway {

class CompiledModel final : public WholeModel {
 public:
  // Loads the object at `path`.  Throws Error(model) if it cannot be loaded, has another version of
  // the interface, or describes something impossible.
  explicit CompiledModel(const std::string& path);

  std::size_t words() const override { return table_.row_words; }
  std::size_t row_bits() const override { return table_.row_bits; }
  void initial(Successors& out) const override;
  void successors(State state, Successors& out) const override;
  // Generated code notes what is observed; others do not.  REQUIRES: room for all that it observes,
  // in `observed` and in the successors that other functions are given.
  std::size_t check(State state, PropertyIndex* noted, Observed* observed = nullptr) const override;
  bool accepting(State state) const override;
  // Of the model's own propositions: those that choose() has chosen, or all of generated code.
  Letter evaluate(State state, std::optional<Failure>& failure) const override;
  std::size_t propositions() const override { return chosen_.size(); }
  // The propositions of formulas are names of the model's own.  Throws DiagnosedError if there is
  // no such name.
  void choose(const std::vector<PropositionText>& propositions);
  std::optional<std::string> property() const override;
  // Of generated code for a symmetric program; nullptr: there is none.
  using Canonical = void (*)(Word* row, int exhaustive);
  Canonical canonical() const { return canonical_; }
  // The word that generated code polls for stop requests; nullptr if it does not.
  volatile std::uint32_t* stop_word() const;
  RuleIndex rules() const override { return table_.rules; }
  std::string rule_name(RuleIndex rule) const override;
  std::vector<Variable> variables(State state) const override;

 private:
  struct Unload {
    void operator()(void* handle) const;
  };

  template <class Call>
  void fill(Successors& out, Call call) const;
  void examine_rule(RuleIndex rule) const;
  void examine_property(PropertyIndex property, bool assertion) const;
  Failure failure_of(const spillway_rows& rows) const;
  std::size_t examined(const PropertyIndex* noted, std::size_t count) const;

  std::string path_;
  std::unique_ptr<void, Unload> handle_;
  spillway_model table_{};
  // Of generated code; nullptr: there is none.
  std::size_t (*check_and_mark_)(const Word*, std::uint32_t*, std::uint8_t*) = nullptr;
  Canonical canonical_ = nullptr;
  std::vector<unsigned> chosen_;  // bits of what the model evaluates; generated code: none
};

}  // namespace spillway
