#include "api/http/session.h"

#include <spdlog/spdlog.h>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <utility>

#include "api/problem.h"

namespace ym::api {
namespace {

using boost::system::error_code;

constexpr std::size_t kLingerBytes = std::size_t{4} << 20;
constexpr std::size_t kLingerPiece = std::size_t{16} << 10;

std::chrono::milliseconds to_chrono(Duration d) { return std::chrono::milliseconds(d.ms); }

constexpr std::size_t kWriteBytes = std::size_t{256} << 10;

}  // namespace

bool Session::start(const std::shared_ptr<Connections>& all, Loop& loop, Socket& socket, Peer peer) {
  {
    const std::lock_guard lock(all->mutex);
    if (all->stopping || all->open >= all->limits.connections) return false;
    ++all->open;
    ++all->accepted;
  }
  const auto session = std::make_shared<Session>(Key{}, all, loop, std::move(socket), std::move(peer));
  {
    const std::lock_guard lock(all->mutex);
    all->sessions.emplace(session.get(), session);
    if (all->stopping) session->abort();
  }
  asio::co_spawn(
      loop.context, [session] { return session->run(); },
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

Session::Session(Key, std::shared_ptr<Connections> all, Loop& loop, Socket socket, Peer peer)
    : lease_(all, loop),
      all_(std::move(all)),
      stream_(std::move(socket)),
      ticker_(stream_.get_executor()),
      wake_(stream_.get_executor(), Clock::time_point::max()),
      // A head, and one read of body. Pipelined requests wait in the kernel.
      buffer_(2 * all_->limits.header_bytes),
      peer_(std::move(peer)) {}

Session::~Session() {
  const std::lock_guard lock(all_->mutex);
  all_->sessions.erase(this);
}

Session::Lease::~Lease() {
  --loop_.sessions;
  const std::lock_guard lock(all_->mutex);
  if (--all_->open == 0) all_->none_left.notify_all();
}

Task<void> Session::run() {
  error_code ignored;
  stream_.socket().set_option(asio::ip::tcp::no_delay(true), ignored);
  stream_.socket().non_blocking(true, ignored);
  watch_deadline();
  const bool agreed = co_await shake_hands();
  if (agreed) {
    while (co_await serve_one()) {
    }
    if (!aborted_ && !peer_gone_) co_await part();
  } else if (!aborted_) {
    co_await linger();  // so that the client reads the alert
  }
  close();
}

Task<bool> Session::shake_hands() {
  if (!all_->tls || peer_.account) co_return true;
  set_deadline(all_->limits.header_time);
  const bool agreed = co_await stream_.shake_hands(*all_->tls);
  certificate_ = stream_.certificate();
  co_return agreed && !draining_;
}

Task<void> Session::part() {
  set_deadline(seconds(2));
  co_await stream_.say_goodbye();
  if (unread_) co_await linger();
}

// If the server closes while the client still sends, the kernel resets the connection and drops the answer. So read
// what comes for a moment, then close.
Task<void> Session::linger() {
  error_code ignored;
  auto& socket = stream_.socket();
  socket.shutdown(Socket::shutdown_send, ignored);
  set_deadline(seconds(2));
  std::size_t taken = 0;
  while (taken < kLingerBytes) {
    buffer_.clear();
    const auto [error, n] = co_await socket.async_read_some(buffer_.prepare(kLingerPiece), kTuple);
    if (error) break;
    taken += n;
  }
}

void Session::close() {
  error_code ignored;
  ticker_.cancel();
  wake_.cancel();
  stream_.socket().shutdown(Socket::shutdown_both, ignored);
  stream_.socket().close(ignored);
}

void Session::drain() {
  asio::post(stream_.get_executor(), [self = shared_from_this()] {
    self->draining_ = true;
    if (self->idle_) self->close();
    self->wake();
  });
}

void Session::abort() {
  asio::post(stream_.get_executor(), [self = shared_from_this()] {
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
    if (error || !self->stream_.socket().is_open()) return;
    if (Clock::now() >= self->deadline_) {
      self->timed_out_ = true;
      error_code ignored;
      self->stream_.socket().cancel(ignored);
    }
    self->watch_deadline();
  });
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

Task<bool> Session::write(std::string_view head, std::string_view body) {
  bool first = true;
  while (first || !body.empty()) {
    const auto part = body.substr(0, kWriteBytes);
    const std::array<asio::const_buffer, 2> buffers{first ? asio::buffer(head) : asio::const_buffer(),
                                                    asio::buffer(part)};
    set_deadline(all_->limits.write_time);
    const auto [error, n] = co_await asio::async_write(stream_, buffers, kTuple);
    if (error) {
      peer_gone_ = true;
      co_return false;
    }
    body.remove_prefix(part.size());
    first = false;
  }
  co_return true;
}

Task<bool> Session::write_stream(BodyStream& stream, bool chunked) {
  woken_ = peer_gone_ = false;
  stream.start(waker());
  const bool complete = co_await write_pieces(stream, chunked);
  co_await stop_watching();
  if (!complete) keep_alive_ = false;
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
    if (piece.state == BodyStream::State::more) {
      // Others on this thread have their turn also while a stream finds nothing to send.
      if (piece.data.empty()) co_await asio::post(stream_.get_executor(), asio::use_awaitable_t<Executor>{});
      continue;
    }
    watch_peer();
    deadline_ = Clock::time_point::max();
    co_await pause(piece.wait);
  }
  co_return false;
}

// Nothing: the client does not wait for the answer any more.
Task<std::optional<Response>> Session::wait_for(LongPoll& poll) {
  Budget::Share share;
  woken_ = peer_gone_ = false;
  poll.start(waker());
  while (!aborted_ && !peer_gone_) {
    auto response = poll.look();
    if (!response && draining_) response = busy("the server is stopping; try again");
    // Only a poll that really waits takes a share of the streams.
    if (!response && !share) {
      share = all_->streams.take(1);
      if (!share) response = busy("too much is in progress; try again");
    }
    if (response) {
      co_await stop_watching();
      co_return response;
    }
    watch_peer();
    deadline_ = Clock::time_point::max();
    co_await pause(poll.wait());
  }
  co_return std::nullopt;
}

std::function<void()> Session::waker() {
  return [weak = weak_from_this()] {
    const auto self = weak.lock();
    if (self) asio::post(self->stream_.get_executor(), [self] { self->wake(); });
  };
}

// What it reads is the beginning of the next request. Only a failing write shows then that the client has gone.
void Session::watch_peer() {
  if (watching_ || buffer_.size() > 0) return;
  watching_ = true;
  stream_.async_read_some(buffer_.prepare(kReadBytes), [self = shared_from_this()](error_code error, std::size_t n) {
    self->watching_ = false;
    if (!error) self->buffer_.commit(n);
    else if (error != asio::error::operation_aborted) self->peer_gone_ = true;
    self->wake();
  });
}

// A late report that the peer has gone is right for the next request, too. What was read already is not cancelled any
// more, and by TLS another read may follow. So it asks again.
Task<void> Session::stop_watching() {
  while (watching_) {
    error_code ignored;
    stream_.socket().cancel(ignored);
    co_await pause(Duration{10});
  }
}

}  // namespace ym::api
