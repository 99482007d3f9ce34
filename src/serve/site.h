// Pages that a browser on this machine may ask for, and nobody else.
//
// A page is below an unguessable token in the address, which is what keeps other users of the
// machine out.  The Host of a request must be this machine by its own name, so that a page from
// elsewhere cannot reach it under a name that leads here.  Only GET is answered: nothing that is
// asked for changes anything.  No page may load or run anything that is not from here.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace spillway {

struct HttpAnswer {
  int status = 200;
  std::string type = "text/html; charset=utf-8";
  std::string body = {};
  // What the page may load; empty: styles, scripts, pictures and data of the same site.
  std::string policy = {};
  std::string location = {};  // of a redirection, below the token: "/state/0"
};

struct HttpQuestion {
  std::string path;  // below the token, without %-escapes: "/state/0"
  std::vector<std::pair<std::string, std::string>> fields = {};  // of the query, in order

  // The first field of this name; empty if there is none.
  std::string field(std::string_view name) const;
};

struct HttpRoute {
  std::string path;  // "/metrics", or "/state/" for all that begin so
  std::function<HttpAnswer(const HttpQuestion&)> answer;  // from several threads at once
};

// A request as it came.
struct HttpRequest {
  std::string_view method, target, host;
};

class Site {
 public:
  // The token is drawn at random.
  explicit Site(std::vector<HttpRoute> routes);
  // REQUIRES: the token needs no %-escapes.
  Site(std::vector<HttpRoute> routes, std::string token);

  const std::string& token() const { return token_; }

  // 421 for another Host, 405 for another method, 403 for another token, 404 for a path without a
  // route, 400 for a target that is none, 500 if the route throws.  Any thread.
  HttpAnswer answer(const HttpRequest& request, unsigned port) const;

 private:
  HttpAnswer routed(const HttpQuestion& question) const;

  const std::vector<HttpRoute> routes_;
  const std::string token_;
};

// All headers of an answer but its type.
std::vector<std::pair<std::string, std::string>> headers_of(const HttpAnswer& answer,
                                                            const std::string& token);

}  // namespace spillway
