#include "language/dve/parser.h"

#include <fmt/format.h>

namespace spillway::dve {

// Gives extensions of DiVinE 3 an error message of their own.
void Parser::refuse_later_dialects() const {
  for (const char* word : {"input", "expression", "for", "include"})
    if (at(Word::name) && now().text == word)
      refuse(
          now().position,
          fmt::format("'{}' is an extension of DiVinE 3, which is not supported; expand it by hand",
                      word));
}

ModelNode Parser::model() {
  ModelNode model;
  while (!at_any({Word::system_, Word::end_of_text})) {
    const Index begin = index();
    if (attempt([&] { item(model); })) continue;
    skip_item(begin);
    doubt(begin);
  }
  if (at(Word::end_of_text))
    attempt([&] { refuse_here("a variable, a channel, a process or 'system'"); });
  else
    attempt([&] { system(model); });
  model.doubtful = std::move(doubtful_);
  return model;
}

void Parser::item(ModelNode& model) {
  if (at_variables()) {
    variables(model.variables);
  } else if (at(Word::channel_)) {
    channels(model.channels);
  } else if (at(Word::process_)) {
    model.processes.push_back(process());
  } else if (at(Word::property_)) {
    const Position position = take().position;
    if (!at(Word::process_))
      refuse(position, "formulas in the model are not supported; only 'property process' is");
    model.processes.push_back(process());
    if (model.property) refuse(position, "a model has at most one property process");
    model.property = model.processes.back().name;
  } else if (!accept(Word::semicolon)) {
    refuse_later_dialects();
    refuse_here("a variable, a channel, a process or 'system'");
  }
}

void Parser::system(ModelNode& model) {
  const Position position = take().position;
  if (!at_any({Word::async_, Word::sync_})) refuse_here("'async' or 'sync'");
  model.synchronous = take().word == Word::sync_;
  if (accept(Word::property_)) {
    Name property = name("the name of the property process");
    if (model.property && model.property->text != property.text)
      refuse(property.position, "a model has at most one property process");
    model.property = std::move(property);
  }
  if (!at(Word::end_of_text)) expect(Word::semicolon, "';'");
  if (!at(Word::end_of_text)) refuse_here("the end of the file after 'system'");
  if (model.processes.empty()) refuse(position, "a system needs at least one process");
}

}  // namespace spillway::dve
