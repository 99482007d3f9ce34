// The symmetries that the values of a type belong to.  Symmetries are known by their numbers in the
// program.
#pragma once

#include <map>
#include <set>

#include "program/program.h"

namespace spillway::program {

using Groups = std::set<std::size_t>;

class IdentityGroups {
 public:
  explicit IdentityGroups(const Program& program) : program_(program) {}

  // A single identity is always symmetric, so a group of one does not count.
  bool counts(std::size_t group) const;
  Groups all() const;

  // The symmetries whose identities can be values of the scalars of a type.
  const Groups& of(const Type& type);
  // The symmetries that the order of values of a type reveals.  Values are compared cell by cell.
  Groups order_of(const Type& type);
  // The symmetries whose first identity clear() would assign.
  Groups first_of(const Type& type);

 private:
  const Program& program_;
  std::map<const Type*, Groups> known_;
};

}  // namespace spillway::program
