// A site on a port of 127.0.0.1.
//
// What speaks HTTP is a plug-in (http_plugin_abi.h) that lies beside the program, or in the folder
// lib/spillway beside the program's.  It is loaded when it is needed.
#pragma once

#include <memory>
#include <string>

#include "serve/site.h"

namespace spillway {

class HttpServer {
 public:
  // Answers from now on.  Port 0: any that is free.  Throws Error(system) if the port is taken, or
  // the plug-in or its library is missing.
  HttpServer(Site site, unsigned port);
  ~HttpServer();  // returns when no request is being answered any more
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // "http://127.0.0.1:PORT/TOKEN/", for the user.
  std::string address() const;
  unsigned port() const;

 private:
  struct Running;
  std::unique_ptr<Running> running_;
};

}  // namespace spillway
