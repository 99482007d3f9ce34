// A site on a port of 127.0.0.1.
//
// Every user of the machine can connect, so what a connection may take is bounded before its token
// is known: its head is 8 KiB at most, there are 16 connections at most, and one that has not asked
// in ten seconds is closed, or earlier if another one wants its place.  The rest of what a client
// sends is not kept.  One connection is for one request.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "serve/site.h"

namespace spillway {

class HttpServer {
 public:
  // Answers from now on, on a thread of its own.  Port 0: any that is free.  A connection may take
  // `patience` for its question, and for each piece of the answer.  What is being answered when the
  // server ends has `farewell` to be read.  Throws Error(system) if the port is taken.
  HttpServer(Site site, unsigned port,
             std::chrono::milliseconds patience = std::chrono::seconds(10),
             std::chrono::milliseconds farewell = std::chrono::seconds(1));
  // Waits for the page that is being made, and no connection can make it wait for longer than
  // `farewell`; those without the token cannot at all.
  ~HttpServer();
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
