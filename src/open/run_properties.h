// The properties of runs that a user asks about: formulas and automata over propositions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/text/proposition_text.h"
#include "ltl/formula/ctl.h"
#include "ltl/formula/formula.h"
#include "ltl/reading/parse.h"
#include "product/invariants_model.h"
#include "product/product_model.h"

namespace spillway {

// As on the command line.
struct RunOptions {
  std::vector<std::string> formulas;       // "FORMULA" or "NAME: FORMULA"
  std::vector<std::string> formula_files;  // with one "NAME: FORMULA" in each line, or more lines
  std::vector<std::string> ctl;            // the same as formulas, of branching time
  std::vector<std::string> automata;       // files in HOA, of the runs that must not be
  std::vector<std::pair<std::string, std::string>> propositions;  // names, and what they stand for
  RunEnds ends = RunEnds::stutter;
  std::vector<std::string> fair;  // patterns of rules, or "processes"
  bool minimal = false;           // runs that violate a formula are to be shortest ones
};

class RunProperties {
 public:
  // Reads and translates them.  Throws Error(usage), Error(system), and DiagnosedError for mistakes
  // in a formula or file.
  explicit RunProperties(const RunOptions& options);

  // Those that take a product.
  std::size_t size() const { return properties_.size(); }
  bool empty() const { return properties_.empty() && ctl_.empty(); }
  const std::string& name(std::size_t i) const { return properties_[i].property.name; }
  bool has_automata() const { return !options_.automata.empty(); }
  // Whether a shortest lasso of the product is as long as the shortest run that violates it.
  bool is_tight(std::size_t i) const { return properties_[i].is_tight; }

  // Those of all properties.  Proposition i of the model is number i of these.
  const std::vector<PropositionText>& propositions() const { return propositions_; }
  // The formulas of files, as --ltl takes them.
  const std::vector<std::string>& formulas_of_files() const { return formulas_of_files_; }

  const std::vector<ltl::NamedCtl>& ctl() const { return ctl_; }

  // If there is one formula, and it says that something holds in every state of every run: that.
  // Nothing if states of the system may be on no run, because runs that end do not count or
  // assumptions may exclude steps: it would be known too late, behind the state that violates it.
  std::optional<LetterInvariant> invariant(const Model& system) const;

  // The actors to whom runs must be fair.  There are never more than all properties can take.
  // Throws Error(usage).
  FairActors fair_actors(const Description& system) const;
  // REQUIRES: what ProductModel requires.
  std::unique_ptr<Model> product(std::size_t i, const Model& system, const FairActors& fair) const;

  // What counts as a run, in one line.
  std::string semantics() const;

 private:
  // A formula, with the propositions of all properties that its own stand for.
  struct Definition {
    ltl::Formula formula;
    std::vector<std::size_t> numbers;
    Letter letter(Letter of_all) const;
  };
  struct OneProperty {
    RunProperty property;
    std::optional<Definition> definition;  // nothing for an automaton
    bool is_tight = false;
  };

  void read_formulas(const std::string& origin, const std::string& text, ltl::Lines lines);
  void read_ctl(const std::string& text);
  void read_automaton(const std::string& path);
  void add(OneProperty property);
  void need_new_name(const std::string& name) const;
  // The number among all propositions.
  std::size_t number_of(const ltl::Atom& atom, const std::string& origin, const std::string& text);
  std::size_t number_of(PropositionText proposition);
  // The expression that a --prop gives this name.
  std::optional<PropositionText> bound(const std::string& name) const;

  const RunOptions options_;
  std::vector<std::string> bound_names_;
  std::vector<PropositionText> propositions_;
  std::vector<OneProperty> properties_;
  std::vector<ltl::NamedCtl> ctl_;
  std::vector<std::string> formulas_of_files_;
};

}  // namespace spillway
