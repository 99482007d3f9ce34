#include "ltl/formula/evaluate.h"

#include <unordered_map>
#include <vector>

#include "base/error.h"

namespace spillway::ltl {
namespace {

// For each position, whether a formula holds of the word from there on.
using Truth = std::vector<char>;

class Evaluation {
 public:
  Evaluation(std::span<const Letter> letters, std::size_t loop_start)
      : letters_(letters), loop_start_(loop_start) {}

  const Truth& of(const Formula& formula) {
    const auto known = known_.find(formula.identity());
    if (known != known_.end()) return known->second;
    Truth truth = compute(formula);
    return known_.emplace(formula.identity(), std::move(truth)).first->second;
  }

 private:
  Truth compute(const Formula& formula) {
    const Operator op = formula.op();
    if (op == Operator::constant_true) return Truth(letters_.size(), 1);
    if (op == Operator::constant_false) return Truth(letters_.size(), 0);
    if (op == Operator::proposition) {
      const Letter bit = Letter{1} << formula.proposition();
      return each([&](std::size_t i) { return (letters_[i] & bit) != 0; });
    }
    const Truth& a = of(formula.left());
    return operands(op) == 1 ? unary(op, a) : binary(op, a, of(formula.right()));
  }

  Truth unary(Operator op, const Truth& a) const {
    switch (op) {
      case Operator::negation: return each([&](std::size_t i) { return !a[i]; });
      case Operator::next:
        return each([&](std::size_t i) { return a[i + 1 < a.size() ? i + 1 : loop_start_]; });
      case Operator::finally:
        return fixed_point(false, [&](std::size_t i, bool later) { return a[i] || later; });
      default: return fixed_point(true, [&](std::size_t i, bool later) { return a[i] && later; });
    }
  }

  Truth binary(Operator op, const Truth& a, const Truth& b) const {
    const auto until = [&](std::size_t i, bool later) { return b[i] || (a[i] && later); };
    const auto release = [&](std::size_t i, bool later) { return b[i] && (a[i] || later); };
    switch (op) {
      case Operator::conjunction: return each([&](std::size_t i) { return a[i] && b[i]; });
      case Operator::disjunction: return each([&](std::size_t i) { return a[i] || b[i]; });
      case Operator::implication: return each([&](std::size_t i) { return !a[i] || b[i]; });
      case Operator::equivalence: return each([&](std::size_t i) { return a[i] == b[i]; });
      case Operator::exclusive_or: return each([&](std::size_t i) { return a[i] != b[i]; });
      case Operator::until: return fixed_point(false, until);
      case Operator::weak_until: return fixed_point(true, until);
      case Operator::release: return fixed_point(true, release);
      default: return fixed_point(false, release);
    }
  }

  template <class Value>
  Truth each(Value value) const {
    Truth truth(letters_.size());
    for (std::size_t i = 0; i < truth.size(); ++i) truth[i] = value(i) ? 1 : 0;
    return truth;
  }

  // The least solution (start: false) or the greatest one of truth[i] = value(i, truth[i + 1]).
  // Twice round the loop is enough: what the first round says of the start of the loop is right
  // unless it depends only on itself, and then it is `start`.
  template <class Value>
  Truth fixed_point(bool start, Value value) const {
    Truth truth(letters_.size());
    bool later = start;
    for (std::size_t i = truth.size(); i-- > loop_start_;) later = value(i, later);
    for (std::size_t i = truth.size(); i-- > 0;) truth[i] = later = value(i, later);
    return truth;
  }

  std::span<const Letter> letters_;
  std::size_t loop_start_;
  std::unordered_map<const void*, Truth> known_;
};

}  // namespace

bool holds(const Formula& formula, std::span<const Letter> letters, std::size_t loop_start) {
  SPILLWAY_CHECK(loop_start < letters.size());
  return Evaluation(letters, loop_start).of(formula)[0] != 0;
}

}  // namespace spillway::ltl
