// Reads models in Murphi, in the dialects of CMurphi 5.4 and Rumur.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/text/proposition_text.h"
#include "language/read_model.h"

namespace spillway {

enum class MurphiDialect {
  automatic,  // CMurphi if the model uses types that only CMurphi has, otherwise Rumur
  cmurphi,
  rumur,
};

struct MurphiOptions {
  MurphiDialect dialect = MurphiDialect::automatic;
  std::map<std::string, std::int64_t> constants;  // override the values in the model
  // For tests: keeps declared symmetries even if the model does not have them.
  bool trusts_scalarsets = false;
  std::vector<PropositionText> propositions = {};
};

using MurphiModel = ReadModel;

// Throws an Error that shows the source line if the text is not a valid model.
MurphiModel read_murphi(const std::string& file_name, std::string_view text,
                        const MurphiOptions& options);

}  // namespace spillway
