#include "check/session/short_rows.h"

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "storage/parts/value_set.h"

namespace spillway {
namespace {

// The first states of a search, breadth first, in the order in which the model makes them.
class FirstStates {
 public:
  FirstStates(const Model& model, Budget& budget, std::uint64_t most)
      : steps_(model.steps()), most_(most), states_(budget, model.words()), out_(model.words()) {}

  // False: there are no more than these.
  bool find() {
    steps_.initial(out_);
    take();
    for (ValueSet::Number i = 0; states_.size() < most_; ++i) {
      if (i == states_.size()) return false;
      steps_.successors({states_[i], states_.words()}, out_);
      take();
    }
    return true;
  }

  // In one piece.
  std::vector<Word> rows() const {
    std::vector<Word> all;
    all.reserve(states_.size() * states_.words());
    for (ValueSet::Number i = 0; i < states_.size(); ++i)
      all.insert(all.end(), states_[i], states_[i] + states_.words());
    return all;
  }

 private:
  void take() {
    for (const State state : out_.states())
      if (states_.size() < most_) states_.add(state.data());
    out_.clear();
  }

  const Transitions& steps_;
  const std::uint64_t most_;
  ValueSet states_;
  Successors out_;
};

void learn_values(PartedRows& rows, States sample) {
  PartedRows::Hand hand(rows);
  std::vector<Word> row(rows.words());
  for (const State state : sample) std::ignore = rows.shorten(state, hand, row.data());
  rows.settle_values();
}

std::shared_ptr<PartedRows> make(const Model& model, Budget& budget,
                                 const ShortRowsSettings& settings) {
  const std::size_t words = model.words();
  const std::uint64_t most =
      std::min(settings.most_states, settings.sample_bytes / (words * sizeof(Word)));
  std::optional<FirstStates> first(std::in_place, model, budget, most);
  if (!first->find() && !settings.small_models) return nullptr;
  const Claim claim(budget, most * words * sizeof(Word));
  const std::vector<Word> rows = first->rows();
  first.reset();
  const States sample(rows.data(), rows.size() / words, words);
  std::optional<RowParts> parts =
      cut(sample, words, model.composition().records, budget, settings.cut);
  if (!parts) return nullptr;
  auto made = std::make_shared<PartedRows>(budget, *std::move(parts), settings.parts);
  learn_values(*made, sample);
  return made;
}

}  // namespace

std::shared_ptr<PartedRows> make_short_rows(const Model& model, Budget& budget,
                                            const ShortRowsSettings& settings) {
  try {
    return make(model, budget, settings);
  } catch (const Error& error) {
    if (error.fault() == Fault::memory) return nullptr;
    throw;
  }
}

}  // namespace spillway
