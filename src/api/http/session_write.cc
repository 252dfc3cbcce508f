// The part of a session that writes: whole answers, bodies that are made while they are sent, and long polls.
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <utility>

#include "api/http/session.h"
#include "api/problem.h"

namespace ym::api {
namespace {

using boost::system::error_code;

constexpr std::size_t kWriteBytes = std::size_t{256} << 10;

}  // namespace

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

Task<bool> Session::write_stream(BodyStream& stream, bool chunked) {
  woken_ = watching_ = peer_gone_ = false;
  stream.start(waker());
  const bool complete = co_await write_pieces(stream, chunked);
  stop_watching();
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
    if (piece.state == BodyStream::State::more) continue;
    if (!watching_) watch_peer();
    deadline_ = Clock::time_point::max();
    co_await pause(piece.wait);
  }
  co_return false;
}

// Nothing: the client does not wait for the answer any more.
Task<std::optional<Response>> Session::wait_for(LongPoll& poll) {
  Budget::Share share;
  woken_ = watching_ = peer_gone_ = false;
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
      stop_watching();
      co_return response;
    }
    if (!watching_) watch_peer();
    deadline_ = Clock::time_point::max();
    co_await pause(poll.wait());
  }
  co_return std::nullopt;
}

std::function<void()> Session::waker() {
  return [weak = weak_from_this()] {
    const auto self = weak.lock();
    if (self) asio::post(self->socket_.get_executor(), [self] { self->wake(); });
  };
}

void Session::watch_peer() {
  watching_ = true;
  socket_.async_wait(Socket::wait_read, [self = shared_from_this()](error_code error) {
    if (error) return;
    char byte = 0;
    const std::size_t n = self->socket_.receive(asio::buffer(&byte, 1), Socket::message_peek, error);
    // Data: the next request has arrived already. Only a failing write shows then that the client has gone.
    if (n > 0 || error == asio::error::would_block) return;
    self->peer_gone_ = true;
    self->wake();
  });
}

// A late report that the peer has gone is right for the next request, too.
void Session::stop_watching() {
  if (!std::exchange(watching_, false)) return;
  error_code ignored;
  socket_.cancel(ignored);
}

}  // namespace ym::api
