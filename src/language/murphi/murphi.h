// Reads models in Murphi, in the dialects of CMurphi 5.4 and Rumur.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "language/read_model.h"

namespace spillway {

enum class MurphiDialect {
  automatic,  // CMurphi if the model has types that only CMurphi knows, otherwise Rumur
  cmurphi,
  rumur,
};

struct MurphiOptions {
  MurphiDialect dialect = MurphiDialect::automatic;
  std::map<std::string, std::int64_t> constants;  // instead of the values that the model gives them
  bool trusts_scalarsets =
      false;  // for tests: symmetries that the model declares are kept, also if it has not got them
};

using MurphiModel = ReadModel;

// Throws an Error that names the place and shows it when the text is no model.
MurphiModel read_murphi(const std::string& file_name, std::string_view text,
                        const MurphiOptions& options);

}  // namespace spillway
