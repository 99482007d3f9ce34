// Finds terms that follow from others, as far as their form shows.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "ltl/formula/terms.h"

namespace spillway::ltl {

class Implications {
 public:
  // `terms` must outlive this object, and may grow.
  explicit Implications(const Terms& terms) : terms_(terms) {}

  // True only if every word of which `a` holds is one of which `b` holds.  False says nothing.
  bool implies(TermId a, TermId b);

 private:
  // When so many pairs have been looked at, nothing more is found out.
  static constexpr std::size_t kMostPairs = 300'000;

  bool find_out(TermId a, TermId b);
  bool from_parts(const Term& a, TermId b);
  bool to_parts(TermId a, const Term& b);
  bool between(const Term& a, const Term& b);

  const Terms& terms_;
  std::unordered_map<std::uint64_t, bool> known_;
};

}  // namespace spillway::ltl
