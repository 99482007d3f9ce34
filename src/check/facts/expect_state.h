// Rows that this process has not made are tested once, when they come in, before a model sees them:
// those of a log or manifest, and those that other ranks send.  Likewise what refers to a property.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "check/facts/finding.h"
#include "model/model.h"

namespace spillway {

// Throws Error(integrity) if it is no state; what() says which row it is.
template <class What>
void expect_state(const Transitions& steps, State row, What what) {
  if (row.size() != steps.words())
    throw Error(Fault::integrity, fmt::format("{} has {} words, but states of the model have {}",
                                              what(), row.size(), steps.words()));
  if (const std::string why = steps.why_not_a_state(row); !why.empty())
    throw Error(Fault::integrity, fmt::format("{} is none of the model: {}", what(), why));
}

// Throws Error(integrity) if the model has no such property.
void expect_property(const Model& model, std::uint64_t property);

// The same of all rows of a finding, and of the property of the model that it refers to.
void expect_states(const Model& model, const Finding& finding);

}  // namespace spillway
