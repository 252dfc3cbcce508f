// Callback: the one request by which a browser brings a code back to a program on its machine (RFC 8252).
#pragma once

#include <functional>
#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "base/time.h"

namespace ym::cli {

class Callback {
 public:
  // Listens on 127.0.0.1 at any free port. Errors: `io`.
  static Result<Callback> listen();

  // "http://127.0.0.1:PORT/callback"
  std::string url() const;

  struct Query {
    std::string code, state, error;
  };
  // Waits for the request to /callback with a `state`; answers others with 404. Errors: `unavailable`: `keep_going`,
  // which is called several times a second, returned false.
  Result<Query> wait(const std::function<bool()>& keep_going);

 private:
  Callback(Fd socket, int port) : socket_(std::move(socket)), port_(port) {}

  Fd socket_;
  int port_;
};

}  // namespace ym::cli
