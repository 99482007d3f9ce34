#include "program/symmetry/accesses.h"

#include <algorithm>

namespace spillway::program {

bool overlap(const Path& a, const Path& b, Symbol counter) {
  if (a.in_state != b.in_state || a.call != b.call || a.root != b.root) return false;
  for (std::size_t i = 0; i < std::min(a.parts.size(), b.parts.size()); ++i) {
    const PathPart &x = a.parts[i], &y = b.parts[i];
    if (x.by != y.by) continue;
    if ((x.by == PathPart::By::field || x.by == PathPart::By::literal) && x.number != y.number)
      return false;
    if (x.by == PathPart::By::symbol && x.number == counter && y.number == counter) return false;
  }
  return true;
}

bool is_exact(const Path& path) {
  return std::none_of(path.parts.begin(), path.parts.end(),
                      [](const PathPart& part) { return part.by == PathPart::By::unknown; });
}

bool covers(const Path& place, const Path& part) {
  return is_exact(place) && place.in_state == part.in_state && place.call == part.call &&
         place.root == part.root && place.parts.size() <= part.parts.size() &&
         std::equal(place.parts.begin(), place.parts.end(), part.parts.begin());
}

void Accesses::add(Accesses other) {
  all.merge(other.all);
  for (auto member : {&Accesses::leaves, &Accesses::discards, &Accesses::recurs})
    if (!(this->*member)) this->*member = other.*member;
}

}  // namespace spillway::program
