#include "ltl/automaton/labels.h"

#include <algorithm>
#include <bit>

namespace spillway::ltl {

bool is_covered(const Label& label, std::span<const Label> by) {
  std::vector<Label> meeting;
  for (const Label& one : by) {
    if (!is_possible(both(label, one))) continue;
    if (is_weaker(one, label)) return true;
    meeting.push_back(one);
  }
  if (meeting.empty()) return false;
  // Cases of a proposition that the first one asks for and `label` leaves open.  Each case has one
  // open proposition less, so at most 64 calls are nested.
  const Letter open =
      (meeting[0].positive | meeting[0].negative) & ~(label.positive | label.negative);
  const Letter bit = open & (~open + 1);
  return is_covered({label.positive | bit, label.negative}, meeting) &&
         is_covered({label.positive, label.negative | bit}, meeting);
}

std::vector<Label> merged(std::vector<Label> labels) {
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < labels.size() && !changed; ++i)
      for (std::size_t j = 0; j < labels.size() && !changed; ++j) {
        if (i == j) continue;
        Label &a = labels[i], &b = labels[j];
        const Letter differ = (a.positive ^ b.positive) | (a.negative ^ b.negative);
        const bool opposite = std::has_single_bit(differ) &&
                              ((a.positive & b.negative) | (a.negative & b.positive)) == differ;
        if (!opposite && !is_weaker(a, b)) continue;
        if (opposite) a = {a.positive & ~differ, a.negative & ~differ};
        labels.erase(labels.begin() + static_cast<std::ptrdiff_t>(j));
        changed = true;
      }
  }
  return labels;
}

}  // namespace spillway::ltl
