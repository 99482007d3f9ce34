// Results as JSON, for other programs, and read back from it.  The names of members are stable:
// docs/manual/json.md.  The library that does it takes long to compile, so only json.cc uses it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/check.h"
#include "report/status.h"
#include "report/words/subject.h"
#include "report/words/text_sink.h"

namespace spillway {

inline constexpr int kJsonVersion = 1;

// One document, ending in a newline.  It is made while it is written: counterexamples take no room.
void write_json(const Subject& subject, const CheckResult& result, int exit_code,
                const TextSink& sink);
// The same for those who need all of it.  From counterexamples that take more than `most_bytes`
// together, steps in the middle are left out ("omitted_steps").
std::string to_json(const Subject& subject, const CheckResult& result, int exit_code,
                    std::uint64_t most_bytes = kUnlimited);

// Errors and warnings of `lint`, as one document.
std::string lint_document(const std::string& path, const std::vector<Diagnostic>& diagnostics);

// What such a document says, if anybody can tell: it comes from a run directory, and may be
// anything. Members that are missing or not text are empty.
struct ReadResult {
  struct Property {
    std::string kind, name, verdict;
    std::uint32_t line = 0;
  };
  std::string verdict;
  std::string reason;
  std::string model, model_sha256;  // its path and checksum
  std::optional<std::uint64_t> states, transitions, depth;
  std::optional<std::uint64_t> exit_code;
  bool marked_final = false;  // the member "final"
  std::vector<Property> properties;
};
// std::nullopt: there is none, it is no JSON object, or deeper than any result.
std::optional<ReadResult> read_result(const std::optional<std::string>& document);

// The status of a run as one document, ending in a newline.
std::string status_document(const RunStatus& status, std::string_view condition,
                            const std::string& resume_command);

}  // namespace spillway
