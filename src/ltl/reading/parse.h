// Formulas as users write them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/text/diagnostic.h"
#include "ltl/formula/formula.h"

namespace spillway::ltl {

// A boolean expression in the language of the model, or the name of one.
struct Atom {
  std::string text;         // with blanks instead of comments of the formula
  SourcePosition position;  // of this, where it occurs first in the text that was parsed
};

struct ParsedFormula {
  Formula formula;
  std::vector<Atom> atoms;  // distinct; a proposition is an index of this list
  std::vector<std::string> names() const;
};

// Operators, from those that bind tightest on:
//   !  ~  not  X  ()  F  <>  G  []   and words of several of the letters: GF p
//   U  R  V (the same)  W  M         a U b U c is a U (b U c)
//   &  &&  /\  and
//   ^  xor
//   |  ||  \/  or
//   ->  =>  ==>  imply               a -> b -> c is a -> (b -> c)
//   <->  <=>  <-->
// Constants: true, false, 1, 0.
//
// Everything else belongs to atoms: comparisons and arithmetic, calls, a[i], p.x, c ? a : b, and
// forall or exists to the end of it.  A group in parentheses is part of an atom if arithmetic, a
// comparison, . or [ follows it, and else a formula.  A letter or several of XFG that are followed
// by such a sign, or several that no operand follows, are a name: GF = 3.  What stands in double
// quotes or braces is an atom as it stands: {X}, {a | b}.
//
// `bound_names`: words that are atoms even if they could be operators.  `origin` is named in
// errors.  Throws a DiagnosedError.
ParsedFormula parse(std::string_view origin, std::string_view text,
                    const std::vector<std::string>& bound_names);

// A formula in a file, or in an argument.
struct NamedFormula {
  std::string name;  // its text in one line, if it has none
  bool has_name = false;
  std::string text;  // without its comments
  std::uint32_t line = 0;
  std::uint32_t from = 0, to = 0;  // bytes of the file
};

// What the lines of a text are.
enum class Lines : std::uint8_t {
  formulas,  // one `name: formula` a line; a line that begins with a blank continues the last one
  one_formula,  // all of them are one `name: formula`
};

// The formulas of a text, in which # begins a comment.  A name is optional, and may be a word or
// stand in double quotes.  Throws a DiagnosedError, for example if a name occurs twice.
std::vector<NamedFormula> read_formulas(std::string_view origin, std::string_view text,
                                        Lines lines);

// Parses one of these, with positions in the file.  `text` is that of the whole file.
ParsedFormula parse(std::string_view origin, std::string_view text, const NamedFormula& formula,
                    const std::vector<std::string>& bound_names);

}  // namespace spillway::ltl
