// What the rest of the program knows of a language: a row of the table in language/table.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/text/diagnostic.h"
#include "base/text/proposition_text.h"
#include "model/model.h"
#include "program/program.h"

namespace spillway {

// An option that only some languages understand.
struct LanguageOption {
  std::string_view name, argument;  // "--dialect", "NAME"
  std::string_view help;
  std::span<const std::string_view> values;  // the first one is that of a user who says nothing
};

// What a user says about how to read a model.
struct ReadingOptions {
  std::string shown_path;                         // in messages; empty: the path of the file
  std::map<std::string, std::int64_t> constants;  // override the values in the model
  // Not the system alone, but its product with the property process in the text.
  bool product = false;
  std::map<std::string, std::size_t, std::less<>>
      chosen;  // of options, the numbers of their values
  // Of formulas: boolean expressions in the language of the model, in its global scope.
  std::vector<PropositionText> propositions;

  const std::string& shown(const std::string& path) const {
    return shown_path.empty() ? path : shown_path;
  }
  // The value of an option that has these, in the order of LanguageOption::values.
  template <class Value>
  Value value(const LanguageOption& option) const {
    const auto found = chosen.find(option.name);
    return static_cast<Value>(found == chosen.end() ? 0 : found->second);
  }
};

// Something that is allowed, but probably not intended.  If it is an error, there is nothing to
// search.
struct Remark {
  Diagnostic diagnostic;
  // The search visits more states than the author may expect.
  bool changes_search = false;
};

// What a language makes of a file.
struct ReadModel {
  // A program is interpreted or compiled, and searched with its symmetries.  What is not a program
  // is a model by itself.
  std::variant<program::Program, std::unique_ptr<Model>> meaning;
  std::vector<Remark> remarks = {};
  std::size_t variables = 0, rules = 0, properties = 0;  // of a text
};

struct Language {
  // What only some languages have.
  struct Has {
    bool text = false;              // that can be examined without a search
    bool programs = false;          // which are interpreted or compiled
    bool native_code = false;       // which is never copied, nor loaded from a path in a file
    bool constants = false;         // that can be set from outside
    bool counted_rules = false;     // it is known which have fired
    bool processes = false;         // rules are moves of processes, and their names say of which
    bool property_process = false;  // in the text, which judges runs
  };

  std::string_view name;
  // What a model in it is called; empty: a text in NAME.
  std::string_view model = "";
  std::span<const std::string_view> endings;  // of the names of files
  Has has;
  std::span<const LanguageOption> options = {};
  // Throws Error(model), and Error(usage) for constants and propositions that the model does not
  // have.
  ReadModel (*read)(const std::string& path, const ReadingOptions& options);
};

}  // namespace spillway
