// The part of a session that handles one request: it reads the request, gets the answer and sends it.
#include <spdlog/spdlog.h>

#include <boost/asio/dispatch.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/read.hpp>

#include "api/http/head_check.h"
#include "api/http/session.h"
#include "api/http/text.h"
#include "api/problem.h"

namespace ym::api {
namespace {

namespace http = boost::beast::http;
using boost::system::error_code;

// Smaller answers are not counted: together they stay small.
constexpr std::size_t kUncountedBytes = std::size_t{16} << 10;

Response fault_of(error_code error) {
  if (error == http::error::header_limit || error == http::error::buffer_overflow) {
    return to_response(HttpFault::headers_too_large, "the request's head is over 16 KiB");
  }
  if (error == http::error::body_limit) {
    return to_response(HttpFault::body_too_large, "the request's body is over the limit of 1 MiB");
  }
  if (error == http::error::bad_version) {
    return to_response(HttpFault::unknown_version, "only HTTP/1.1 and HTTP/1.0 are supported");
  }
  return to_response(HttpFault::malformed, fmt::format("this is not well-formed HTTP: {}", error.message()));
}

bool is_gone(error_code error) {
  return error == http::error::end_of_stream || error == http::error::partial_message ||
         error.category() != make_error_code(http::error::end_of_stream).category();
}

}  // namespace

Request read_head(const http::request_header<>& head) {
  Request request;
  request.method = parse_method({head.method_string().data(), head.method_string().size()});
  request.target.assign(head.target().data(), head.target().size());
  request.headers.reserve(8);
  for (const auto& field : head) {
    request.headers.push_back({std::string(field.name_string()), std::string(field.value())});
  }
  return request;
}

Task<bool> Session::first_byte() {
  if (draining_) co_return false;
  idle_ = true;
  // A new connection gets less time: it was made to send a request.
  set_deadline(first_ ? all_->limits.header_time : all_->limits.idle_time);
  if (buffer_.size() == 0) {
    const auto [error, n] = co_await stream_.async_read_some(buffer_.prepare(kReadBytes), kTuple);
    if (error) co_return false;
    buffer_.commit(n);
  }
  idle_ = false;
  co_return !draining_ && !aborted_;
}

Task<bool> Session::serve_one() {
  const bool there = co_await first_byte();
  if (!there) co_return false;
  first_ = false;
  method_ = Method::other;
  caller_ = {};
  permission_ = {};
  http_1_0_ = keep_alive_ = false;
  started_ = Clock::now();
  Parser parser;
  parser.header_limit(static_cast<std::uint32_t>(all_->limits.header_bytes));
  parser.body_limit(all_->limits.body_bytes);
  set_deadline(all_->limits.header_time);
  const auto [error, n] = co_await http::async_read_header(stream_, buffer_, parser, kTuple);
  if (error) co_return co_await refuse(error, "");
  Request request = read_head(parser.get());
  begin_exchange(parser, request);
  request.certificate = certificate_;
  request.account = peer_.account;
  request.client = client_;
  request.has_body = !parser.is_done();
  if (auto fault = check_head(request, parser.get().version(), all_->limits))
    co_return co_await refuse(std::move(*fault), "");
  auto admitted = all_->handler->admit(request);
  caller_ = admitted ? std::move(admitted->caller) : std::move(admitted.error().caller);
  permission_ = admitted ? admitted->permission : admitted.error().permission;
  if (admitted) co_return co_await serve_admitted(parser, std::move(request), std::move(*admitted));
  if (request.has_body) co_return co_await refuse(std::move(admitted.error().response), admitted.error().route);
  co_return co_await reply(std::move(admitted.error().response), admitted.error().route);
}

void Session::begin_exchange(const Parser& parser, const Request& request) {
  method_ = request.method;
  http_1_0_ = parser.get().version() == 10;
  keep_alive_ = parser.keep_alive();
  client_ = all_->proxies.client_of(peer_.address, request);
}

Task<bool> Session::serve_admitted(Parser& parser, Request request, Admitted admitted) {
  Budget::Share share;
  if (request.has_body) {
    const auto length = parser.content_length();
    share = all_->bytes.take(length ? static_cast<std::size_t>(*length) : all_->limits.body_bytes);
    if (!share) {
      co_return co_await refuse(busy("too much is in progress; try again"), admitted.route);
    }
    const bool complete = co_await read_body(parser, request, admitted.route);
    if (!complete) co_return false;
    request.body = std::move(parser.get().body());
  }
  Response response = co_await answer(std::move(request), admitted);
  if (aborted_) co_return false;
  if (const auto poll = std::move(response.poll)) {
    auto polled = co_await wait_for(*poll);
    if (!polled) co_return false;
    response = std::move(*polled);
  }
  co_return co_await reply(std::move(response), admitted.route);
}

Task<bool> Session::read_body(Parser& parser, const Request& request, std::string_view route) {
  if (equal_ignoring_case(request.header("Expect"), "100-continue")) {
    const bool sent = co_await write("HTTP/1.1 100 Continue\r\n\r\n", "");
    if (!sent) co_return false;
  }
  set_deadline(all_->limits.body_time);
  const auto [error, n] = co_await http::async_read(stream_, buffer_, parser, kTuple);
  if (!error) co_return true;
  co_await refuse(error, route);
  co_return false;
}

// --- its answer

Responder Session::make_responder() {
  return Responder([weak = weak_from_this(), ticket = ticket_](Responder::Make make) {
    const auto self = weak.lock();
    if (!self) return;  // the client has gone: no answer is needed
    asio::dispatch(self->stream_.get_executor(),
                   [self, ticket, make = std::move(make)]() mutable { self->accept_answer(ticket, std::move(make)); });
  });
}

void Session::accept_answer(std::uint64_t ticket, Responder::Make make) {
  if (ticket != ticket_ || response_) return;
  try {
    response_ = make();
  } catch (const std::exception& exception) {
    spdlog::error("an answer could not be made: {}", exception.what());
    response_ = to_response(Error{ErrorCode::internal, "the answer could not be made; see the server's log"});
  }
  wake();
}

Task<Response> Session::answer(Request request, Admitted& admitted) {
  deadline_ = Clock::time_point::max();
  response_.reset();
  ++ticket_;
  try {
    admitted.serve(std::move(request), make_responder());
  } catch (const std::exception& exception) {
    spdlog::error("{}: {}", admitted.route, exception.what());
    response_ = to_response(Error{ErrorCode::internal, "the request failed; see the server's log"});
  }
  while (!response_ && !aborted_) co_await pause(hours(1));
  ++ticket_;
  co_return response_ ? std::move(*response_) : Response{};
}

Task<bool> Session::refuse(error_code error, std::string_view route) {
  if (timed_out_) co_return co_await refuse(to_response(HttpFault::too_slow, "send faster"), route);
  if (is_gone(error)) co_return false;
  co_return co_await refuse(fault_of(error), route);
}

Task<bool> Session::refuse(Response response, std::string_view route) {
  keep_alive_ = false;
  unread_ = true;
  co_return co_await reply(std::move(response), route);
}

Task<bool> Session::reply(Response response, std::string_view route) {
  Budget::Share share;
  if (response.stream) share = all_->streams.take(1);
  else if (response.body.size() > kUncountedBytes) share = all_->bytes.take(response.body.size());
  if (!share && (response.stream || response.body.size() > kUncountedBytes)) {
    response = busy("too much is in progress; try again");
  }
  if (draining_ || all_->stopping || (response.stream && http_1_0_)) keep_alive_ = false;
  const bool streamed = response.stream != nullptr;
  const bool bare = method_ == Method::head;
  HeadFacts facts{.http_1_0 = http_1_0_, .keep_alive = keep_alive_, .chunked = streamed && !http_1_0_ && !bare};
  if (!streamed) facts.length = response.body.size();
  const std::string head = render_head(response, facts, std::time(nullptr));
  bool sent = co_await write(head, bare ? std::string_view{} : response.body);
  if (sent && streamed && !bare) sent = co_await write_stream(*response.stream, facts.chunked);
  const std::chrono::duration<double> took = Clock::now() - started_;
  all_->handler->finished({method_, route, response.status, took.count(), client_, caller_.principal, response.problem,
                           &caller_, permission_});
  co_return sent&& keep_alive_ && !aborted_;
}

}  // namespace ym::api
