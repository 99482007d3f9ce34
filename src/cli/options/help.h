// The help, made from the tables of commands and options.
#pragma once

#include <string>

#include "cli/options/options.h"

namespace spillway {

std::string general_help();
std::string command_help(const Command& command);

// The tables for programs, such as those that make shell completion and check the manual: a line
// for each command and for each of its options, with fields separated by tabs.
//
//   command  NAME  SUBJECT  SUMMARY
//   option   COMMAND  GROUP  NAME  LETTER  ARGUMENT  CHOICES  once|many  HELP  DEFAULT
//
// LETTER is as -j or empty, CHOICES are separated by blanks.  Fields are only added at the end.
std::string option_table();

}  // namespace spillway
