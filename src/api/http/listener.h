// Listener: the open port, its threads and its connections.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "api/http/handler.h"
#include "api/http/options.h"
#include "api/http/tls.h"
#include "base/result.h"

namespace ym::api {

class Listener {
 public:
  // Binds, and does not accept yet. Errors: `io` (the address or the socket is in use, or cannot be had), `invalid`
  // (not an address; a certificate or a proxy that cannot be used; plain HTTP on a network without a proxy).
  static Result<std::unique_ptr<Listener>> open(const HttpOptions& options);
  ~Listener();  // stops

  std::uint16_t port() const;
  ServerTls* tls() const;  // null: plain HTTP
  struct Count {
    std::uint64_t accepted = 0;  // since the start
    std::size_t open = 0;
  };
  Count connections() const;  // thread-safe

  // Starts the threads. `handler` must live until stop() has returned. Called once.
  void serve(Handler& handler);

  // Accepts no more connections, gives requests in progress `stop_time` to finish, ends streams, and joins the threads.
  // Idempotent.
  void stop();

  // Runs `task` on one of the threads, unless stop() was called. Thread-safe.
  void post(std::function<void()> task);

 private:
  struct Impl;
  explicit Listener(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace ym::api
