// Requests and responses as plain values, for handlers.
//
// This header uses no network library, so that routes compile fast and can be tested without a socket.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time.h"

namespace ym::api {

enum class Method : std::uint8_t { get, head, post, put, patch, del, options, other };

constexpr std::string_view to_string(Method method) {
  switch (method) {
    case Method::get: return "GET";
    case Method::head: return "HEAD";
    case Method::post: return "POST";
    case Method::put: return "PUT";
    case Method::patch: return "PATCH";
    case Method::del: return "DELETE";
    case Method::options: return "OPTIONS";
    case Method::other: return "OTHER";
  }
  return {};
}
// `other` for unknown methods.
Method parse_method(std::string_view text);

struct HeaderField {
  std::string name;
  std::string value;
};

// What a client proved by its certificate.
struct ClientCertificate {
  std::string service;  // handle of the service account that it names
  Instant not_after;
};

struct Request {
  Method method = Method::get;
  std::string target;                                      // as sent: "/api/v1/jobs?limit=1"
  std::vector<std::string> path;                           // its segments, decoded once
  std::vector<std::pair<std::string, std::string>> query;  // its parameters, decoded once
  std::vector<HeaderField> headers;
  std::string body;
  bool has_body = false;  // the head announces one (before admission it is not read yet)
  std::optional<ClientCertificate> certificate{};
  std::optional<std::uint32_t> account{};  // the user that runs the client, if it came by the server's Unix socket
  std::string client{};                    // address

  // The first field of that name, in any letter case; empty if there is none.
  std::string_view header(std::string_view name) const;
  std::size_t count(std::string_view name) const;
};

// A body that is made while it is sent. One thread at a time calls it.
class BodyStream {
 public:
  enum class State : std::uint8_t {
    more,  // call next() again as soon as `data` is sent
    wait,  // nothing more now: call again after `wait`, or when woken
    end,
  };
  struct Piece {
    std::string data;
    State state = State::end;
    Duration wait{};
  };

  virtual ~BodyStream() = default;

  // Called once, before the first next(). `wake` may be called from any thread, also after the stream was destroyed. It
  // only asks for another next().
  virtual void start(std::function<void()> /*wake*/) {}

  // A piece of bounded size (about 64 KiB). The next one is made when this one was sent, so a slow reader costs little
  // memory.
  virtual Piece next() = 0;
};

struct Response;

// An answer that may take some time. One thread at a time calls it.
class LongPoll {
 public:
  virtual ~LongPoll() = default;

  // Called once, before the first look(). `wake` as in BodyStream; it only asks for another look().
  virtual void start(std::function<void()> wake) = 0;
  // Nothing: there is no answer yet. Look again after `wait()`, or when woken.
  virtual std::optional<Response> look() = 0;
  virtual Duration wait() const = 0;
};

// Whether a client may store an answer: not at all; or yes, but it must ask each time whether it is still valid (ETag).
inline constexpr std::string_view kNoStore = "no-store";
inline constexpr std::string_view kCacheAndAsk = "no-cache";

// What a browser may do with an answer: nothing, for data.
inline constexpr std::string_view kDataPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox";

struct Response {
  int status = 200;
  std::string_view content_type = "application/json";  // a literal
  std::string body{};
  std::vector<HeaderField> headers{};
  std::unique_ptr<BodyStream> stream{};   // instead of `body`
  std::unique_ptr<LongPoll> poll{};       // instead of all else: it makes the answer
  std::string_view problem{};             // code of a refusal, for the log; a literal
  std::string_view cache = kNoStore;      // a literal
  std::string_view policy = kDataPolicy;  // Content-Security-Policy; a text that lives as long as the program
};

}  // namespace ym::api
