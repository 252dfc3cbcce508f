// What TLS connections to one server share: trusted authorities, our certificate, the name that is expected.
// Private to net. It knows OpenSSL; its header does not.
#pragma once

#include <memory>
#include <string>

#include "net/http_client.h"

struct ssl_ctx_st;
struct ssl_st;

namespace ym::net {

class TlsContext {
 public:
  // Errors: `invalid`: authorities, a certificate or a key that cannot be used.
  static Result<TlsContext> make(const TlsOptions& options, const std::string& host);

  // For one connection, ready for its handshake; the caller's to free with SSL_free. Null without memory.
  // Thread-safe.
  ssl_st* new_session() const;

 private:
  TlsContext(std::shared_ptr<ssl_ctx_st> context, std::string name)
      : context_(std::move(context)), name_(std::move(name)) {}

  std::shared_ptr<ssl_ctx_st> context_;
  std::string name_;
};

// Why the peer's certificate was not accepted; empty if it was, or none came.
std::string verification_failure(const ssl_st* session);

}  // namespace ym::net
