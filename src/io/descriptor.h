// Owns a file descriptor.
#pragma once

#include "base/process/descriptor.h"
