// Reads models in DVE, the language of DiVinE and of the BEEM collection.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "language/read_model.h"

namespace spillway {

// What happens when a value does not fit its variable, an index its array, or something is divided
// by zero.
enum class DveErrors {
  report,  // the model is wrong: the search ends there
  wrap,    // values are cut to the size of the variable, as in compiled models; the others are
           // reported
  legacy,  // the state is followed by a state of errors, as in the first interpreters
};

// What becomes of a property process, which says with its accepting states which runs are wrong.
enum class DveProperty {
  unchecked,  // the program is the system without it, and what it asks for is left unchecked
  product,  // the program is the product of both.  It has no deadlocks: its dead ends are not those
            // of the system
};

struct DveOptions {
  DveErrors errors = DveErrors::report;
  DveProperty property = DveProperty::unchecked;
  bool narrow = true;  // do not store values that a variable never has
  // global ones, instead of the values that the model gives them
  std::map<std::string, std::int64_t> constants = {};
};

// Throws an Error that names the place and shows it when the text is no model.
ReadModel read_dve(const std::string& file_name, std::string_view text, const DveOptions& options);

}  // namespace spillway
