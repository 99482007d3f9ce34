#include "serve/http_server.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <atomic>
#include <filesystem>
#include <optional>

#include "base/error.h"
#include "base/printable.h"
#include "serve/http_plugin_abi.h"

namespace spillway {
namespace {

constexpr const char* kPluginFile = "spillway_http.so";

// Beside the program, where it is built, or where it is installed.
std::string plugin_path() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::filesystem::path folder = program.parent_path();
  const std::filesystem::path installed = folder.parent_path() / "lib" / "spillway";
  for (const std::filesystem::path& place : {folder, installed})
    if (std::filesystem::exists(place / kPluginFile, error)) return place / kPluginFile;
  throw Error(Fault::system, fmt::format("{} is not there: it belongs beside the program or into "
                                         "{}",
                                         kPluginFile, printable(installed.string())));
}

// Never unloaded.  Its library comes first, with names that it can see: the plug-in does not name
// it, so that the program can be installed without it.
const spillway_http_plugin& load_plugin() {
  const std::string path = plugin_path();
  if (dlopen(SPILLWAY_HTTP_LIBRARY, RTLD_NOW | RTLD_GLOBAL) == nullptr)
    throw Error(Fault::system,
                fmt::format("pages need a library that is not installed; on Debian: apt install {}",
                            SPILLWAY_HTTP_PACKAGE));
  void* const file = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  const char* const why = file == nullptr ? dlerror() : nullptr;
  void* const name = file == nullptr ? nullptr : dlsym(file, "spillway_http_plugin_1");
  if (name == nullptr)
    throw Error(Fault::system, fmt::format("cannot load {}: {}", printable(path),
                                           printable(why != nullptr ? why : "it is another file")));
  const auto* plugin = reinterpret_cast<decltype(&spillway_http_plugin_1)>(name)();
  if (plugin->abi != SPILLWAY_HTTP_ABI)
    throw Error(Fault::system,
                fmt::format("{} belongs to another version of the program", printable(path)));
  return *plugin;
}

std::string_view view(spillway_http_text text) { return {text.data, text.size}; }
spillway_http_text text_of(std::string_view text) { return {text.data(), text.size()}; }

}  // namespace

struct HttpServer::Running {
  explicit Running(Site pages) : site(std::move(pages)) {}

  static void answer(void* self, const spillway_http_request* request, void* reply,
                     spillway_http_send send) {
    const Running& running = *static_cast<const Running*>(self);
    const HttpAnswer given = running.site.answer(
        {view(request->method), view(request->target), view(request->host)}, running.port.load());
    const auto headers = headers_of(given, running.site.token());
    std::vector<spillway_http_header> plain;
    plain.reserve(headers.size());
    for (const auto& [name, value] : headers) plain.push_back({name.c_str(), value.c_str()});
    send(reply, given.status, text_of(given.type), plain.data(), plain.size(), text_of(given.body));
  }

  const Site site;
  const spillway_http_plugin& plugin = load_plugin();
  std::atomic<unsigned> port{0};  // 0 until it is known; no Host has that
  void* server = nullptr;
};

HttpServer::HttpServer(Site site, unsigned port)
    : running_(std::make_unique<Running>(std::move(site))) {
  unsigned bound = port;
  running_->port = port;
  running_->server = running_->plugin.start(port, running_.get(), Running::answer, &bound);
  if (running_->server == nullptr)
    throw Error(Fault::system, port == 0 ? "no port of 127.0.0.1 can be listened on"
                                         : fmt::format("port {} of 127.0.0.1 cannot be listened "
                                                       "on; leave --port out to get a free one",
                                                       port));
  running_->port = bound;
}

HttpServer::~HttpServer() { running_->plugin.stop(running_->server); }

std::string HttpServer::address() const {
  return fmt::format("http://127.0.0.1:{}/{}/", port(), running_->site.token());
}

unsigned HttpServer::port() const { return running_->port.load(); }

}  // namespace spillway
