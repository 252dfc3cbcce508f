// Transport: HTTP to one server. A port, so that the verbs can be tested without one.
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
  std::string body;                            // empty where it was streamed
};

struct StreamCallbacks {
  std::function<void(const HttpReply&)> head;   // optional; before the first bytes of a 200
  std::function<void(std::string_view)> bytes;  // as they arrive
  std::function<bool()> keep_going;             // asked several times a second; false ends the stream
};

// Errors are `unavailable`: no connection, or it was lost before the reply was whole.
// Whether the server acted upon the request is then unknown.
// Threads: one at a time.
class Transport {
 public:
  virtual ~Transport() = default;
  virtual Result<HttpReply> send(const HttpRequest& request) = 0;
  // A reply of 200 goes to the callbacks; any other comes back whole, with its body.
  // Success means that the server ended the reply, or that keep_going said so.
  virtual Result<HttpReply> stream(const HttpRequest& request, const StreamCallbacks& callbacks) = 0;
  // Whether anything of the last request may have arrived. Without it the server is not
  // there, and surely did nothing.
  virtual bool was_sent() const = 0;
};

struct Connection {
  std::string url;  // "http://127.0.0.1:8470"
  Secret token;
};

// Connects lazily and keeps the connection. Errors: `invalid` for a URL that is not
// http://HOST[:PORT].
Result<std::unique_ptr<Transport>> make_http_transport(const Connection& connection);

}  // namespace ym::cli
