#include "ltl/simplify.h"

#include "ltl/rewriter.h"
#include "ltl/terms.h"

namespace spillway::ltl {

Formula simplified(const Formula& formula) {
  Terms terms;
  return terms.formula(Rewriter(terms, true).convert(formula, false));
}

}  // namespace spillway::ltl
