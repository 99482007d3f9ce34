/* What the program and the plug-in that speaks HTTP know of each other: plain C, because they may
   have different copies of the C++ library.

   The plug-in decides nothing.  It hands over every request, whatever its method, before it has
   read a body, and sends what it is given. */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SPILLWAY_HTTP_ABI 1

struct spillway_http_text {
  const char* data; /* not terminated */
  size_t size;
};

struct spillway_http_request {
  struct spillway_http_text method, target, host; /* target: path and query, as they came */
};

struct spillway_http_header {
  const char *name, *value; /* terminated */
};

/* What `answer` calls, once. */
typedef void (*spillway_http_send)(void* reply, int status, struct spillway_http_text type,
                                   const struct spillway_http_header* headers, size_t header_count,
                                   struct spillway_http_text body);

/* Called from several threads at once.  Throws nothing. */
typedef void (*spillway_http_answer)(void* site, const struct spillway_http_request* request,
                                     void* reply, spillway_http_send send);

struct spillway_http_plugin {
  int abi; /* SPILLWAY_HTTP_ABI */
  /* Listens on a port of 127.0.0.1, 0 for any that is free.  Sets `bound` to that port.  NULL if it
     cannot. */
  void* (*start)(unsigned port, void* site, spillway_http_answer answer, unsigned* bound);
  /* Returns when no request is being answered any more. */
  void (*stop)(void* server);
};

/* The only name that the plug-in exports: spillway_http_plugin_1. */
const struct spillway_http_plugin* spillway_http_plugin_1(void);

#ifdef __cplusplus
}
#endif
