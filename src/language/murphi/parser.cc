#include "language/murphi/parser.h"

#include <fmt/format.h>

namespace spillway::murphi {

void Parser::skip_semicolons() {
  while (at(Word::semicolon)) take();
}

bool Parser::may_be_name(Word word) {
  switch (word) {
    case Word::name:
    case Word::assume_:
    case Word::choose_:
    case Word::cover_:
    case Word::end_choose:
    case Word::is_member:
    case Word::liveness_:
    case Word::multiset_:
    case Word::multiset_add:
    case Word::multiset_count:
    case Word::multiset_remove:
    case Word::multiset_remove_pred:
    case Word::real_:
    case Word::union_: return true;
    default: return false;
  }
}

Name Parser::name(const char* what) {
  if (!at_name()) {
    const bool keyword = now().word >= Word::alias_;
    refuse_here(keyword ? fmt::format("{} (not a keyword)", what) : std::string(what));
  }
  Token token = take();
  return {std::move(token.text), token.position};
}

std::vector<Name> Parser::names(const char* what) {
  std::vector<Name> list;
  do list.push_back(name(what));
  while (accept(Word::comma));
  return list;
}

void Parser::end_of(Word special, const char* what, Position begin) {
  if (accept(Word::end_) || accept(special)) return;
  refuse_here(fmt::format("'end' of the {} that begins at line {}", what, begin.line));
}

ModelNode Parser::model() {
  ModelNode model;
  for (;;) {
    skip_semicolons();
    if (at(Word::end_of_text)) break;
    if (at_declaration()) {
      for (Declaration& declaration : declarations())
        model.items.push_back(
            {std::make_unique<Declaration>(std::move(declaration)), nullptr, nullptr});
    } else if (at_any({Word::function_, Word::procedure_})) {
      model.items.push_back({nullptr, function(), nullptr});
    } else if (at_rule()) {
      model.items.push_back({nullptr, nullptr, rule()});
    } else {
      refuse_here("a declaration, a function, a rule or a property");
    }
  }
  model.has_priorities = has_priorities_;
  model.only_cmurphi = only_cmurphi_;
  return model;
}

}  // namespace spillway::murphi
