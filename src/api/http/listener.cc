#include "api/http/listener.h"

#include <spdlog/spdlog.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/post.hpp>
#include <future>
#include <thread>

#include "api/http/session.h"
#include "api/problem.h"
#include "base/assert.h"

namespace ym::api {
namespace {

using boost::system::error_code;
using Acceptor = asio::basic_socket_acceptor<asio::ip::tcp, Executor>;

Result<asio::ip::tcp::endpoint> endpoint_of(const HttpOptions& options) {
  error_code error;
  const std::string address = options.address == "localhost" ? "127.0.0.1" : options.address;
  const auto parsed = asio::ip::make_address(address, error);
  if (error) {
    return fail(
        ErrorCode::invalid,
        fmt::format("'{}' is not an IP address; write for example 127.0.0.1:8470 or [::1]:8470", options.address));
  }
  return asio::ip::tcp::endpoint(parsed, options.port);
}

error_code open_acceptor(Acceptor& acceptor, const asio::ip::tcp::endpoint& endpoint) {
  error_code error;
  acceptor.open(endpoint.protocol(), error);
  if (!error) acceptor.set_option(asio::socket_base::reuse_address(true), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(1024, error);
  return error;
}

// Tries once and never waits: a client without a connection must not cost anything.
void turn_away(Socket& socket) {
  const Response full = busy("too many connections; try again");
  const std::string answer =
      render_head(full, {.keep_alive = false, .length = full.body.size()}, std::time(nullptr)) + full.body;
  error_code ignored;
  socket.non_blocking(true, ignored);
  socket.write_some(asio::buffer(answer), ignored);
  socket.shutdown(Socket::shutdown_send, ignored);
}

}  // namespace

struct Listener::Impl {
  explicit Impl(const HttpOptions& options)
      : all(std::make_shared<Connections>(options.limits)),
        loops(std::max(1U, options.threads)),
        acceptor(loops.front().context) {}

  Task<void> accept_all();
  Loop& quietest();
  static void run(Loop& loop);

  std::shared_ptr<Connections> all;  // before the loops, whose frames refer to it
  std::vector<Loop> loops;
  std::uint16_t port = 0;
  Acceptor acceptor;
  std::promise<void> accepts_no_more;
  std::vector<asio::executor_work_guard<Executor>> work;
  std::vector<std::jthread> threads;
};

Loop& Listener::Impl::quietest() {
  return *std::ranges::min_element(loops, {}, [](const Loop& loop) { return loop.sessions.load(); });
}

Task<void> Listener::Impl::accept_all() {
  Timer breath(acceptor.get_executor());
  for (;;) {
    Loop& loop = quietest();
    Socket socket(loop.context);
    const auto [error] = co_await acceptor.async_accept(socket, kTuple);
    if (!acceptor.is_open()) co_return;
    if (error) {
      // Mostly because there is no free file descriptor. Another try at once would only use the processor.
      spdlog::warn("cannot accept a connection: {}", error.message());
      breath.expires_after(std::chrono::milliseconds(100));
      co_await breath.async_wait(kTuple);
      continue;
    }
    if (!Session::start(all, loop, socket)) turn_away(socket);
  }
}

void Listener::Impl::run(Loop& loop) {
  for (;;) {
    try {
      loop.context.run();
      return;
    } catch (const std::exception& exception) {
      spdlog::error("http thread: {}", exception.what());
    }
  }
}

Listener::Listener(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Listener::~Listener() { stop(); }

Result<std::unique_ptr<Listener>> Listener::open(const HttpOptions& options) {
  const auto endpoint = endpoint_of(options);
  if (!endpoint) return std::unexpected(endpoint.error());
  auto impl = std::make_unique<Impl>(options);
  if (const error_code error = open_acceptor(impl->acceptor, *endpoint)) {
    return fail(ErrorCode::io, fmt::format("cannot listen on {}:{}: {}; choose another address or port with --listen",
                                           options.address, options.port, error.message()));
  }
  impl->port = impl->acceptor.local_endpoint().port();
  return std::unique_ptr<Listener>(new Listener(std::move(impl)));
}

std::uint16_t Listener::port() const { return impl_->port; }

Listener::Count Listener::connections() const {
  const std::lock_guard lock(impl_->all->mutex);
  return {impl_->all->accepted, impl_->all->open};
}

void Listener::serve(Handler& handler) {
  YM_ASSERT(impl_->work.empty());
  impl_->all->handler = &handler;
  asio::co_spawn(impl_->acceptor.get_executor(), impl_->accept_all(),
                 [impl = impl_.get()](const std::exception_ptr& error) {
                   if (error) spdlog::critical("an exception ended the acceptor: no more connections are accepted");
                   impl->accepts_no_more.set_value();
                 });
  for (auto& loop : impl_->loops) {
    impl_->work.emplace_back(loop.context.get_executor());
    impl_->threads.emplace_back([&loop] { Impl::run(loop); });
  }
}

void Listener::stop() {
  auto& all = *impl_->all;
  asio::post(impl_->acceptor.get_executor(), [impl = impl_.get()] {
    error_code ignored;
    impl->acceptor.close(ignored);
  });
  if (impl_->threads.empty()) return;
  impl_->accepts_no_more.get_future().wait();  // the acceptor may hold a socket of any loop
  const auto each = [&all](auto action) {
    std::vector<std::shared_ptr<Session>> alive;
    const std::lock_guard lock(all.mutex);
    all.stopping = true;
    for (const auto& [raw, weak] : all.sessions) {
      if (auto session = weak.lock()) alive.push_back(std::move(session));
    }
    for (const auto& session : alive) action(*session);
    return alive;  // the caller drops them, without the lock: a session takes it at its end
  };
  const auto none = [&all] { return all.open == 0; };
  each([](Session& session) { session.drain(); });
  {
    std::unique_lock lock(all.mutex);
    all.none_left.wait_for(lock, std::chrono::milliseconds(all.limits.stop_time.ms), none);
  }
  each([](Session& session) { session.abort(); });
  {
    std::unique_lock lock(all.mutex);
    all.none_left.wait(lock, none);
  }
  impl_->work.clear();
  for (auto& loop : impl_->loops) loop.context.stop();
  impl_->threads.clear();
}

void Listener::post(std::function<void()> task) { asio::post(impl_->loops.back().context, std::move(task)); }

}  // namespace ym::api
