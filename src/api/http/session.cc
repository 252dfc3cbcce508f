#include "api/http/session.h"

#include <spdlog/spdlog.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>

namespace ym::api {
namespace {

using boost::system::error_code;

constexpr std::size_t kLingerBytes = std::size_t{4} << 20;
constexpr std::size_t kLingerPiece = std::size_t{16} << 10;

std::chrono::milliseconds to_chrono(Duration d) { return std::chrono::milliseconds(d.ms); }

}  // namespace

bool Session::start(const std::shared_ptr<Connections>& all, Loop& loop, Socket& socket) {
  {
    const std::lock_guard lock(all->mutex);
    if (all->stopping || all->open >= all->limits.connections) return false;
    ++all->open;
    ++all->accepted;
  }
  const auto session = std::make_shared<Session>(Key{}, all, loop, std::move(socket));
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

Session::Session(Key, std::shared_ptr<Connections> all, Loop& loop, Socket socket)
    : lease_(all, loop),
      all_(std::move(all)),
      socket_(std::move(socket)),
      ticker_(socket_.get_executor()),
      wake_(socket_.get_executor(), Clock::time_point::max()),
      // A head, and one read of body. Pipelined requests wait in the kernel.
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
  --loop_.sessions;
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

// If the server closes while the client still sends, the kernel resets the connection and drops the answer. So read
// what comes for a moment, then close.
Task<void> Session::linger() {
  error_code ignored;
  socket_.shutdown(Socket::shutdown_send, ignored);
  set_deadline(seconds(2));
  std::size_t taken = 0;
  while (taken < kLingerBytes) {
    buffer_.clear();
    const auto [error, n] = co_await socket_.async_read_some(buffer_.prepare(kLingerPiece), kTuple);
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

}  // namespace ym::api
