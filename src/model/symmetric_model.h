// A model in which each state represents all states that differ from it only in the names of
// symmetric identities.
//
// Symmetry is decided beforehand (program/symmetry/asymmetries.h), but not taken on trust: for some
// of the expanded states, chosen by their hash, a permuted state is expanded as well.  It must have
// the permuted successors, and the same failure and properties.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "model/program_model.h"
#include "program/symmetry/symmetry.h"

namespace spillway {

class SymmetricModel final : public Transitions, public Quotient, public Model {
 public:
  enum class Examined { some, all };  // of the expanded states
  // REQUIRES: the model is not prepared, and `symmetries` was made for its program.
  SymmetricModel(std::unique_ptr<ProgramModel> model, program::Symmetries symmetries,
                 Examined examined = Examined::some);

  std::size_t words() const override { return model_->words(); }
  std::size_t row_bits() const override { return model_->row_bits(); }
  std::string why_not_a_state(State row) const override { return model_->why_not_a_state(row); }
  void initial(Successors& out) const override;
  void successors(State state, Successors& out) const override;

  void represent(Word* row) const override { model_->represent_by_code(row); }

  void examine_one_in(std::uint64_t states) const override;
  void complain() const override;

 private:
  using Row = std::vector<Word>;
  // Two states that differ only in names of identities, and what distinguishes them.
  struct Difference {
    Row state, image;
    std::string what;
  };

  bool is_chosen(State state) const;
  // `out` has the successors of the state from index `first` on, not yet replaced by
  // representatives.
  void examine(State state, const Successors& out, std::size_t first) const;
  std::string difference(State state, State image, const program::Symmetries::Permutation& to,
                         const Successors& out, std::size_t first) const;
  std::string state_text(State state) const;

  std::unique_ptr<ProgramModel> model_;
  const program::Symmetries symmetries_;
  const Examined examined_;
  mutable std::atomic<std::uint64_t> one_in_{1};
  mutable std::mutex mutex_;
  mutable std::optional<Difference> difference_;  // of the smallest state that has one
};

}  // namespace spillway
