#include "serve/http_server.h"

#include <fcntl.h>
#include <fmt/format.h>

// The only source that includes Boost.
#define BOOST_ASIO_DISABLE_CO_AWAIT
#define BOOST_ASIO_NO_DEPRECATED
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_static_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/serializer.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <list>
#include <optional>
#include <thread>

#include "base/error.h"

namespace spillway {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::ip::tcp;
using ErrorCode = boost::system::error_code;

constexpr std::size_t kMostConnections = 16;
constexpr std::size_t kMostHeadBytes = 8 << 10;
// What a client sends beside its question is read and dropped, up to this: if it were not read, the
// kernel would drop the answer.
constexpr std::size_t kMostIgnoredBytes = 64 << 10;
constexpr std::chrono::milliseconds kBetweenAttempts{100};

struct Connection {
  explicit Connection(tcp::socket socket) : stream(std::move(socket)) {
    question.header_limit(kMostHeadBytes);
    question.body_limit(kMostIgnoredBytes);
  }

  boost::beast::tcp_stream stream;
  boost::beast::flat_static_buffer<kMostHeadBytes> head;
  http::request_parser<http::empty_body> question;
  http::response<http::string_body> answer;
  std::optional<http::response_serializer<http::string_body>> sending;
  std::size_t head_bytes = 0, ignored_bytes = 0;
  bool has_asked = false;  // with the token, and the answer is being sent
  bool is_open = true;
};
using Connections = std::list<std::shared_ptr<Connection>>;

// What there is to say about a question that cannot be read; 0: nothing.
int status_of(const ErrorCode& error) {
  if (error == http::error::header_limit || error == http::error::buffer_overflow) return 431;
  if (error == http::error::body_limit) return 413;
  return error.category() == http::make_error_code(http::error::bad_value).category() &&
                 error != http::error::end_of_stream
             ? 400
             : 0;
}

}  // namespace

struct HttpServer::Running {
  Running(Site pages, unsigned wanted_port, std::chrono::milliseconds patience_of_all,
          std::chrono::milliseconds longest_farewell)
      : site(std::move(pages)), patience(patience_of_all), farewell(longest_farewell) {
    ErrorCode error;
    const tcp::endpoint place(asio::ip::address_v4::loopback(),
                              static_cast<std::uint16_t>(wanted_port));
    acceptor.open(place.protocol(), error);
    if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor.bind(place, error);
    if (!error) acceptor.listen(tcp::acceptor::max_listen_connections, error);
    if (!error) port = acceptor.local_endpoint(error).port();
    if (error)
      throw Error(Fault::system,
                  wanted_port == 0
                      ? "no port of 127.0.0.1 can be listened on"
                      : fmt::format("port {} of 127.0.0.1 cannot be listened on; leave --port out "
                                    "to get a free one",
                                    wanted_port));
    fcntl(acceptor.native_handle(), F_SETFD, FD_CLOEXEC);
    accept();
    thread = std::thread([this] { run(); });
  }

  ~Running() {
    asio::post(context, [this] { end(); });
    thread.join();
  }

  void run() {
    while (true) {
      try {
        context.run();
        return;
      } catch (...) {  // there was no memory: what was to be done next is not done
      }
    }
  }

  void accept() {
    acceptor.async_accept([this](const ErrorCode& error, tcp::socket socket) {
      if (is_ending) return;
      if (error) return accept_later();
      try {
        take(std::move(socket));
      } catch (...) {  // no memory for it
      }
      accept();
    });
  }

  // There are no descriptors: the search goes first.
  void accept_later() {
    timer.expires_after(kBetweenAttempts);
    timer.async_wait([this](const ErrorCode&) {
      if (!is_ending) accept();
    });
  }

  void take(tcp::socket socket) {
    fcntl(socket.native_handle(), F_SETFD, FD_CLOEXEC);
    if (connections.size() >= kMostConnections) {
      const auto oldest =
          std::ranges::find_if(connections, [](const auto& one) { return !one->has_asked; });
      if (oldest == connections.end()) return;
      close(*oldest);
    }
    const auto connection = std::make_shared<Connection>(std::move(socket));
    connections.push_back(connection);
    connection->stream.expires_after(patience);
    read(connection);
  }

