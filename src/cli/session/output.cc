#include "cli/session/output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/error.h"
#include "base/text/printable.h"

namespace spillway {
namespace {

[[noreturn]] void cannot_write(const std::string& path, int error) {
  throw Error(Fault::system, fmt::format("cannot write the result to {}: {}", printable(path),
                                         std::strerror(error)));
}

}  // namespace

void say(std::FILE* stream, const std::string& text) {
  std::fputs(text.c_str(), stream);
  std::fflush(stream);
}

void say_text(std::FILE* stream, const TextSource& text) {
  text([&](std::string_view piece) { std::fwrite(piece.data(), 1, piece.size(), stream); });
  std::fflush(stream);
}

void say_sentence(const std::string& sentence) {
  say(stderr, fmt::format("spillway: {}\n", sentence));
}

bool wants_color(std::FILE* stream, Color color) {
  if (color != Color::automatic) return color == Color::always;
  const auto variable = [](const char* name) {
    const char* const value = std::getenv(name);
    return std::string_view(value != nullptr ? value : "");
  };
  return isatty(fileno(stream)) == 1 && variable("NO_COLOR").empty() && variable("TERM") != "dumb";
}

void say_errors(const DiagnosedError& error) {
  std::string text;
  for (const Diagnostic& one : error.diagnostics()) text += one.text();
  say(stderr, fmt::format("{}{}\n", text, error.count()));
}

void write_file(const std::string& path, const std::string& text) {
  write_file(path, [&](const TextSink& sink) { sink(text); });
}

void write_file(const std::string& path, const TextSource& text) {
  const auto close = [](std::FILE* file) {
    return file == stdout ? std::fflush(file) : std::fclose(file);
  };
  std::FILE* file = path == "-" ? stdout : std::fopen(path.c_str(), "w");
  if (file == nullptr) cannot_write(path, errno);
  bool written = true;
  int error = 0;
  text([&](std::string_view piece) {
    if (!written) return;
    written = std::fwrite(piece.data(), 1, piece.size(), file) == piece.size();
    error = errno;
  });
  if (close(file) != 0) cannot_write(path, errno);
  if (!written) cannot_write(path, error);
}

void replace_file(const std::string& path, const std::string& text) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::file_type type = fs::symlink_status(path, error).type();
  // A pipe or a link is written through.
  if (path == "-" || (type != fs::file_type::regular && type != fs::file_type::not_found))
    return write_file(path, text);
  const std::string beside = fmt::format("{}.{}.new", path, getpid());
  try {
    write_file(beside, text);
  } catch (const Error&) {
    const int why = errno;
    fs::remove(beside, error);
    cannot_write(path, why);
  }
  fs::rename(beside, path, error);
  if (!error) return;
  const int why = error.value();
  fs::remove(beside, error);
  cannot_write(path, why);
}

void check_can_write(const std::string& path) {
  if (path.empty() || path == "-") return;
  namespace fs = std::filesystem;
  std::error_code none;
  const fs::file_type type = fs::symlink_status(path, none).type();
  const bool existed = type != fs::file_type::not_found;
  // A pipe or a link must not be touched twice.
  if (existed && type != fs::file_type::regular) return;
  std::FILE* file = std::fopen(path.c_str(), "a");
  if (file == nullptr) cannot_write(path, errno);
  std::fclose(file);
  if (!existed) fs::remove(path, none);  // an empty file is no result
}

}  // namespace spillway
