// Any bytes as a text of a run directory: refused with an Error, or one that is written again as it
// was read.
//
// Built and run by tests/fuzz/run.  The first byte of the input chooses the reader, and whether the
// checksum is made right, as whoever wants to be believed would, so that what lies behind it is
// reached.
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/text/signed_text.h"
#include "check/durable/manifest.h"
#include "check/durable/newest_checkpoint.h"
#include "directory/run_config.h"
#include "directory/run_places.h"
#include "report/status.h"

namespace {

using namespace spillway;

void demand(bool holds) {
  if (!holds) std::abort();
}

// Nothing that a terminal obeys.
bool is_harmless(std::string_view text) {
  for (const char c : text)
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7f) return false;
  return text.find("\xe2\x80\xae") == std::string_view::npos;
}

std::string filled_up(std::string text, std::size_t multiple) {
  text.resize((text.size() + multiple - 1) / multiple * multiple, '\n');
  return text;
}

void read_config(const std::string& text) {
  const RunConfig config = parse_config(text, "config");
  demand(to_text(config) == text && is_harmless(text));
  demand(config.copy.find('/') == std::string::npos);
}

void read_manifest(const std::string& text) {
  demand(to_text(parse_manifest(text, "manifest")) == text);
}

void read_places(const std::string& text) {
  const std::optional<Identity> run = Identity::from_hex("00112233445566778899aabbccddeeff");
  for (const std::string& path : parse_sector(text, *run, "places").paths)
    demand(path.starts_with('/') && path.find("/../") == std::string::npos && is_harmless(path));
}

void read_mark(const std::string& text) {
  demand(to_text(parse_place_mark(text, "PLACE")) == text);
}

void read_newest(const std::string& text) {
  const std::optional<Identity> run = Identity::from_hex("00112233445566778899aabbccddeeff");
  NewestCheckpoint::parse(text, *run);
}

// A result is believed when its checksum is right: whatever it says, status can tell it.
void read_result(const std::string& text) {
  RunStatus status;
  status.directory = "run";
  status.result = text;
  status.earlier_result = text;
  demand(is_harmless(status_text(status)));
  demand(status_json(status).find("<discarded>") == std::string::npos);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const bool is_signed = (data[0] & 8) != 0;
  std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto with_sum = [&](const char* word) {
    return is_signed ? with_checksum(text, word) : text;
  };
  try {
    switch (data[0] % 8) {
      case 0: read_config(with_sum("end")); break;
      case 1: read_manifest(filled_up(with_sum("sha256"), 4096)); break;
      case 2: read_places(filled_up(with_sum("end"), 4096)); break;
      case 3: read_mark(with_sum("end")); break;
      case 4: read_newest(filled_up(with_sum("end"), 4096)); break;
      default: read_result(text); break;
    }
  } catch (const Error& error) {
    if (error.fault() != Fault::integrity && error.fault() != Fault::usage) std::abort();
  }
  return 0;
}
