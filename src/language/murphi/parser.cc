#include "language/murphi/parser.h"

#include <fmt/format.h>

#include <algorithm>

namespace spillway::murphi {

void Parser::skip_semicolons() {
  while (at(Word::semicolon)) take();
}

bool Grammar::may_be_name(Word word) {
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

void Parser::end_of(Word special, const char* what, Index begin) {
  const Index end = index();
  if (accept(Word::end_) || accept(special))
    closed_.push_back({what, begin, end});
  else if (at_outer_word())
    note_missing_end(what, begin);
  else
    refuse_here(
        fmt::format("'end' of the {} that begins at line {}", what, token(begin).position.line));
}

// A missing `end` is noticed where the construct around it ends.  Often it is that of an inner
// construct, which has taken the `end` of the outer one.  Then indentation shows which.
void Parser::note_missing_end(const char* what, Index begin) {
  if (missing_end_ == index()) return;  // the same error in an inner construct
  missing_end_ = index();
  Closed guilty{what, begin, index()}, outer = guilty;
  bool inside = false;
  for (auto inner = closed_.rbegin(); inner != closed_.rend() && inner->end > begin; ++inner) {
    const bool took_end = inner->begin > guilty.begin && inner->end < guilty.end &&
                          begins_line(inner->end) && indent(inner->end) == indent(guilty.begin) &&
                          indent(inner->begin) > indent(guilty.begin);
    if (!took_end) continue;
    outer = guilty;
    guilty = *inner;
    inside = true;
  }
  const auto line = [&](Index index) { return token(index).position.line; };
  std::string why = fmt::format("this '{}' has no 'end'", guilty.what);
  if (inside)
    why += fmt::format(": the 'end' at line {} lines up with the '{}' at line {}", line(guilty.end),
                       outer.what, line(outer.begin));
  else if (at(Word::end_of_text))
    why += " before the end of the file";
  else
    why += fmt::format(" before {} at line {}", shown(now()), now().position.line);
  source_.note({token(guilty.begin).position, std::move(why)});
}

void Parser::item(ModelNode& model) {
  repair_keyword({"const", "type", "var", "function", "procedure", "rule", "startstate",
                  "invariant", "ruleset"});
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

ModelNode Parser::model() {
  ModelNode model;
  for (;;) {
    skip_semicolons();
    if (at(Word::end_of_text)) break;
    const Index begin = index();
    if (missing_end_ != begin && attempt([&] { item(model); })) continue;
    if (index() == begin && at_item() && missing_end_ == begin) {
      missing_end_.reset();
      continue;
    }
    skip_item(begin);
  }
  model.has_priorities = has_priorities_;
  model.only_cmurphi = only_cmurphi_;
  model.doubtful = std::move(doubtful_);
  return model;
}

}  // namespace spillway::murphi
