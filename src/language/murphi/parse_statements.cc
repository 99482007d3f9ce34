#include "language/murphi/parser.h"

namespace spillway::murphi {
namespace {

StatementPtr make(StatementForm form, Position position) {
  auto result = std::make_unique<StatementNode>();
  result->form = form;
  result->position = position;
  return result;
}

}  // namespace

bool Parser::at_statement() const {
  return at_name() || at_any({Word::if_, Word::switch_, Word::for_, Word::while_, Word::alias_,
                              Word::clear_, Word::undefine_, Word::error_, Word::assert_,
                              Word::invariant_, Word::put_, Word::return_});
}

Statements Parser::statements() {
  Statements list;
  for (;;) {
    skip_semicolons();
    const Index begin = index();
    repair_keyword({"if", "switch", "for", "while", "alias", "clear", "undefine", "error", "assert",
                    "put", "return", "else", "elsif", "case"});
    if (at_statement()) {
      if (!attempt([&] { list.push_back(statement()); })) skip_statement(begin);
      continue;
    }
    if (at_outer_word()) return list;
    source_.note({now().position, wrong_here("a statement or 'end'")});
    skip_statement(begin);
  }
}

StatementPtr Parser::statement() {
  const Deeper deeper(*this);
  // A name that the model declares, even if it is a keyword of another dialect.
  const Word after = ahead(1).word;
  const bool own =
      at_name() && (after == Word::becomes || after == Word::dot || after == Word::open_square);
  if (!own) switch (now().word) {
      case Word::if_: return if_statement();
      case Word::switch_: return switch_statement();
      case Word::for_: return for_statement();
      case Word::while_: return while_statement();
      case Word::alias_: return alias_statement();
      case Word::clear_:
      case Word::undefine_: {
        StatementPtr result =
            make(at(Word::clear_) ? StatementForm::clear : StatementForm::undefine, now().position);
        take();
        result->target = designator();
        return result;
      }
      case Word::error_: {
        StatementPtr result = make(StatementForm::error, take().position);
        result->text = expect(Word::text, "the string of the error").text;
        return result;
      }
      case Word::assert_:
      case Word::invariant_: return property_statement(StatementForm::assert_);
      case Word::assume_: return property_statement(StatementForm::assume);
      case Word::cover_: return property_statement(StatementForm::cover);
      case Word::liveness_:
        refuse(now().position,
               "a liveness property cannot be inside a rule, because it is about all states");
      case Word::put_: return put_statement();
      case Word::return_: return return_statement();
      case Word::multiset_add:
      case Word::multiset_remove:
      case Word::multiset_remove_pred:
        if (after == Word::open_round) return multiset_statement();
        break;
      default: break;
    }
  return assign_or_call();
}

StatementPtr Parser::assign_or_call() {
  StatementPtr result = make(StatementForm::assign, now().position);
  if (ahead(1).word == Word::open_round) {
    result->form = StatementForm::call;
    result->value = primary();
    return result;
  }
  result->target = designator();
  if (at(Word::equal)) refuse(now().position, "use ':=' to assign; '=' compares");
  expect(Word::becomes, "':=' of an assignment");
  result->value = expression();
  return result;
}

StatementPtr Parser::if_statement() {
  const Index first = index();
  StatementPtr result = make(StatementForm::if_, now().position);
  do {
    take();
    BranchNode branch;
    branch.conditions.push_back(condition_before(Word::then_, "'then'"));
    branch.body = statements();
    result->branches.push_back(std::move(branch));
  } while (at(Word::elsif_));
  if (accept(Word::else_)) result->branches.push_back({{}, statements()});
  end_of(Word::end_if, "if", first);
  return result;
}

StatementPtr Parser::switch_statement() {
  const Index first = index();
  StatementPtr result = make(StatementForm::switch_, take().position);
  if (!attempt([&] { result->value = expression(); })) {
    skip_to({});
    result->value = wrong_expression();
  }
  skip_semicolons();
  while (accept(Word::case_)) {
    BranchNode branch;
    const bool fine = attempt([&] {
      do branch.conditions.push_back(expression());
      while (accept(Word::comma));
      expect(Word::colon, "':' after the values of the case");
    });
    if (!fine) {
      skip_to({Word::colon});
      branch.conditions.push_back(wrong_expression());
    }
    branch.body = statements();
    result->branches.push_back(std::move(branch));
  }
  if (accept(Word::else_)) {
    accept(Word::colon);
    result->branches.push_back({{}, statements()});
  }
  end_of(Word::end_switch, "switch", first);
  return result;
}

// Several counters before one 'do' are nested loops.
StatementPtr Parser::for_statement() {
  const Index first = index();
  const Token begin = take();
  std::vector<Quantifier> all = quantifiers_and_do("'do'");
  const Deeper deeper(
      *this, static_cast<std::uint32_t>(std::min<std::size_t>(all.size(), kDepthLimit + 1)));
  Statements body = statements();
  end_of(Word::end_for, "for", first);
  StatementPtr result;
  for (; !all.empty(); all.pop_back()) {
    if (result != nullptr) body.push_back(std::move(result));
    result = make(StatementForm::for_, begin.position);
    result->quantifier = std::make_unique<Quantifier>(std::move(all.back()));
    result->branches.push_back({{}, std::move(body)});
    body.clear();
  }
  return result;
}

StatementPtr Parser::while_statement() {
  const Index first = index();
  StatementPtr result = make(StatementForm::while_, take().position);
  result->branches.emplace_back();
  result->branches[0].conditions.push_back(condition_before(Word::do_, "'do'"));
  result->branches[0].body = statements();
  end_of(Word::end_while, "while", first);
  return result;
}

StatementPtr Parser::alias_statement() {
  const Index first = index();
  StatementPtr result = make(StatementForm::alias, take().position);
  result->aliases = aliases_and_do();
  result->branches.push_back({{}, statements()});
  end_of(Word::end_alias, "alias", first);
  return result;
}

std::vector<AliasNode> Parser::aliases_and_do() {
  std::vector<AliasNode> list;
  const Index begin = index();
  const bool fine = attempt([&] {
    do {
      AliasNode alias;
      alias.name = name("the name of an alias");
      expect(Word::colon, "':'");
      alias.value = expression();
      list.push_back(std::move(alias));
      skip_semicolons();
    } while (!at(Word::do_));
    take();
  });
  if (fine) return list;
  doubt(begin);
  skip_to({Word::do_});
  return list;
}

StatementPtr Parser::property_statement(StatementForm form) {
  StatementPtr result = make(form, take().position);
  if (at(Word::text)) {
    result->text = take().text;
    result->has_text = true;
  }
  result->value = expression();
  if (!result->has_text && at(Word::text)) {
    result->text = take().text;
    result->has_text = true;
  }
  return result;
}

StatementPtr Parser::put_statement() {
  StatementPtr result = make(StatementForm::put, take().position);
  if (at(Word::text))
    result->text = take().text;
  else
    result->value = expression();
  return result;
}

StatementPtr Parser::return_statement() {
  StatementPtr result = make(StatementForm::return_, take().position);
  const bool value = at_name() || at_any({Word::open_round, Word::number, Word::true_, Word::false_,
                                          Word::forall_, Word::exists_, Word::is_undefined,
                                          Word::exclamation, Word::minus, Word::tilde, Word::plus});
  if (value) result->value = expression();
  return result;
}

StatementPtr Parser::multiset_statement() {
  const Token begin = take();
  StatementPtr result = make(StatementForm::multiset_add, begin.position);
  expect(Word::open_round, "'('");
  if (begin.word == Word::multiset_remove_pred) {
    result->form = StatementForm::multiset_remove_pred;
    result->name = name("the name of an element");
    expect(Word::colon, "':'");
    result->target = designator();
    expect(Word::comma, "','");
    result->value = expression();
  } else {
    if (begin.word == Word::multiset_remove) result->form = StatementForm::multiset_remove;
    result->value = expression();
    expect(Word::comma, "','");
    result->target = designator();
  }
  expect(Word::close_round, "')'");
  return result;
}

}  // namespace spillway::murphi
