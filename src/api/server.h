// HttpServer: the HTTP API of whichever server answers (BackendSwitch).
#pragma once

#include <cstdint>
#include <memory>

#include "api/http/options.h"
#include "base/result.h"
#include "control/serve/backend_switch.h"

namespace ym {

class HttpServer {
 public:
  // Takes the port, for who has to know it before there is anything to serve, and answers nobody
  // yet: whoever connects waits.
  // Errors: `io` if the address cannot be listened on, `invalid` if it is none.
  static Result<std::unique_ptr<HttpServer>> open(const HttpOptions& options);
  // Called once. `backends` must have been set, and outlive it; each of them must answer or destroy the replies of
  // commands that were given to it even after this server has stopped.
  void serve(BackendSwitch& backends);
  // Both in one. Errors: as open().
  static Result<std::unique_ptr<HttpServer>> start(BackendSwitch& backends, const HttpOptions& options);
  ~HttpServer();  // stops

  std::uint16_t port() const;
  // Whether anybody is there. Thread-safe.
  struct Traffic {
    std::uint64_t accepted = 0;  // connections, since the start
    std::size_t open = 0;        // connections, now
  };
  Traffic traffic() const;

  // Accepts nothing more, gives requests in progress `stop_time`, ends streams. Blocks
  // until all is done; idempotent; not from a thread of a backend.
  void stop();

 private:
  struct Impl;
  explicit HttpServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace ym
