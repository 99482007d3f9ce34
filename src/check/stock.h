// Takes stock when the search of an attempt has ended, however it has: what it has found, saved,
// counted and left unchecked.
#pragma once

#include "check/inquiry.h"

namespace spillway {

// REQUIRES: there is a search.
void save_and_count(Inquiry& inquiry);
// Only counts what has been expanded so far, with or without a search.
void count(Inquiry& inquiry);

}  // namespace spillway
