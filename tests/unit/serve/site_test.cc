// Which requests are answered, and how the others are refused.
#include "serve/site.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

namespace spillway {
namespace {

constexpr unsigned kPort = 8080;
constexpr std::string_view kHost = "127.0.0.1:8080";

Site a_site() {
  return Site(
      {{"/",
        [](const HttpQuestion&) {
          return HttpAnswer{200, "text/plain", "front"};
        }},
       {"/state/",
        [](const HttpQuestion& question) {
          return HttpAnswer{200, "text/plain", question.path + "|" + question.field("q")};
        }},
       {"/broken",
        [](const HttpQuestion&) -> HttpAnswer { throw std::runtime_error("it is broken"); }}},
      "token");
}

HttpAnswer get(std::string_view target) { return a_site().answer({"GET", target, kHost}, kPort); }

TEST(Site, AnswersWhatIsBelowItsToken) {
  EXPECT_EQ(get("/token/").body, "front");
  EXPECT_EQ(get("/token").body, "front");
  EXPECT_EQ(get("/token/state/0.1").body, "/state/0.1|");
  EXPECT_EQ(get("/token/state/").body, "/state/|");
  EXPECT_EQ(get("/token/state/a%2fb?p=1&q=x+%3D%201&q=2").body, "/state/a/b|x = 1");
  EXPECT_EQ(a_site().answer({"GET", "/token/", "localhost:8080"}, kPort).status, 200);
}

TEST(Site, RefusesOtherTokens) {
  for (const char* target : {"/", "/toke/", "/tokens/", "/Token/", "//token/", "/state/0"})
    EXPECT_EQ(get(target).status, 403) << target;
}

TEST(Site, RefusesOtherMethods) {
  for (const char* method : {"POST", "PUT", "DELETE", "HEAD", "OPTIONS", "get", ""}) {
    const HttpAnswer answer = a_site().answer({method, "/token/", kHost}, kPort);
    EXPECT_EQ(answer.status, 405) << method;
    const auto headers = headers_of(answer, "token");
    EXPECT_NE(std::ranges::find(headers, std::pair<std::string, std::string>("Allow", "GET")),
              headers.end());
  }
}

TEST(Site, RefusesOtherHosts) {
  for (const char* host : {"", "127.0.0.1", "127.0.0.1:80", "evil.example:8080", "localhost",
                           "localhost.evil.example:8080", "127.0.0.1:8080, evil.example"})
    EXPECT_EQ(a_site().answer({"GET", "/token/", host}, kPort).status, 421) << host;
}

TEST(Site, RefusesWhatIsNoAddress) {
  EXPECT_EQ(get("").status, 400);
  EXPECT_EQ(get("http://127.0.0.1:8080/token/").status, 400);
  EXPECT_EQ(get("/token/state/%2").status, 400);
  EXPECT_EQ(get("/token/state/%zz").status, 400);
  EXPECT_EQ(get("/token/state/?q=%").status, 400);
}

TEST(Site, KnowsNoOtherPages) {
  EXPECT_EQ(get("/token/stat").status, 404);
  EXPECT_EQ(get("/token/front").status, 404);
  EXPECT_EQ(get("/token/broken").status, 500);
}

TEST(Site, DrawsItsToken) {
  const Site one({}), other({});
  EXPECT_EQ(one.token().size(), 32U);
  EXPECT_NE(one.token(), other.token());
}

TEST(Site, LetsNoPageLoadAnythingFromElsewhere) {
  const auto headers = headers_of({}, "token");
  const auto policy =
      std::ranges::find(headers, "Content-Security-Policy", [](const auto& h) { return h.first; });
  ASSERT_NE(policy, headers.end());
  EXPECT_NE(policy->second.find("default-src 'none'"), std::string::npos);
  EXPECT_EQ(policy->second.find("unsafe"), std::string::npos);
}

}  // namespace
}  // namespace spillway
