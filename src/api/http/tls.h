// ServerTls: the server's certificate, which can be replaced while the server runs.
//
// TLS 1.2 and 1.3, HTTP/1.1 by ALPN. A new certificate is for new connections; the others keep the one they began with.
// It hides OpenSSL. Thread-safe.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "api/http/options.h"
#include "base/result.h"
#include "base/time.h"

struct ssl_ctx_st;
struct ssl_st;
struct x509_st;

namespace ym::api {

class ServerTls {
 public:
  // Errors: `invalid`: a file cannot be read or used, or the key does not belong to the certificate. The message names
  // the file.
  static Result<std::unique_ptr<ServerTls>> open(const TlsFiles& files);

  // The server's side of one connection, ready for the handshake. The caller frees it with SSL_free. Null if there is
  // no memory.
  ssl_st* new_session() const;

  // Reads the files if one of them is another one than before. After an error the present certificate stays. Nothing:
  // the files are the same, so an error is reported once.
  std::optional<Result<void>> refresh();

  TlsCertificate certificate() const;

 private:
  struct Loaded {
    std::shared_ptr<ssl_ctx_st> context;
    TlsCertificate certificate;
  };
  static Result<Loaded> load(const TlsFiles& files);
  ServerTls(TlsFiles files, std::string versions, Loaded loaded)
      : files_(std::move(files)), versions_(std::move(versions)), loaded_(std::move(loaded)) {}

  const TlsFiles files_;
  std::string versions_;  // of the files that were read last; only refresh() uses it
  mutable std::mutex mutex_;
  Loaded loaded_;  // guarded by the mutex
};

// "sha256:" and 64 hexadecimal digits, of the whole certificate.
std::string fingerprint_of(const x509_st* certificate);

// The service account that the client's verified certificate names: "yardmaster:service:NAME" among the URIs of its
// subject alternative names. Nothing: there is no certificate, or it names none.
std::optional<ClientCertificate> client_certificate(const ssl_st* session);

}  // namespace ym::api
