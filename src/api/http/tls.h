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

#include "api/http/message.h"
#include "api/http/options.h"
#include "base/result.h"
#include "base/time.h"

struct ssl_ctx_st;
struct ssl_st;
struct x509_st;

namespace ym::api {

struct FreeSession {
  void operator()(ssl_st* session) const;
};
using TlsSession = std::unique_ptr<ssl_st, FreeSession>;

class ServerTls {
 public:
  // Errors: `invalid`: a file cannot be read or used, or the key does not belong to the certificate. The message names
  // the file.
  static Result<std::unique_ptr<ServerTls>> open(const TlsFiles& files);

  // The server's side of one connection, ready for the handshake. Throws std::bad_alloc.
  TlsSession new_session() const;

  // Reads the files if one of them is another one than the present certificate's. After an error that stays, and the
  // next call tries again. Nothing: the files are the same, or the error is the one of the last call.
  std::optional<Result<void>> refresh();

  // Whether clients that connect to this host name or address accept the certificate's names.
  bool is_for(const std::string& host) const;

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
  std::string versions_;  // of the present certificate's files; only refresh() uses it
  std::string said_;      // the error of the last call of refresh(); empty: there was none
  mutable std::mutex mutex_;
  Loaded loaded_;  // guarded by the mutex
};

// "sha256:" and 64 hexadecimal digits, of the whole certificate.
std::string fingerprint_of(const x509_st* certificate);

// The service account that the client's verified certificate names: "yardmaster:service:NAME" among the URIs of its
// subject alternative names. Nothing: there is no certificate, or it names none.
std::optional<ClientCertificate> client_certificate(const ssl_st* session);

}  // namespace ym::api
