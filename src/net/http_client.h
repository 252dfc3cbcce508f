// HttpClient: HTTP/1.1 to one server, over TCP, TLS or a unix socket.
//
// Keeps connections and uses them again; a request that finds its kept connection closed before a
// byte of the reply came is sent once more on a new one if it is idempotent (GET, PUT, DELETE, HEAD)
// or says `repeatable`. Replies are bounded. Redirects are not followed, proxies not used.
//
// Errors: `unavailable`: no connection, TLS was refused, or it was lost, cancelled or timed out before the
// reply was whole, or it was not HTTP; whether the server acted upon the request is then unknown, unless
// `retryable` is set: nothing of the request was sent. `too_large`: the reply passes its bound (the head's is
// 64 KiB). `invalid`: the request cannot be written as HTTP, such as a field with a line break; nothing was
// sent. Any status is a success here.
//
// Threads: any number may send at once; each call blocks its caller. cancel() from any. No call may be in
// progress when the client is destroyed.
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
  std::string ca_file;        // PEM; empty: the system's
  std::string ca_data;        // PEM, instead of the file
  Secret client_certificate;  // PEM; empty: none is shown
  Secret client_key;          // PEM
  std::string server_name;    // instead of the URL's host
  bool verify = true;         // false only where a kubeconfig says insecure-skip-tls-verify
};

struct ClientOptions {
  std::string url;  // "http://HOST[:PORT]", "https://...", "unix:/path/to.sock"; no path
  TlsOptions tls{};
  // Asked before each request, by the thread that sends: "Authorization" and the like; may change from one to
  // the next. The request's own fields come before these.
  std::function<std::map<std::string, std::string>()> headers{};
  Duration connect_timeout = seconds(10);
  std::size_t kept_connections = 8;
};

struct Request {
  std::string method = "GET";
  std::string target = "/";  // path and query, percent-encoded
  std::map<std::string, std::string> headers{};
  std::string body{};
  Duration timeout = seconds(30);                  // for the whole of it; of a stream: between two pieces
  std::size_t most_bytes = std::size_t{64} << 20;  // of the reply's body; not of one that is streamed
  bool repeatable = false;
};

struct Reply {
  int status = 0;
  std::map<std::string, std::string> headers;  // names in lower case; repeated ones joined by ", "
  std::string body;                            // empty where it was streamed
};

// What is needed to end a call from elsewhere. Copies are the same.
class Cancel {
 public:
  Cancel();
  // From any thread, more than once if need be, but not from a signal handler.
  // The call that uses it ends soon with `unavailable`, and so does each that begins later.
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
  // A reply of 200 goes to `take` piece by piece as it arrives (what it returns says whether to go on);
  // any other comes back whole. A piece is at most 32 KiB, and ends wherever the network cut it. Success: the server
  // ended the reply in good order, or `take` said stop.
  virtual Result<Reply> stream(const Request& request, const std::function<bool(std::string_view)>& take,
                               const Cancel& cancel = {}) = 0;
};

// Everything but unreserved characters as %XX.
std::string percent_encoded(std::string_view text);

}  // namespace ym::net
