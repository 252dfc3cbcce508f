// Transport: HTTP to one server. A port, so that tests of the verbs need no server.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/secret.h"

namespace ym::cli {

struct HttpRequest {
  std::string method = "GET";
  std::string target;  // path and query, percent-encoded
  std::map<std::string, std::string> headers;
  std::string body;
};

struct HttpReply {
  int status = 0;
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;                            // empty if it was streamed
};

struct StreamCallbacks {
  std::function<void(const HttpReply&)> head;   // optional; called before the first bytes of a 200
  std::function<void(std::string_view)> bytes;  // called as bytes arrive
  std::function<bool()> keep_going;             // called several times a second; false ends the stream
};

// Errors: `unavailable` if there is no connection, or if it broke before the reply was complete. Whether the server
// acted on the request is then unknown.
// Threads: one at a time.
class Transport {
 public:
  virtual ~Transport() = default;
  virtual Result<HttpReply> send(const HttpRequest& request) = 0;
  // Gives a reply of 200 to the callbacks. Returns any other reply whole, with its body. Success: the server ended
  // the reply, or keep_going returned false.
  virtual Result<HttpReply> stream(const HttpRequest& request, const StreamCallbacks& callbacks) = 0;
  // Whether a part of the last request may have reached the server. False: the server did nothing.
  virtual bool was_sent() const = 0;
};

struct Connection {
  std::string url;  // "http://127.0.0.1:8470", "https://..."
  Secret token;
  std::string ca_file{};      // for https, PEM: authorities in place of the system's
  std::string fingerprint{};  // for https: of the server's certificate (net::TlsOptions)
};

// Connects on the first request and keeps the connection. Errors: `invalid`: the URL, the file or the fingerprint.
Result<std::unique_ptr<Transport>> make_http_transport(const Connection& connection);

}  // namespace ym::cli
