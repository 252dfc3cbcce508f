#include "api/http/session.h"

#include <spdlog/spdlog.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/read.hpp>

#include "api/http/head_check.h"
#include "api/http/text.h"
#include "api/problem.h"

namespace ym::api {
namespace {

namespace http = boost::beast::http;
using boost::system::error_code;

constexpr auto kTuple = asio::as_tuple(asio::use_awaitable_t<Strand>{});
constexpr std::size_t kWriteBytes = std::size_t{256} << 10;
constexpr std::size_t kLingerBytes = std::size_t{4} << 20;
// Answers below this are not counted: together they stay small.
constexpr std::size_t kUncountedBytes = std::size_t{16} << 10;

std::chrono::milliseconds to_chrono(Duration d) { return std::chrono::milliseconds(d.ms); }

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

Response fault_of(error_code error) {
  if (error == http::error::header_limit || error == http::error::buffer_overflow) {
    return to_response(HttpFault::headers_too_large, "the request's head is over 16 KiB");
  }
  if (error == http::error::body_limit) {
    return to_response(HttpFault::body_too_large, "the request's body is over the limit of 1 MiB");
  }
  if (error == http::error::bad_version) {
    return to_response(HttpFault::unknown_version, "only HTTP/1.1 and HTTP/1.0 are spoken here");
  }
  return to_response(HttpFault::malformed, fmt::format("this is not well-formed HTTP: {}", error.message()));
}

bool is_gone(error_code error) {
  return error == http::error::end_of_stream || error == http::error::partial_message ||
         error.category() != make_error_code(http::error::end_of_stream).category();
}

}  // namespace

// --- life of a connection

bool Session::start(const std::shared_ptr<Connections>& all, Socket& socket) {
  {
    const std::lock_guard lock(all->mutex);
    if (all->stopping || all->open >= all->limits.connections) return false;
    ++all->open;
  }
  const auto session = std::make_shared<Session>(Key{}, all, std::move(socket));
  {
    const std::lock_guard lock(all->mutex);
    all->sessions.emplace(session.get(), session);
    if (all->stopping) session->abort();
  }
  const auto strand = session->socket_.get_executor();
  asio::co_spawn(
      strand, [session] { return session->run(); },
      [session](const std::exception_ptr& error) {
        if (!error) return;
        try {
          std::rethrow_exception(error);
        } catch (const std::exception& exception) {
          spdlog::error("http connection ended by an exception: {}", exception.what());
        }
        session->close();
      });
  return true;
}

Session::Session(Key, std::shared_ptr<Connections> all, Socket socket)
    : lease_(all),
      all_(std::move(all)),
      socket_(std::move(socket)),
      ticker_(socket_.get_executor()),
      wake_(socket_.get_executor(), Clock::time_point::max()),
      // A head and a read's worth of body; pipelined requests wait in the kernel.
      buffer_(2 * all_->limits.header_bytes) {
  error_code ignored;
  const auto endpoint = socket_.remote_endpoint(ignored);
  if (!ignored) peer_ = endpoint.address().to_string();
}

Session::~Session() {
  const std::lock_guard lock(all_->mutex);
  all_->sessions.erase(this);
}

Session::Lease::~Lease() {
  const std::lock_guard lock(all_->mutex);
  if (--all_->open == 0) all_->none_left.notify_all();
}

Task<void> Session::run() {
  error_code ignored;
  socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
  socket_.non_blocking(true, ignored);
  watch_deadline();
  while (co_await serve_one()) {
  }
  if (unread_ && !aborted_) co_await linger();
  close();
}

// Closing while the client still sends would make the kernel reset the connection and
// throw our answer away: take what comes for a moment, then close.
Task<void> Session::linger() {
  error_code ignored;
  socket_.shutdown(Socket::shutdown_send, ignored);
  set_deadline(seconds(2));
  std::size_t taken = 0;
  while (taken < kLingerBytes) {
    buffer_.clear();
    const auto [error, n] = co_await socket_.async_read_some(buffer_.prepare(kUncountedBytes), kTuple);
    if (error) break;
    taken += n;
  }
}

void Session::close() {
  error_code ignored;
  ticker_.cancel();
  wake_.cancel();
  socket_.shutdown(Socket::shutdown_both, ignored);
  socket_.close(ignored);
}

void Session::drain() {
  asio::post(socket_.get_executor(), [self = shared_from_this()] {
    self->draining_ = true;
    if (self->idle_) self->close();
    self->wake();
  });
}

void Session::abort() {
  asio::post(socket_.get_executor(), [self = shared_from_this()] {
    self->aborted_ = true;
    self->close();
    self->wake();
  });
}

void Session::set_deadline(Duration time) {
  timed_out_ = false;
  deadline_ = Clock::now() + to_chrono(time);
}

void Session::watch_deadline() {
  ticker_.expires_after(all_->tick());
  ticker_.async_wait([self = shared_from_this()](error_code error) {
    if (error || !self->socket_.is_open()) return;
    if (Clock::now() >= self->deadline_) {
      self->timed_out_ = true;
      error_code ignored;
      self->socket_.cancel(ignored);
    }
    self->watch_deadline();
  });
}

// --- one request

Task<bool> Session::first_byte() {
  if (draining_) co_return false;
  idle_ = true;
  // A fresh connection has no claim to patience: it came to ask something.
  set_deadline(first_ ? all_->limits.header_time : all_->limits.idle_time);
  if (buffer_.size() == 0) {
    const auto [error, n] = co_await socket_.async_read_some(buffer_.prepare(4096), kTuple);
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
  http_1_0_ = keep_alive_ = false;
  started_ = Clock::now();
  Parser parser;
  parser.header_limit(static_cast<std::uint32_t>(all_->limits.header_bytes));
  parser.body_limit(all_->limits.body_bytes);
  set_deadline(all_->limits.header_time);
  const auto [error, n] = co_await http::async_read_header(socket_, buffer_, parser, kTuple);
  if (error) co_return co_await refuse(error, "");
  Request request = read_head(parser.get());
  begin_exchange(parser, request);
  request.has_body = !parser.is_done();
  if (auto fault = check_head(request, parser.get().version(), all_->limits))
    co_return co_await refuse(std::move(*fault), "");
  auto admitted = all_->handler->admit(request);
  if (admitted) co_return co_await serve_admitted(parser, std::move(request), std::move(*admitted));
  if (request.has_body) co_return co_await refuse(std::move(admitted.error().response), admitted.error().route);
  co_return co_await reply(std::move(admitted.error().response), admitted.error().route);
}

void Session::begin_exchange(const Parser& parser, const Request& request) {
  method_ = request.method;
  http_1_0_ = parser.get().version() == 10;
  keep_alive_ = parser.keep_alive();
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
  co_return co_await reply(std::move(response), admitted.route);
}

Task<bool> Session::read_body(Parser& parser, const Request& request, std::string_view route) {
  if (equal_ignoring_case(request.header("Expect"), "100-continue")) {
    const bool sent = co_await write("HTTP/1.1 100 Continue\r\n\r\n", "");
    if (!sent) co_return false;
  }
  set_deadline(all_->limits.body_time);
  const auto [error, n] = co_await http::async_read(socket_, buffer_, parser, kTuple);
  if (!error) co_return true;
  co_await refuse(error, route);
  co_return false;
}

// --- its answer

Responder Session::make_responder() {
  return Responder([weak = weak_from_this(), ticket = ticket_](Responder::Make make) {
    const auto self = weak.lock();
    if (!self) return;  // the client has gone; nobody needs the answer
    asio::dispatch(self->socket_.get_executor(),
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

Task<void> Session::pause(Duration time) {
  if (!woken_) {
    wake_.expires_after(to_chrono(time));
    co_await wake_.async_wait(kTuple);
  }
  woken_ = false;
}

void Session::wake() {
  woken_ = true;
  wake_.cancel();
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
  if (draining_ || (response.stream && http_1_0_)) keep_alive_ = false;
  const bool streamed = response.stream != nullptr;
  const bool bare = method_ == Method::head;
  HeadFacts facts{.http_1_0 = http_1_0_, .keep_alive = keep_alive_, .chunked = streamed && !http_1_0_ && !bare};
  if (!streamed) facts.length = response.body.size();
  const std::string head = render_head(response, facts, std::time(nullptr));
  bool sent = co_await write(head, bare ? std::string_view{} : response.body);
  if (sent && streamed && !bare) sent = co_await write_stream(*response.stream, facts.chunked);
  const std::chrono::duration<double> took = Clock::now() - started_;
  all_->handler->finished({method_, route, response.status, took.count(), peer_});
  co_return sent&& keep_alive_ && !aborted_;
}

Task<bool> Session::write(std::string_view head, std::string_view body) {
  bool first = true;
  while (first || !body.empty()) {
    const auto part = body.substr(0, kWriteBytes);
    const std::array<asio::const_buffer, 2> buffers{first ? asio::buffer(head) : asio::const_buffer(),
                                                    asio::buffer(part)};
    set_deadline(all_->limits.write_time);
    const auto [error, n] = co_await asio::async_write(socket_, buffers, kTuple);
    if (error) co_return false;
    body.remove_prefix(part.size());
    first = false;
  }
  co_return true;
}

// --- bodies that are made while they are sent

Task<bool> Session::write_stream(BodyStream& stream, bool chunked) {
  woken_ = watching_ = peer_gone_ = false;
  stream.start([weak = weak_from_this()] {
    const auto self = weak.lock();
    if (self) asio::post(self->socket_.get_executor(), [self] { self->wake(); });
  });
  const bool complete = co_await write_pieces(stream, chunked);
  // The wait for the peer's leaving may still be pending: such a connection is not used again.
  if (!complete || watching_) keep_alive_ = false;
  if (!complete || !chunked) co_return complete;
  co_return co_await write(kLastChunk, "");
}

Task<bool> Session::write_pieces(BodyStream& stream, bool chunked) {
  while (!aborted_ && !peer_gone_) {
    BodyStream::Piece piece = stream.next();
    if (!piece.data.empty()) {
      if (chunked) make_chunk(piece.data);
      const bool sent = co_await write("", piece.data);
      if (!sent) co_return false;
    }
    if (piece.state == BodyStream::State::end || draining_) co_return true;
    if (piece.state == BodyStream::State::more) continue;
    if (!watching_) watch_peer();
    deadline_ = Clock::time_point::max();
    co_await pause(piece.wait);
  }
  co_return false;
}

void Session::watch_peer() {
  watching_ = true;
  socket_.async_wait(Socket::wait_read, [self = shared_from_this()](error_code error) {
    if (error) return;
    char byte = 0;
    const std::size_t n = self->socket_.receive(asio::buffer(&byte, 1), Socket::message_peek, error);
    // Data means that the next request is here already; then only a failing write tells.
    if (n > 0 || error == asio::error::would_block) return;
    self->peer_gone_ = true;
    self->wake();
  });
}

}  // namespace ym::api
