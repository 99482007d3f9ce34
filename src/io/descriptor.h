// Owns a file descriptor.
#pragma once

#include "base/descriptor.h"
