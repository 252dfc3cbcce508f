// What TLS connections to one server share: trusted authorities, the client's certificate, and the expected name.
// Private to net. It hides OpenSSL.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "net/http_client.h"

struct ssl_ctx_st;
struct ssl_st;

namespace ym::net {

class TlsContext {
 public:
  // Errors: `invalid`: authorities, a certificate or a key that cannot be used.
  static Result<TlsContext> make(const TlsOptions& options, const std::string& host);

  // A session for one connection, ready for the handshake. The caller frees it with SSL_free. Null if there is no
  // memory. Thread-safe.
  ssl_st* new_session() const;

 private:
  using Fingerprint = std::vector<unsigned char>;
  TlsContext(std::shared_ptr<ssl_ctx_st> context, std::shared_ptr<const Fingerprint> pinned, std::string name)
      : context_(std::move(context)), pinned_(std::move(pinned)), name_(std::move(name)) {}

  std::shared_ptr<ssl_ctx_st> context_;
  std::shared_ptr<const Fingerprint> pinned_;  // the context refers to it; null: none
  std::string name_;
};

// Why the peer's certificate was refused; empty if it was accepted, or there was none.
std::string verification_failure(const ssl_st* session);

}  // namespace ym::net
