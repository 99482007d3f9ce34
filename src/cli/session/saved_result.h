// Results that users name: the file of `check --json`, or a run directory.
#pragma once

#include <optional>
#include <string>

namespace spillway {

// The document.  Of a run it is that of the last process which left one.  Throws Error.
std::string saved_result(const std::string& path);

// The text of a model, if it can be read, has this checksum and can be shown.
std::optional<std::string> model_text(const std::string& path, const std::string& sha256);

// Of the model that a run directory has a copy of.
std::optional<std::string> model_text_of_run(const std::string& directory);

}  // namespace spillway
