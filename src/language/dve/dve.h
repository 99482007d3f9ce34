// Reads models in DVE, the language of DiVinE and of the BEEM collection.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/text/proposition_text.h"
#include "language/read_program.h"

namespace spillway {

// What happens when a value does not fit its variable, an index is out of range, or a division by
// zero occurs.
enum class DveErrors {  // in the order of kDveErrors
  report,               // the model is wrong, and the search ends
  wrap,    // values are truncated to the size of the variable, as in compiled models; other errors
           // are reported
  legacy,  // the successor is an error state, as in the first interpreters
};

// What to do with a property process, whose accepting states define which runs are wrong.
enum class DveProperty {
  unchecked,  // the program is the system without it; the property is not checked
  product,  // the program is the product of both.  Deadlocks are not checked, because its dead ends
            // are not those of the system
};

struct DveOptions {
  DveErrors errors = DveErrors::report;
  DveProperty property = DveProperty::unchecked;
  bool narrow = true;  // leave values that a variable never has out of its type
  // Global constants; override the values in the model.
  std::map<std::string, std::int64_t> constants = {};
  // They belong to what the program is: the system, or the product.
  std::vector<PropositionText> propositions = {};
};

inline constexpr std::array<std::string_view, 3> kDveErrors = {"report", "wrap", "legacy"};
inline constexpr std::array<LanguageOption, 1> kDveOptions = {{
    {.name = "--dve-errors",
     .argument = "MODE",
     .help = "what to do with values in DVE that do not fit their variable: report (a run-time "
             "error), wrap (truncate, as compiled models of other tools do), or legacy (go to an "
             "error state, as the first interpreters did)",
     .values = kDveErrors},
}};

// A row of the table of languages.
ReadModel read_dve_file(const std::string& path, const ReadingOptions& options);

// Throws an Error that shows the source line if the text is not a valid model.
ReadProgram read_dve(const std::string& file_name, std::string_view text,
                     const DveOptions& options);

}  // namespace spillway
