// The words of Murphi text.
#pragma once

#include <cstdint>
#include <string>

#include "program/program.h"

namespace spillway::murphi {

using program::Position;
using program::Value;

enum class Word {
  end_of_text,
  name,
  number,
  text,  // "..."
  // Signs.
  semicolon,
  colon,
  comma,
  dot,
  dot_dot,
  open_round,
  close_round,
  open_square,
  close_square,
  open_curly,
  close_curly,
  becomes,     // :=
  then_fires,  // ==>
  question,
  implies,
  bar,
  bar_bar,
  caret,
  ampersand,
  ampersand_ampersand,
  exclamation,
  tilde,
  equal,
  unequal,
  less,
  less_equal,
  greater,
  greater_equal,
  shift_left,
  shift_right,
  plus,
  minus,
  star,
  slash,
  percent,
  // Keywords.
  alias_,
  array_,
  assert_,
  assume_,
  begin_,
  boolean_,
  by_,
  case_,
  choose_,
  clear_,
  const_,
  cover_,
  do_,
  else_,
  elsif_,
  end_,
  end_alias,
  end_choose,
  end_exists,
  end_for,
  end_forall,
  end_function,
  end_if,
  end_procedure,
  end_record,
  end_rule,
  end_ruleset,
  end_startstate,
  end_switch,
  end_while,
  enum_,
  error_,
  exists_,
  false_,
  for_,
  forall_,
  function_,
  if_,
  invariant_,
  is_member,
  is_undefined,
  liveness_,
  multiset_,
  multiset_add,
  multiset_count,
  multiset_remove,
  multiset_remove_pred,
  of_,
  procedure_,
  put_,
  real_,
  record_,
  return_,
  rule_,
  ruleset_,
  scalarset_,
  startstate_,
  switch_,
  then_,
  to_,
  true_,
  type_,
  undefine_,
  union_,
  var_,
  while_,
};

struct Token {
  Word word = Word::end_of_text;
  Position position;
  std::string text;  // of a name or keyword as written; of a string without its quotes
  Value value = 0;   // of a number
};

}  // namespace spillway::murphi
