// Prints the output of commands, and writes the files that users ask for.
#pragma once

#include <cstdio>
#include <string>

#include "base/text/diagnostic.h"
#include "cli/options/options.h"
#include "report/words/text_sink.h"

namespace spillway {

// Prints to the user.  Standard error may be closed; errors of standard output are detected when
// the program ends.
void say(std::FILE* stream, const std::string& text);
void say_text(std::FILE* stream, const TextSource& text);
// Prints a sentence to standard error, with the name of the program before it.
void say_sentence(const std::string& sentence);

// Whether text for this stream is to be colored.
bool wants_color(std::FILE* stream, Color color);

// Prints the errors of a model to standard error, and how many there are.
void say_errors(const DiagnosedError& error);

// Writes to a file, or to standard output if the path is "-".  Throws Error(system).
void write_file(const std::string& path, const TextSource& text);
void write_file(const std::string& path, const std::string& text);
// The same, and a file that exists is replaced by a whole one or not at all.
void replace_file(const std::string& path, const std::string& text);
// Throws Error(system) if write_file() would.  To be called before a long search, not after it.  No
// effect if the path is empty.
void check_can_write(const std::string& path);

}  // namespace spillway
