// The plug-in that speaks HTTP, and the only source that knows the library that does.  It is a
// shared object of its own, so that the program needs no library but libc.
#include <httplib.h>

#include <memory>
#include <string>
#include <thread>

#include "serve/http_plugin_abi.h"

namespace {

constexpr std::size_t kThreads = 4;
constexpr std::time_t kPatienceSeconds = 10;

struct Running {
  httplib::Server server;
  std::thread thread;
};

spillway_http_text text_of(const std::string& text) { return {text.data(), text.size()}; }

void send_reply(void* reply, int status, spillway_http_text type,
                const spillway_http_header* headers, std::size_t count, spillway_http_text body) {
  auto& response = *static_cast<httplib::Response*>(reply);
  response.status = status;
  for (std::size_t i = 0; i < count; ++i) response.set_header(headers[i].name, headers[i].value);
  response.set_content(body.data, body.size, std::string(type.data, type.size));
}

void* start(unsigned port, void* site, spillway_http_answer answer, unsigned* bound) try {
  auto running = std::make_unique<Running>();
  httplib::Server& server = running->server;
  server.new_task_queue = [] { return new httplib::ThreadPool(kThreads); };
  // Browsers keep connections open that they do not use, and each would take a thread.
  server.set_keep_alive_max_count(1);
  // By itself the library would share a port with whoever has it already.
  server.set_socket_options([](socket_t socket) {
    const int yes = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  server.set_read_timeout(kPatienceSeconds);
  server.set_write_timeout(kPatienceSeconds);
  server.set_pre_routing_handler(
      [site, answer](const httplib::Request& request, httplib::Response& response) {
        const std::string host = request.get_header_value("Host");
        // Two of them are nobody's.
        const std::string one = request.get_header_value_count("Host") == 1 ? host : "";
        const spillway_http_request asked{text_of(request.method), text_of(request.target),
                                          text_of(one)};
        answer(site, &asked, &response, send_reply);
        return httplib::Server::HandlerResponse::Handled;
      });
  const int any = port == 0 ? server.bind_to_any_port("127.0.0.1") : static_cast<int>(port);
  if (any <= 0 || (port != 0 && !server.bind_to_port("127.0.0.1", any))) return nullptr;
  *bound = static_cast<unsigned>(any);
  running->thread = std::thread([&server] { server.listen_after_bind(); });
  while (!server.is_running()) std::this_thread::yield();
  return running.release();
} catch (...) {
  return nullptr;
}

void stop(void* server) {
  const std::unique_ptr<Running> running(static_cast<Running*>(server));
  running->server.stop();
  running->thread.join();
}

constexpr spillway_http_plugin kPlugin{SPILLWAY_HTTP_ABI, start, stop};

}  // namespace

[[gnu::visibility("default")]] const spillway_http_plugin* spillway_http_plugin_1(void) {
  return &kPlugin;
}
