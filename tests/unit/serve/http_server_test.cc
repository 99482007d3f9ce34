// The plug-in, over a real connection.
#include "serve/http_server.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

#include "base/error.h"

namespace spillway {
namespace {

// What the server says to these bytes.
std::string said_to(unsigned port, const std::string& request) {
  const int connection = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(connection, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    return "no connection";
  EXPECT_EQ(send(connection, request.data(), request.size(), MSG_NOSIGNAL),
            static_cast<ssize_t>(request.size()));
  std::string said;
  char buffer[4096];
  for (ssize_t got; (got = recv(connection, buffer, sizeof buffer, 0)) > 0;)
    said.append(buffer, static_cast<std::size_t>(got));
  close(connection);
  return said;
}

Site one_page() {
  return Site({{"/page",
                [](const HttpQuestion& question) {
                  return HttpAnswer{200, "text/plain", "<" + question.field("q") + ">"};
                }}},
              "token");
}

std::string request(const std::string& first_line, unsigned port) {
  return first_line + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) + "\r\n\r\n";
}

TEST(HttpServer, AnswersOnLoopback) {
  const HttpServer server(one_page(), 0);
  EXPECT_EQ(server.address(), "http://127.0.0.1:" + std::to_string(server.port()) + "/token/");
  const std::string said =
      said_to(server.port(), request("GET /token/page?q=a%20b", server.port()));
  EXPECT_TRUE(said.starts_with("HTTP/1.1 200")) << said;
  EXPECT_TRUE(said.ends_with("\r\n\r\n<a b>")) << said;
  EXPECT_NE(said.find("\r\nContent-Security-Policy: default-src 'none'"), std::string::npos);
}

TEST(HttpServer, RefusesWhatTheSiteRefuses) {
  const HttpServer server(one_page(), 0);
  const auto status = [&](const std::string& bytes) {
    return said_to(server.port(), bytes).substr(0, 12);
  };
  EXPECT_EQ(status(request("GET /other/page", server.port())), "HTTP/1.1 403");
  EXPECT_EQ(status(request("POST /token/page", server.port())), "HTTP/1.1 405");
  EXPECT_EQ(status(request("HEAD /token/page", server.port())), "HTTP/1.1 405");
  EXPECT_EQ(status("GET /token/page HTTP/1.1\r\nHost: evil.example\r\n\r\n"), "HTTP/1.1 421");
  EXPECT_EQ(status("GET /token/page HTTP/1.1\r\n\r\n"), "HTTP/1.1 421");
  EXPECT_EQ(status("nonsense\r\n\r\n"), "HTTP/1.1 400");
}

TEST(HttpServer, AnswersSeveralAtOnce) {
  const HttpServer server(one_page(), 0);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&server] {
      for (int k = 0; k < 10; ++k)
        EXPECT_TRUE(
            said_to(server.port(), request("GET /token/page?q=x", server.port())).ends_with("<x>"));
    });
  for (std::thread& thread : threads) thread.join();
}

TEST(HttpServer, SaysThatAPortIsTaken) {
  const HttpServer server(one_page(), 0);
  try {
    const HttpServer second(one_page(), server.port());
    ADD_FAILURE() << "both have it";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::system);
    EXPECT_NE(std::string(error.what()).find("port"), std::string::npos);
  }
}

}  // namespace
}  // namespace spillway
