#include <optional>
#include <utility>

#include "cli/http/transport.h"
#include "net/http_client.h"

namespace ym::cli {
namespace {

constexpr Duration kConnectTimeout = seconds(5);
constexpr Duration kReplyTimeout = seconds(60);
constexpr Duration kUnlimited = hours(24 * 365);
constexpr std::size_t kMaxReply = std::size_t{256} << 20;

class HttpTransport final : public Transport {
 public:
  explicit HttpTransport(std::unique_ptr<net::HttpClient> client) : client_(std::move(client)) {}

  Result<HttpReply> send(const HttpRequest& request) override {
    return took(client_->send(wire(request, kReplyTimeout)));
  }

  Result<HttpReply> stream(const HttpRequest& request, const StreamCallbacks& callbacks) override {
    bool stopped = false;
    auto with = wire(request, kUnlimited);
    with.head_timeout = kReplyTimeout;
    with.keep_going = [&] { return !(stopped = stopped || !callbacks.keep_going()); };
    with.on_head = [&](const net::Reply& head) {
      if (callbacks.head) callbacks.head({.status = head.status, .headers = head.headers, .body = {}});
    };
    // A stream that is never silent does not wait, and so is asked here.
    const auto take = [&](std::string_view bytes) { return callbacks.bytes(bytes), with.keep_going(); };
    auto reply = took(client_->stream(with, take));
    if (stopped && !reply) return HttpReply{.status = 200, .headers = {}, .body = {}};
    return reply;
  }

  bool was_sent() const override { return sent_; }

 private:
  static net::Request wire(const HttpRequest& request, Duration timeout) {
    return {.method = request.method,
            .target = request.target,
            .headers = request.headers,
            .body = request.body,
            .timeout = timeout,
            .most_bytes = kMaxReply};
  }

  Result<HttpReply> took(Result<net::Reply> reply) {
    // Of an error the client tells whether it sent anything.
    sent_ = reply || (!reply.error().retryable && reply.error().code != ErrorCode::invalid);
    if (reply)
      return HttpReply{.status = reply->status, .headers = std::move(reply->headers), .body = std::move(reply->body)};
    // What became of a request with an answer that is too large is not known here either.
    if (reply.error().code == ErrorCode::too_large) reply.error().code = ErrorCode::unavailable;
    reply.error().retryable = reply.error().code == ErrorCode::unavailable;
    return std::unexpected(std::move(reply.error()));
  }

  std::unique_ptr<net::HttpClient> client_;
  bool sent_ = false;
};

}  // namespace

Result<std::unique_ptr<Transport>> make_http_transport(const Connection& connection) {
  net::ClientOptions options{.url = connection.url,
                             .tls = {.ca_file = connection.ca_file, .fingerprint = connection.fingerprint},
                             .connect_timeout = kConnectTimeout,
                             .kept_connections = 1};
  if (!connection.token.empty())
    options.headers = [token = connection.token]() -> std::map<std::string, std::string> {
      return {{"Authorization", "Bearer " + token.reveal()}};
    };
  auto client = net::HttpClient::make(std::move(options));
  if (!client) return std::unexpected(client.error());
  return std::make_unique<HttpTransport>(std::move(*client));
}

}  // namespace ym::cli
