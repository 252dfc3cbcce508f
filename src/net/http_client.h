// HttpClient: HTTP/1.1 to one server, over TCP, TLS or a unix socket.
//
// It keeps connections and uses them again. If the kept connection of a request turns out to be closed before a byte of
// the reply came, the request is sent once more on a new connection, if it is idempotent (GET, PUT, DELETE, HEAD) or
// `repeatable`. The size of replies is limited. Redirects are not followed. Proxies are not used.
//
// Errors: `unavailable`: there was no connection, TLS was refused, or the connection was lost, cancelled or timed out
// before the reply was complete, or the reply was not HTTP. It is then unknown whether the server handled the request,
// unless `retryable` is set: nothing of the request was sent. `too_large`: the reply is over its limit (a head may have
// 64 KiB). `invalid`: the request cannot be written as HTTP, for example because a field has a line break; nothing was
// sent. Any status counts as a success here.
//
// Threads: any number may send at once; each call blocks its thread. cancel() may be called from any thread. No call
// may be in progress when the client is destroyed.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/secret.h"
#include "base/time.h"

namespace ym::net {

struct TlsOptions {
  std::string ca_file;        // PEM; empty: the system's authorities
  std::string ca_data;        // PEM, instead of the file
  Secret client_certificate;  // PEM; empty: no client certificate
  Secret client_key;          // PEM
  std::string server_name;    // replaces the URL's host
  // "sha256:" and 64 hexadecimal digits, also with colons between them: the server shows exactly this certificate.
  // Authorities, names and times then do not count. Empty: they do.
  std::string fingerprint;
  std::string protocol = "http/1.1";  // what is spoken over it (ALPN); empty: the server is not told
  bool verify = true;                 // false only if a kubeconfig says insecure-skip-tls-verify
};

struct ClientOptions {
  std::string url;  // "http://HOST[:PORT]", "https://...", "unix:/path/to.sock"; no path
  TlsOptions tls{};
  // Called before each request, on the thread that sends: "Authorization" and the like. The result may change. Fields
  // of the request override these.
  std::function<std::map<std::string, std::string>()> headers{};
  Duration connect_timeout = seconds(10);
  std::size_t kept_connections = 8;
};

struct Reply {
  int status = 0;
  std::map<std::string, std::string> headers;  // names in lower case; repeated ones joined by ", "
  std::string body;                            // empty if it was streamed
};

struct Request {
  std::string method = "GET";
  std::string target = "/";  // path and query, percent-encoded
  std::map<std::string, std::string> headers{};
  std::string body{};
  Duration timeout = seconds(30);                  // for the whole exchange; for a stream: between two pieces
  Duration head_timeout{};                         // of a stream, until its head came; 0: as `timeout`
  std::size_t most_bytes = std::size_t{64} << 20;  // of the reply's body, unless it is streamed
  bool repeatable = false;
  // Optional. Called several times a second on the thread that sends; false cancels the request.
  std::function<bool()> keep_going{};
  // Optional. Of a stream: called with the head of a 200, before its first piece.
  std::function<void(const Reply&)> on_head{};
};

// Cancels calls from other threads. Copies share one state.
class Cancel {
 public:
  Cancel();
  // Any thread may call it, also several times, but no signal handler. A call that uses this object ends soon with
  // `unavailable`, and so does each later call.
  void cancel() const;
  bool cancelled() const;

  struct Shared;
  const std::shared_ptr<Shared>& shared() const { return shared_; }

 private:
  std::shared_ptr<Shared> shared_;
};

class HttpClient {
 public:
  // Connects lazily. Errors: `invalid`: the URL, or the certificates.
  static Result<std::unique_ptr<HttpClient>> make(ClientOptions options);
  virtual ~HttpClient() = default;

  virtual Result<Reply> send(const Request& request, const Cancel& cancel = {}) = 0;
  // The body of a reply with status 200 goes to `take` piece by piece as it arrives. `take` returns whether to go on.
  // Any other reply is returned complete. A piece has at most 32 KiB and may end anywhere. Success: the server ended
  // the reply cleanly, or `take` returned false.
  virtual Result<Reply> stream(const Request& request, const std::function<bool(std::string_view)>& take,
                               const Cancel& cancel = {}) = 0;
};

// Encodes all characters except unreserved ones as %XX.
std::string percent_encoded(std::string_view text);

}  // namespace ym::net
