#include "ltl/formula/simplify.h"

#include "ltl/formula/rewriter.h"
#include "ltl/formula/terms.h"

namespace spillway::ltl {

Formula simplified(const Formula& formula) {
  Terms terms;
  return terms.formula(Rewriter(terms, true).convert(formula, false));
}

}  // namespace spillway::ltl
