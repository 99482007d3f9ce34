// The table of languages.
//
// To add a language, write its folder beside this one and add its row.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "language/language.h"

namespace spillway {

std::span<const Language> languages();

// The language of the file, by the ending of its name; nullptr if there is none.
const Language* language_of(const std::string& path);

// The names of the languages that have something: "A, B and C".
std::string languages_with(bool Language::Has::*something, std::string_view last = "and");

// And their endings: ".a or .b".
std::string endings_with(bool Language::Has::*something);

// The parts in one sentence: "A, B and C".
std::string listed(const std::vector<std::string>& parts, std::string_view last);

}  // namespace spillway
