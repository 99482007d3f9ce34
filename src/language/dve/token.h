// The words of DVE text.
#pragma once

#include "language/scanner.h"

namespace spillway::dve {

using program::Position;
using program::Value;

enum class Word {
  end_of_text,
  name,
  number,
  // Signs.
  semicolon,
  colon,
  comma,
  dot,
  open_round,
  close_round,
  open_square,
  close_square,
  open_curly,
  close_curly,
  assign,
  arrow,
  fat_arrow,
  exclamation,
  question,
  bar,
  caret,
  ampersand,
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
  accept_,
  and_,  // also &&
  assert_,
  async_,
  byte_,
  channel_,
  commit_,
  const_,
  effect_,
  false_,
  guard_,
  imply_,
  init_,
  int_,
  not_,
  or_,  // also ||
  process_,
  property_,
  state_,
  sync_,
  system_,
  trans_,
  true_,
};

using Token = TokenOf<Word>;

}  // namespace spillway::dve
