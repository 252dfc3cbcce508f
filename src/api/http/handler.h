// The interface between connections and the code that serves requests.
#pragma once

#include <expected>
#include <functional>
#include <memory>
#include <string_view>

#include "api/http/message.h"
#include "control/caller.h"

namespace ym::api {

// The one answer to a request. Any thread may have it and use it. If it is destroyed unused, the client gets 503, so
// that no connection hangs.
class Responder {
 public:
  using Make = std::move_only_function<Response()>;
  using Sink = std::move_only_function<void(Make)>;

  explicit Responder(Sink sink) : sink_(std::move(sink)) {}
  Responder(Responder&& other) noexcept : sink_(std::exchange(other.sink_, {})) {}
  Responder& operator=(Responder&&) = delete;
  ~Responder();

  // Precondition of both: neither was called before.
  void send(Response response);
  // `make` runs on the connection's thread, so that control's thread does not render.
  void send_from(Make make);

 private:
  Sink sink_;
};

// A request that passed the checks. `serve` is called when the body is there.
struct Admitted {
  std::string_view route;  // for the log and the metrics; a literal
  std::move_only_function<void(Request, Responder)> serve;
  Caller caller{};                // without a principal: not authenticated
  std::string_view permission{};  // that the route asks for; empty: none
  std::shared_ptr<void> place{};  // kept until the request is answered
};

struct Refused {
  std::string_view route;  // empty: no such route
  Response response;
  Caller caller{};
  std::string_view permission{};
};

// A request that has been answered.
struct Exchange {
  Method method = Method::other;
  std::string_view route;
  int status = 0;
  double seconds = 0;
  std::string_view peer;
  std::string_view principal{};
  std::string_view problem{};      // code of the refusal; empty: not refused
  const Caller* caller = nullptr;  // null: the request has not come so far
  std::string_view permission{};
};

// Thread-safe.
class Handler {
 public:
  virtual ~Handler() = default;
  // Checks a request by its head, before any of its body is read. So a client without a token cannot make the server
  // store anything. Sets `head.path` and `head.query`.
  virtual std::expected<Admitted, Refused> admit(Request& head) = 0;
  virtual void finished(const Exchange& exchange) = 0;
};

}  // namespace ym::api
