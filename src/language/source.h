// The text of a model, and the errors that are found in it.
//
// What finds an error throws Refused.  The parser or the lowering catches it where it can go on,
// notes it and continues, so that one reading finds several errors.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/text/diagnostic.h"
#include "program/program.h"

namespace spillway {

// An error in the text.
struct Refused {
  program::Position position;
  std::string why;
};

// A part of the text depends on another part that has an error.  The error has been noted.
struct Spoiled {};

// No more errors are looked for.
struct GivenUp {};

// Limits of a reading, so that it ends soon whatever the text is.
inline constexpr std::size_t kMostErrors = 20;
inline constexpr std::size_t kMostFailures = 1000;

class Source {
 public:
  // `text` must outlive the source.  A byte order mark is skipped.  Throws an Error if the text is
  // too large.
  Source(std::string name, std::string_view text);
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  const std::string& name() const { return name_; }
  std::string_view text() const { return text_; }

  // From now on, another text is read in the scope of what was read so far.  Messages show lines of
  // `shown`, which has the same length or more.  Both must outlive their use.  REQUIRES: there are
  // no errors.
  void turn_to(std::string name, std::string_view text, std::string_view shown);
  // What messages call the end of the text.
  std::string_view end_name() const { return end_name_; }

  // Throws Refused.
  [[noreturn]] static void refuse(program::Position position, std::string why);
  // Notes the error and throws GivenUp: to continue would take too much time or memory.
  [[noreturn]] void give_up(program::Position position, std::string why);

  // Notes an error, unless it probably follows from an earlier one: an error on a line in which an
  // earlier stage has found an error, or the same error again.  Throws GivenUp if there are too
  // many.
  void note(const Refused& error);
  // Errors from here on belong to a later stage: words, syntax, meaning.
  void begin_stage() { lines_of_earlier_stages_ = lines_; }

  bool has_errors() const { return failures_ != 0; }
  // To be called where Spoiled or GivenUp is caught.  What has no error must not be left out.
  void require_errors() const { SPILLWAY_CHECK(!errors_.empty()); }
  // Throws a DiagnosedError with all errors, in the order of the text, if there are any.
  void throw_errors() const;
  // Runs `read`, which reads the model from this source.  Throws a DiagnosedError if it has errors.
  template <class Read>
  void read_all(Read read);

 private:
  std::string name_;
  std::string_view text_, shown_;
  std::string_view end_name_ = "the end of the file";
  std::vector<Refused> errors_;
  std::set<std::uint32_t> lines_, lines_of_earlier_stages_;  // with errors
  std::size_t failures_ = 0;                                 // includes errors that were not noted
  bool incomplete_ = false;
};

template <class Read>
void Source::read_all(Read read) {
  try {
    try {
      read();
    } catch (const Refused& refused) {
      note(refused);
    } catch (const Spoiled&) {
      require_errors();
    }
  } catch (const GivenUp&) {
    require_errors();
  }
  throw_errors();
}

// A name in quotes, safe to print.
std::string quoted(std::string_view name);
// Without it, that of std is better for a string, wherever <iomanip> is included.
inline std::string quoted(const std::string& name) { return quoted(std::string_view(name)); }

// "; did you mean ...?" if one of the known names is close, otherwise empty.
std::string did_you_mean(std::string_view word, std::vector<std::string_view> known);

}  // namespace spillway
