// HttpServer: the HTTP API of the current backend (BackendSwitch).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "api/http/options.h"
#include "base/result.h"
#include "control/serve/backend_switch.h"

namespace ym {

class HttpServer {
 public:
  // Opens the port and does not answer yet: clients that connect wait. So a caller knows the port before there is
  // anything to serve. Errors: `io`: the address cannot be listened on; `invalid`: it is not an address,
  // a certificate or a proxy cannot be used, or there is neither for an address on a network.
  static Result<std::unique_ptr<HttpServer>> open(const HttpOptions& options);
  // Call it once. `backends` must be set, and outlive this object. Each backend must answer or destroy the replies of
  // its commands, even after this server has stopped.
  void serve(BackendSwitch& backends);
  // open() and serve(). Errors: as for open().
  static Result<std::unique_ptr<HttpServer>> start(BackendSwitch& backends, const HttpOptions& options);
  ~HttpServer();  // stops

  std::uint16_t port() const;
  // The number of clients. Thread-safe.
  struct Traffic {
    std::uint64_t accepted = 0;  // connections, since the start
    std::size_t open = 0;        // connections, now
  };
  Traffic traffic() const;

  // The certificate for new connections. Nothing: plain HTTP. Thread-safe.
  std::optional<TlsCertificate> certificate() const;
  // Reads the certificate's files if one of them has changed. Nothing: they are the same. After an error the present
  // certificate stays, and the next call tries again; the same error is not repeated. One thread at a time.
  std::optional<Result<void>> refresh_certificate();

  // Whether the certificate is for this host name or address. Precondition: there is one.
  bool has_certificate_for(const std::string& host) const;

  // Accepts no more connections, gives requests in progress `stop_time`, ends streams. Blocks until all is done.
  // Idempotent. Do not call it on a thread of a backend.
  void stop();

 private:
  struct Impl;
  explicit HttpServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace ym
