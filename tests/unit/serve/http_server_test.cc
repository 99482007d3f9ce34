// Over real connections, also of those that have no token and wish no good.
#include "serve/http_server.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <future>
#include <thread>

#include "base/error.h"

namespace spillway {
namespace {

// A connection of a client.
class Client {
 public:
  explicit Client(unsigned port) : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  }
  ~Client() { close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // Whether all of it was taken.
  bool say(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }
  void say_no_more() { shutdown(socket_, SHUT_WR); }

  // What the server says until it closes the connection; `reset` if it did not do so properly.
  std::string hear() {
    std::string said;
    char buffer[4096];
    ssize_t got = 0;
    while ((got = recv(socket_, buffer, sizeof buffer, 0)) > 0)
      said.append(buffer, static_cast<std::size_t>(got));
    return got == 0 ? said : said + "reset";
  }

 private:
  const int socket_;
};

std::string said_to(unsigned port, const std::string& request) {
  Client client(port);
  EXPECT_TRUE(client.say(request));
  return client.hear();
}

std::size_t open_descriptors() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& one : std::filesystem::directory_iterator("/proc/self/fd"))
    ++count;
  return count;
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

TEST(HttpServer, RefusesEndlessRequests) {
  const HttpServer server(one_page(), 0);
  const std::string piece(1 << 20, 'a');
  for (const std::string& begin :
       {std::string("GET /"), std::string("GET / HTTP/1.1\r\nHost: x\r\nA: "), std::string(),
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n" + piece}) {
    Client client(server.port());
    bool taken = client.say(begin);
    for (int i = 0; i < 128 && taken; ++i) taken = client.say(piece);  // 128 MiB
    EXPECT_FALSE(taken) << begin.substr(0, 20);
  }
  std::string headers;
  for (int i = 0; i < 200000; ++i) headers += "A: b\r\n";
  Client client(server.port());
  bool taken = client.say("GET / HTTP/1.1\r\n");
  for (int i = 0; i < 128 && taken; ++i) taken = client.say(headers);
  EXPECT_FALSE(taken);
}

TEST(HttpServer, SaysThatARequestIsTooLong) {
  const HttpServer server(one_page(), 0);
  std::string headers;
  for (int i = 0; i < 2000; ++i) headers += "A: b\r\n";
  const std::string host = "Host: 127.0.0.1:" + std::to_string(server.port()) + "\r\n";
  for (const std::string& request :
       {"GET /token/page?q=" + std::string(10000, 'a') + " HTTP/1.1\r\n" + host + "\r\n",
        "GET /token/page HTTP/1.1\r\n" + host + "A: " + std::string(10000, 'a') + "\r\n\r\n",
        "GET /token/page HTTP/1.1\r\n" + host + headers + "\r\n"}) {
    const std::string said = said_to(server.port(), request);
    EXPECT_TRUE(said.starts_with("HTTP/1.1 431 ")) << said;
    EXPECT_FALSE(said.ends_with("reset")) << said;
  }
}

TEST(HttpServer, KeepsFewConnections) {
  const HttpServer server(one_page(), 0);
  const std::size_t before = open_descriptors();
  std::vector<std::unique_ptr<Client>> silent;
  for (std::size_t i = 0; i < 200; ++i) {
    silent.push_back(std::make_unique<Client>(server.port()));
    if (i % 2 == 1) silent.back()->say("GET /token/page HTTP/1.1\r\nA: ");
  }
  // It comes after them, so they have been accepted when it is answered.
  EXPECT_TRUE(
      said_to(server.port(), request("GET /token/page?q=x", server.port())).ends_with("<x>"));
  EXPECT_LE(open_descriptors(), before + silent.size() + 16);
}

TEST(HttpServer, ClosesAConnectionThatSaysNothing) {
  const HttpServer server(one_page(), 0, std::chrono::milliseconds(200));
  Client silent(server.port()), slow(server.port());
  std::atomic<bool> closed{false};
  std::thread trickle([&] {
    while (!closed && slow.say("A")) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  });
  silent.hear();
  slow.hear();
  closed = true;
  trickle.join();
}

// Returns whether the server ends while the connection is still there.
bool ends_beside(std::unique_ptr<HttpServer> server) {
  auto ended = std::async(std::launch::async, [&] { server.reset(); });
  return ended.wait_for(std::chrono::seconds(60)) == std::future_status::ready;
}

TEST(HttpServer, EndsBesideAConnectionThatTrickles) {
  auto server = std::make_unique<HttpServer>(one_page(), 0);
  const unsigned port = server->port();
  std::atomic<bool> stopped{false};
  std::promise<void> begun;
  std::thread trickle([&] {
    Client slow(port);
    slow.say("GET / HTTP/1.1\r\nHost: x\r\nA: ");
    begun.set_value();
    for (int i = 0; i < 1200 && !stopped && slow.say("a"); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
  });
  begun.get_future().wait();
  said_to(port, request("GET /token/page", port));  // it has been accepted
  EXPECT_TRUE(ends_beside(std::move(server)));
  stopped = true;
  trickle.join();
}

TEST(HttpServer, EndsBesideAConnectionThatDoesNotRead) {
  auto server = std::make_unique<HttpServer>(
      Site({{"/large",
             [](const HttpQuestion&) {
               return HttpAnswer{200, "text/plain", std::string(64 << 20, 'a')};
             }}},
           "token"),
      0);
  Client idle(server->port());
  EXPECT_TRUE(idle.say(request("GET /token/large", server->port())));
  EXPECT_TRUE(ends_beside(std::move(server)));
}

TEST(HttpServer, SendsWhatIsBeingSentWhenItEnds) {
  const std::string body(32 << 20, 'a');
  for (int i = 0; i < 5; ++i) {
    std::promise<void> asked;
    auto server = std::make_unique<HttpServer>(Site({{"/large",
                                                      [&](const HttpQuestion&) {
                                                        asked.set_value();
                                                        return HttpAnswer{200, "text/plain", body};
                                                      }}},
                                                    "token"),
                                               0, std::chrono::minutes(5), std::chrono::minutes(5));
    auto said = std::async(std::launch::async, said_to, server->port(),
                           request("GET /token/large", server->port()));
    asked.get_future().wait();
    server.reset();
    EXPECT_TRUE(said.get().ends_with("\r\n\r\n" + body));
  }
}

TEST(HttpServer, AnswersAHalfClosedConnection) {
  const HttpServer server(one_page(), 0);
  Client client(server.port());
  EXPECT_TRUE(client.say(request("GET /token/page?q=x", server.port())));
  client.say_no_more();
  EXPECT_TRUE(client.hear().ends_with("<x>"));
  Client half(server.port());
  EXPECT_TRUE(half.say("GET /token/page HTTP/1.1\r\nHo"));
  half.say_no_more();
  const std::string said = half.hear();
  EXPECT_TRUE(said.empty() || said.starts_with("HTTP/1.1 400")) << said;
}

// A connection is for one request.
TEST(HttpServer, AnswersTheFirstOfSeveralRequests) {
  const HttpServer server(one_page(), 0);
  const std::string one = request("GET /token/page?q=x", server.port());
  std::string many;
  for (int i = 0; i < 100; ++i) many += one;
  const std::string said = said_to(server.port(), many);
  EXPECT_TRUE(said.ends_with("\r\n\r\n<x>")) << said;
  EXPECT_EQ(said.find("HTTP/1.1"), said.rfind("HTTP/1.1"));
  EXPECT_NE(said.find("\r\nConnection: close\r\n"), std::string::npos);
}

TEST(HttpServer, SendsNoBodyToAQuestionForHeaders) {
  const HttpServer server(one_page(), 0);
  const std::string said = said_to(server.port(), request("HEAD /token/page", server.port()));
  EXPECT_TRUE(said.starts_with("HTTP/1.1 405")) << said;
  EXPECT_TRUE(said.ends_with("\r\n\r\n")) << said;
}

TEST(HttpServer, RefusesARequestWithABodyProperly) {
  const HttpServer server(one_page(), 0);
  const std::string body(32 << 10, 'b');
  const std::string said =
      said_to(server.port(),
              "POST /token/page HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(server.port()) +
                  "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
  EXPECT_TRUE(said.starts_with("HTTP/1.1 405")) << said;
  EXPECT_FALSE(said.ends_with("reset")) << said;
}

TEST(HttpServer, RefusesTwoHosts) {
  const HttpServer server(one_page(), 0);
  const std::string host = "Host: 127.0.0.1:" + std::to_string(server.port()) + "\r\n";
  EXPECT_TRUE(said_to(server.port(), "GET /token/page HTTP/1.1\r\n" + host + host + "\r\n")
                  .starts_with("HTTP/1.1 421"));
}

}  // namespace
}  // namespace spillway
