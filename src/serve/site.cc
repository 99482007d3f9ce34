#include "serve/site.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <optional>

#include "base/error.h"
#include "base/process/identity.h"

namespace spillway {
namespace {

constexpr std::string_view kStrictPolicy =
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

HttpAnswer refusal(int status, std::string_view why) {
  return {status, "text/plain; charset=utf-8", fmt::format("{}\n", why)};
}

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Without %-escapes; std::nullopt if one is none.
std::optional<std::string> decoded(std::string_view text, bool of_query) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+' && of_query) {
      out += ' ';
    } else if (text[i] != '%') {
      out += text[i];
    } else {
      const int high = i + 2 < text.size() ? digit_of(text[i + 1]) : -1;
      const int low = i + 2 < text.size() ? digit_of(text[i + 2]) : -1;
      if (high < 0 || low < 0) return std::nullopt;
      out += static_cast<char>(high * 16 + low);
      i += 2;
    }
  }
  return out;
}

// "a=b&c" as fields; std::nullopt if an escape is none.
std::optional<std::vector<std::pair<std::string, std::string>>> fields_of(std::string_view query) {
  std::vector<std::pair<std::string, std::string>> all;
  while (!query.empty()) {
    const std::string_view one = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), one.size() + 1));
    const std::size_t equals = std::min(one.find('='), one.size());
    const auto name = decoded(one.substr(0, equals), true);
    const auto value = decoded(one.substr(std::min(one.size(), equals + 1)), true);
    if (!name || !value) return std::nullopt;
    all.emplace_back(*name, *value);
  }
  return all;
}

// Takes as long whatever the first difference is.
bool same_token(std::string_view a, std::string_view b) {
  unsigned different = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    different |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  return different == 0;
}

bool is_this_machine(std::string_view host, unsigned port) {
  return host == fmt::format("127.0.0.1:{}", port) || host == fmt::format("localhost:{}", port);
}

}  // namespace

std::string HttpQuestion::field(std::string_view name) const {
  for (const auto& [one, value] : fields)
    if (one == name) return value;
  return "";
}

Site::Site(std::vector<HttpRoute> routes) : Site(std::move(routes), Identity::drawn().hex()) {}

Site::Site(std::vector<HttpRoute> routes, std::string token)
    : routes_(std::move(routes)), token_(std::move(token)) {}

HttpAnswer Site::answer(const HttpRequest& request, unsigned port) const {
  if (!is_this_machine(request.host, port))
    return refusal(421, "The name of the host is not that of this machine.");
  if (request.method != "GET") return refusal(405, "Only GET is answered.");
  const std::string_view target = request.target.substr(0, request.target.find('#'));
  const std::size_t question_mark = std::min(target.find('?'), target.size());
  const std::string_view path = target.substr(0, question_mark);
  if (path.empty() || path.front() != '/') return refusal(400, "This is no path.");
  const std::string_view token = path.substr(1, path.find('/', 1) - 1);
  if (!same_token(token, token_)) return refusal(403, "The token in the address is another one.");
  const std::string_view rest = path.substr(1 + token.size());
  const auto decoded_path = decoded(rest.empty() ? "/" : rest, false);
  const auto fields = fields_of(target.substr(std::min(target.size(), question_mark + 1)));
  if (!decoded_path || !fields) return refusal(400, "A %-escape in the address is none.");
  return routed({*decoded_path, *fields});
}

HttpAnswer Site::routed(const HttpQuestion& question) const {
  for (const HttpRoute& route : routes_) {
    const bool of_many = route.path.size() > 1 && route.path.ends_with('/');
    if (of_many ? !question.path.starts_with(route.path) : question.path != route.path) continue;
    try {
      return route.answer(question);
    } catch (const Error& error) {
      return refusal(500, error.what());
    } catch (const std::exception& error) {
      return refusal(500, error.what());
    }
  }
  return refusal(404, "There is no such page.");
}

std::vector<std::pair<std::string, std::string>> headers_of(const HttpAnswer& answer,
                                                            const std::string& token) {
  std::vector<std::pair<std::string, std::string>> all = {
      {"Content-Security-Policy",
       answer.policy.empty() ? std::string(kStrictPolicy) : answer.policy},
      {"X-Content-Type-Options", "nosniff"},
      {"Referrer-Policy", "no-referrer"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Cache-Control", "no-store"}};
  if (answer.status == 405) all.emplace_back("Allow", "GET");
  if (!answer.location.empty())
    all.emplace_back("Location", fmt::format("/{}{}", token, answer.location));
  return all;
}

}  // namespace spillway
