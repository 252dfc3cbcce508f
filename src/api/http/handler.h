// The seam between connections and what they serve.
#pragma once

#include <expected>
#include <functional>
#include <string_view>

#include "api/http/message.h"

namespace ym::api {

// The one answer to a request. May be moved to any thread and used there; if it is
// destroyed unused, the client gets 503, so that no connection hangs.
class Responder {
 public:
  using Make = std::move_only_function<Response()>;
  using Sink = std::move_only_function<void(Make)>;

  explicit Responder(Sink sink) : sink_(std::move(sink)) {}
  Responder(Responder&& other) noexcept : sink_(std::exchange(other.sink_, {})) {}
  Responder& operator=(Responder&&) = delete;
  ~Responder();

  // Precondition for both: not used before.
  void send(Response response);
  // `make` runs on the connection's thread: keeps rendering away from control's.
  void send_from(Make make);

 private:
  Sink sink_;
};

// A request that was let in: how to serve it once its body is there.
struct Admitted {
  std::string_view route;  // for the log and the metrics; a literal
  std::move_only_function<void(Request, Responder)> serve;
  std::string principal{};  // who asks; empty: nobody said
};

struct Refused {
  std::string_view route;  // empty: no such route
  Response response;
  std::string principal{};
};

// One request and its answer, when it is over.
struct Exchange {
  Method method = Method::other;
  std::string_view route;
  int status = 0;
  double seconds = 0;
  std::string_view peer;
  std::string_view principal{};
  std::string_view problem{};  // code of the refusal; empty: it was none
};

// Thread-safe.
class Handler {
 public:
  virtual ~Handler() = default;
  // Judges a request by its head, before a byte of its body is read: strangers cannot
  // make the server hold anything. Fills in `head.path` and `head.query`.
  virtual std::expected<Admitted, Refused> admit(Request& head) = 0;
  virtual void finished(const Exchange& exchange) = 0;
};

}  // namespace ym::api
