// The properties of the runs of a model, each judged by the search of a product.
#pragma once

#include "check/inquiry.h"

namespace spillway {

// Searches the products one after the other and adds what they say, if the model itself is done and
// nothing is wrong with it but a formula.  Each product takes an attempt of its own.
void check_runs(Inquiry& inquiry);

}  // namespace spillway
