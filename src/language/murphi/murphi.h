// Reads models in Murphi, in the dialects of CMurphi 5.4 and Rumur.
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

enum class MurphiDialect {  // in the order of kMurphiDialects
  automatic,  // CMurphi if the model uses types that only CMurphi has, otherwise Rumur
  cmurphi,
  rumur,
};

// What an undefined scalarset or union value is where CMurphi does not check that it is defined.
enum class MurphiUndefined {  // in the order of kMurphiUndefined
  error,
  cmurphi,  // a value, which equals itself only
};

struct MurphiOptions {
  MurphiDialect dialect = MurphiDialect::automatic;
  MurphiUndefined undefined = MurphiUndefined::error;
  std::map<std::string, std::int64_t> constants;  // override the values in the model
  // For tests: keeps declared symmetries even if the model does not have them.
  bool trusts_scalarsets = false;
  std::vector<PropositionText> propositions = {};
};

using MurphiModel = ReadProgram;

inline constexpr std::array<std::string_view, 3> kMurphiDialects = {"auto", "cmurphi", "rumur"};
inline constexpr std::array<std::string_view, 2> kMurphiUndefined = {"error", "cmurphi"};
inline constexpr std::array<LanguageOption, 2> kMurphiOptions = {{
    {.name = "--dialect",
     .argument = "NAME",
     .help = "where Murphi tools differ, follow this one: auto, cmurphi or rumur",
     .values = kMurphiDialects},
    {.name = "--undefined",
     .argument = "MEANING",
     .help = "undefined scalarset and union values are an error wherever they are used, or are "
             "compared as in CMurphi: error or cmurphi",
     .values = kMurphiUndefined},
}};

// A row of the table of languages.
ReadModel read_murphi_file(const std::string& path, const ReadingOptions& options);

// Throws an Error that shows the source line if the text is not a valid model.
MurphiModel read_murphi(const std::string& file_name, std::string_view text,
                        const MurphiOptions& options);

}  // namespace spillway