  // Beast limits each line of the head, but not the number of lines.
  void read(const std::shared_ptr<Connection>& connection) {
    http::async_read_some(connection->stream, connection->head, connection->question,
                          [this, connection](const ErrorCode& error, std::size_t bytes) {
                            if (!connection->is_open) return;
                            connection->head_bytes += bytes;
                            if (connection->head_bytes > kMostHeadBytes)
                              answer(connection, http::error::header_limit);
                            else if (error || connection->question.is_header_done())
                              answer(connection, error);
                            else
                              read(connection);
                          });
  }

  void answer(const std::shared_ptr<Connection>& connection, const ErrorCode& error) {
    try {
      const int unread = error ? status_of(error) : 0;
      if (error && unread == 0) return close(connection);
      const auto& asked = connection->question.get();
      // Two names of a host are nobody's.
      const bool one_host = asked.count(http::field::host) == 1;
      const HttpAnswer given =
          error ? HttpAnswer{unread, "text/plain; charset=utf-8", "This is no request.\n"}
                : site.answer({view(asked.method_string()), view(asked.target()),
                               one_host ? view(asked[http::field::host]) : ""},
                              port);
      connection->has_asked = given.status < 400;
      fill(connection->answer, given, !error && asked.method() == http::verb::head);
      connection->sending.emplace(connection->answer);
    } catch (...) {  // the page was abandoned, or there is no memory for it
      return close(connection);
    }
    send(connection);
  }

  void fill(http::response<http::string_body>& answer, const HttpAnswer& given, bool only_head) {
    answer.result(static_cast<unsigned>(given.status));
    answer.keep_alive(false);
    answer.set(http::field::content_type, given.type);
    for (const auto& [name, value] : headers_of(given, site.token())) answer.set(name, value);
    answer.content_length(given.body.size());
    if (!only_head) answer.body() = given.body;
  }

  void send(const std::shared_ptr<Connection>& connection) {
    connection->stream.expires_after(patience);
    http::async_write_some(connection->stream, *connection->sending,
                           [this, connection](const ErrorCode& error, std::size_t) {
                             if (!connection->is_open) return;
                             if (error) return close(connection);
                             if (!connection->sending->is_done()) return send(connection);
                             finish(connection);
                           });
  }

  void finish(const std::shared_ptr<Connection>& connection) {
    ErrorCode none;
    connection->stream.socket().shutdown(tcp::socket::shutdown_send, none);
    connection->has_asked = false;
    if (is_ending) return close(connection);
    connection->answer.body().clear();
    connection->stream.expires_after(patience);
    ignore_the_rest(connection);
  }

  void ignore_the_rest(const std::shared_ptr<Connection>& connection) {
    connection->head.clear();
    connection->stream.async_read_some(
        connection->head.prepare(kMostHeadBytes),
        [this, connection](const ErrorCode& error, std::size_t bytes) {
          if (!connection->is_open) return;
          connection->ignored_bytes += bytes;
          if (error || connection->ignored_bytes > kMostIgnoredBytes) return close(connection);
          ignore_the_rest(connection);
        });
  }

  // By value: the list may have the last one.
  void close(std::shared_ptr<Connection> connection) {
    connection->is_open = false;
    connection->stream.close();
    connections.remove(connection);
    if (is_ending && connections.empty()) timer.cancel();
  }

  void end() {
    is_ending = true;
    ErrorCode none;
    acceptor.close(none);
    timer.expires_after(farewell);
    timer.async_wait([this](const ErrorCode&) { close_all(false); });
    close_all(true);
  }

  void close_all(bool but_those_that_have_asked) {
    const Connections all = connections;
    for (const auto& one : all)
      if (!but_those_that_have_asked || !one->has_asked) close(one);
    if (connections.empty()) timer.cancel();
  }

  static std::string_view view(boost::beast::string_view text) {
    return {text.data(), text.size()};
  }

  const Site site;
  const std::chrono::milliseconds patience, farewell;
  asio::io_context context{1};
  tcp::acceptor acceptor{context};
  asio::steady_timer timer{context};
  Connections connections;  // from the oldest to the newest
  bool is_ending = false;
  unsigned port = 0;
  std::thread thread;
};

HttpServer::HttpServer(Site site, unsigned port, std::chrono::milliseconds patience,
                       std::chrono::milliseconds farewell)
    : running_(std::make_unique<Running>(std::move(site), port, patience, farewell)) {}

HttpServer::~HttpServer() = default;

std::string HttpServer::address() const {
  return fmt::format("http://127.0.0.1:{}/{}/", port(), running_->site.token());
}

unsigned HttpServer::port() const { return running_->port; }

}  // namespace spillway
