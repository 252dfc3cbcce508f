#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>

#include <array>
#include <chrono>

#include "cli/http/transport.h"
#include "cli/http/url.h"

namespace ym::cli {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using tcp = asio::ip::tcp;
using namespace std::chrono_literals;

constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);
constexpr auto kConnectTimeout = 5s;
constexpr auto kReplyTimeout = 60s;
constexpr std::uint64_t kMaxReply = std::uint64_t{256} << 20;
// The server may close an idle connection at any time. A new connection is cheap.
constexpr auto kReuseFor = 2s;

using Code = boost::system::error_code;
using Request = http::request<http::string_body>;

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

HttpReply head_of(const http::response_header<>& header) {
  HttpReply reply{.status = static_cast<int>(header.result_int()), .headers = {}, .body = {}};
  for (const auto& field : header)
    reply.headers[lower_case(std::string_view(field.name_string().data(), field.name_string().size()))] =
        std::string(field.value().data(), field.value().size());
  return reply;
}

class HttpTransport final : public Transport {
 public:
  HttpTransport(ServerAddress address, Connection connection)
      : address_(std::move(address)), connection_(std::move(connection)) {}

  Result<HttpReply> send(const HttpRequest& request) override {
    const bool reused = can_reuse();
    auto reply = drive(exchange(wire(request)), [] { return true; });
    // A read that finds a kept connection closed does not mean that the server is gone.
    if (!reply && reused && request.method == "GET") reply = drive(exchange(wire(request)), [] { return true; });
    return reply;
  }

  Result<HttpReply> stream(const HttpRequest& request, const StreamCallbacks& callbacks) override {
    stream_.reset();
    auto reply = drive(exchange_streaming(wire(request), callbacks), callbacks.keep_going);
    stream_.reset();
    return reply;
  }

  bool was_sent() const override { return sent_; }

 private:
  bool can_reuse() const { return stream_ && std::chrono::steady_clock::now() - last_used_ < kReuseFor; }

  Request wire(const HttpRequest& request) const {
    Request wire{http::string_to_verb(request.method), request.target, 11};
    const bool v6 = address_.host.find(':') != std::string::npos;
    wire.set(http::field::host, (v6 ? "[" + address_.host + "]" : address_.host) + ":" + address_.port);
    wire.set(http::field::user_agent, "ym/" YM_VERSION);
    if (!connection_.token.empty()) wire.set(http::field::authorization, "Bearer " + connection_.token.reveal());
    for (const auto& [name, value] : request.headers) wire.set(name, value);
    wire.body() = request.body;
    wire.prepare_payload();
    return wire;
  }

  // Runs one operation to its end. When keep_going returns false, closes the connection; that end counts as an
  // ordinary one.
  Result<HttpReply> drive(asio::awaitable<Result<HttpReply>> operation, const std::function<bool()>& keep_going) {
    std::optional<Result<HttpReply>> result;
    stopped_ = false;
    io_.restart();
    asio::co_spawn(io_, std::move(operation), [&result](std::exception_ptr broken, Result<HttpReply> value) {
      result = broken ? fail(ErrorCode::unavailable, "the connection broke") : std::move(value);
    });
    while (!result) {
      io_.run_for(100ms);
      if (result) break;
      stopped_ = stopped_ || !keep_going();
      // Repeated, because cancel() does not affect a read that completed already, and the next read might never
      // return.
      if (stopped_ && stream_) stream_->cancel();
    }
    if (!*result) stream_.reset();
    if (stopped_ && !*result) return HttpReply{.status = 200, .headers = {}, .body = {}};
    return std::move(*result);
  }

  std::unexpected<Error> lost(const Code& code) const {
    const auto why = code == beast::error::timeout ? std::string("timed out") : code.message();
    return std::unexpected(
        Error{.code = ErrorCode::unavailable,
              .message = (sent_ ? "no answer from " : "cannot connect to ") + connection_.url + ": " + why,
              .fields = {},
              .retryable = true});
  }

  asio::awaitable<Code> connect() {
    if (can_reuse()) co_return Code{};
    buffer_.clear();
    stream_.emplace(io_);
    tcp::resolver resolver(io_);
    auto [failed, endpoints] = co_await resolver.async_resolve(address_.host, address_.port, kTuple);
    if (failed) co_return failed;
    stream_->expires_after(kConnectTimeout);
    auto [refused, endpoint] = co_await stream_->async_connect(endpoints, kTuple);
    if (refused) co_return refused;
    Code ignored;
    stream_->socket().set_option(tcp::no_delay(true), ignored);
    stream_->socket().set_option(asio::socket_base::keep_alive(true), ignored);
    co_return Code{};
  }

  asio::awaitable<Code> write(Request request) {
    sent_ = false;
    if (const Code failed = co_await connect(); failed) co_return failed;
    sent_ = true;
    stream_->expires_after(kReplyTimeout);
    auto [code, sent] = co_await http::async_write(*stream_, request, kTuple);
    co_return code;
  }

  asio::awaitable<Result<HttpReply>> exchange(Request request) {
    const Code failed = co_await write(std::move(request));
    if (failed) co_return lost(failed);
    http::response_parser<http::string_body> parser;
    parser.body_limit(kMaxReply);
    auto [code, got] = co_await http::async_read(*stream_, buffer_, parser, kTuple);
    if (code) co_return lost(code);
    HttpReply reply = head_of(parser.get());
    reply.body = std::move(parser.get().body());
    last_used_ = std::chrono::steady_clock::now();
    if (!parser.keep_alive()) stream_.reset();
    co_return reply;
  }

  asio::awaitable<Result<HttpReply>> exchange_streaming(Request request, const StreamCallbacks& callbacks) {
    const Code failed = co_await write(std::move(request));
    if (failed) co_return lost(failed);
    http::response_parser<http::buffer_body> parser;
    parser.body_limit(boost::none);
    auto [code, got] = co_await http::async_read_header(*stream_, buffer_, parser, kTuple);
    if (code) co_return lost(code);
    HttpReply reply = head_of(parser.get());
    if (reply.status == 200 && callbacks.head) callbacks.head(reply);
    std::array<char, 16'384> block{};
    while (!parser.is_done() && !stopped_) {
      parser.get().body().data = block.data();
      parser.get().body().size = block.size();
      stream_->expires_never();
      auto [broken, count] = co_await http::async_read_some(*stream_, buffer_, parser, kTuple);
      const std::string_view bytes(block.data(), block.size() - parser.get().body().size);
      if (reply.status != 200) reply.body += bytes;
      else if (!bytes.empty()) callbacks.bytes(bytes);
      if (broken && broken != http::error::need_buffer) co_return lost(broken);
      if (reply.body.size() > kMaxReply) co_return lost(http::error::body_limit);
    }
    co_return reply;
  }

  ServerAddress address_;
  Connection connection_;
  asio::io_context io_{1};
  std::optional<beast::tcp_stream> stream_;
  beast::flat_buffer buffer_;
  std::chrono::steady_clock::time_point last_used_;
  bool stopped_ = false;
  bool sent_ = false;
};

}  // namespace

Result<std::unique_ptr<Transport>> make_http_transport(const Connection& connection) {
  auto address = parse_url(connection.url);
  if (!address) return std::unexpected(address.error());
  return std::make_unique<HttpTransport>(std::move(*address), connection);
}

}  // namespace ym::cli
