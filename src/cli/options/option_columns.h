// How a row of the table of options is written: its group, then the columns that every option has,
// then those that it has beside them.
#pragma once

#include <string_view>

#include "cli/options/option_values.h"
#include "cli/options/options.h"
#include "language/table/table.h"

namespace spillway::option_columns {

// The columns that not every option has.
inline constexpr struct Adds {
} kAdds;
inline constexpr struct ChangesMeaning {
} kChangesMeaning;
inline constexpr Later kKept = Later::kept, kAnew = Later::anew;
inline constexpr SameFor kNobody = SameFor::nobody, kRanks = SameFor::ranks,
                         kCheck = SameFor::check;
constexpr void add(Option& o, char letter) { o.letter = letter; }
constexpr void add(Option& o, const char* number) { o.number = number; }
constexpr void add(Option& o, Names (*choices)()) { o.choices = choices; }
constexpr void add(Option& o, Adds) { o.adds = true; }
constexpr void add(Option& o, Later later) { o.later = later; }
constexpr void add(Option& o, ChangesMeaning) { o.changes_meaning = true; }
constexpr void add(Option& o, SameFor same_for) { o.same_for = same_for; }

// limit(NAME, ARGUMENT, WHAT HAPPENS WITHOUT IT, HELP, SETTER, others...), and so on.
template <Group group>
struct In {
  using Text = std::string_view;
  template <class... More>
  constexpr Option operator()(Text name, Text argument, Text unset, Text help,
                              void (*set)(CommandSettings&, Text), More... more) const {
    Option o{.name = name,
             .argument = argument,
             .help = help,
             .unset = unset,
             .set = set,
             .group = group};
    (add(o, more), ...);
    return o;
  }
};
inline constexpr In<Group::limits> limit;
inline constexpr In<Group::model> model;
inline constexpr In<Group::long_runs> long_run;
inline constexpr In<Group::output> output;
inline constexpr In<Group::experts> expert;

// That of a language.
inline Option option_of(const LanguageOption& of_language) {
  Option o = model(of_language.name, of_language.argument, of_language.values.front(),
                   of_language.help, nullptr, kChangesMeaning, kCheck);
  o.of_language = &of_language;
  return o;
}

}  // namespace spillway::option_columns
