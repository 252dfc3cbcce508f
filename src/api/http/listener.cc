#include "api/http/listener.h"

#include <spdlog/spdlog.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <cstring>
#include <future>
#include <list>
#include <thread>

#include "api/http/proxies.h"
#include "api/http/session.h"
#include "api/http/unix_socket.h"
#include "api/problem.h"
#include "base/assert.h"

namespace ym::api {
namespace {

using boost::system::error_code;
using TcpAcceptor = asio::basic_socket_acceptor<asio::ip::tcp, Executor>;

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

std::unexpected<Error> unprotected(const HttpOptions& options) {
  return fail(ErrorCode::invalid,
              fmt::format("{} can be reached from other machines, and without TLS all of them could read the tokens: "
                          "give --tls-cert and --tls-key, or --tls-self-signed; behind a TLS proxy, give its address "
                          "with --trusted-proxies",
                          options.address));
}

asio::ip::address address_of(const Socket::endpoint_type& endpoint) {
  asio::ip::tcp::endpoint known;
  if (endpoint.size() > known.capacity()) return {};
  std::memcpy(known.data(), endpoint.data(), endpoint.size());
  known.resize(endpoint.size());
  return known.address();
}

bool is_of_this_machine(const Socket& socket, const asio::ip::address& address) {
  error_code failed;
  return address == address_of(socket.local_endpoint(failed)) || address.is_loopback() ||
         (address.is_v6() && address.to_v6().is_v4_mapped() &&
          asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6()).is_loopback());
}

error_code open_acceptor(TcpAcceptor& acceptor, const asio::ip::tcp::endpoint& endpoint) {
  error_code error;
  acceptor.open(endpoint.protocol(), error);
  if (!error) acceptor.set_option(asio::socket_base::reuse_address(true), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(1024, error);
  return error;
}

// Tries once and never waits: a client without a connection must not cost anything. By TLS it could not be understood.
void turn_away(Socket& socket, const Response& response) {
  const std::string answer =
      render_head(response, {.keep_alive = false, .length = response.body.size()}, std::time(nullptr)) + response.body;
  error_code ignored;
  socket.non_blocking(true, ignored);
  socket.write_some(asio::buffer(answer), ignored);
  socket.shutdown(Socket::shutdown_send, ignored);
}

}  // namespace

struct Listener::Impl {
  Impl(const HttpOptions& options, std::unique_ptr<ServerTls> tls, TrustedProxies proxies)
      : all(std::make_shared<Connections>(options.limits, std::move(tls), std::move(proxies))),
        loops(std::max(1U, options.threads)),
        acceptor(loops.front().context) {}

  template <class Acceptor>
  void open_door(Acceptor& opened);
  template <class Acceptor>
  Task<void> accept_all(Acceptor& opened);
  void admit(Loop& loop, Socket& socket, const TcpAcceptor& from);
  void admit(Loop& loop, Socket& socket, const UnixSocket::Acceptor& from);
  Loop& quietest();
  static void run(Loop& loop);

  std::shared_ptr<Connections> all;  // before the loops, whose frames refer to it
  std::vector<Loop> loops;
  std::uint16_t port = 0;
  TcpAcceptor acceptor;
  std::optional<UnixSocket> local;
  std::list<std::promise<void>> doors;  // each is kept when its acceptor takes no more
  std::vector<asio::executor_work_guard<Executor>> work;
  std::vector<std::jthread> threads;
};

Loop& Listener::Impl::quietest() {
  return *std::ranges::min_element(loops, {}, [](const Loop& loop) { return loop.sessions.load(); });
}

// With proxies, plain HTTP is for them and for this machine.
void Listener::Impl::admit(Loop& loop, Socket& socket, const TcpAcceptor&) {
  error_code failed;
  const auto peer = address_of(socket.remote_endpoint(failed));
  const bool is_plain = !all->tls;
  if (is_plain && !all->proxies.empty() && !is_of_this_machine(socket, peer) &&
      !all->proxies.contains(peer.to_string()))
    return turn_away(socket, to_response(Error{ErrorCode::forbidden,
                                               "this server answers its TLS proxies only; use their https URL"}));
  if (Session::start(all, loop, socket, {.address = failed ? "" : peer.to_string()}) || !is_plain) return;
  turn_away(socket, busy("too many connections; try again"));
}

void Listener::Impl::admit(Loop& loop, Socket& socket, const UnixSocket::Acceptor&) {
  const auto account = UnixSocket::account_of(socket);
  if (!account) return;
  if (Session::start(all, loop, socket, {.address = fmt::format("uid:{}", *account), .account = account})) return;
  turn_away(socket, busy("too many connections; try again"));
}

template <class Acceptor>
Task<void> Listener::Impl::accept_all(Acceptor& opened) {
  Timer breath(opened.get_executor());
  for (;;) {
    Loop& loop = quietest();
    Socket socket(loop.context);
    const auto [error] = co_await opened.async_accept(socket, kTuple);
    if (!opened.is_open()) co_return;
    if (error) {
      // Mostly because there is no free file descriptor. Another try at once would only use the processor.
      spdlog::warn("cannot accept a connection: {}", error.message());
      breath.expires_after(std::chrono::milliseconds(100));
      co_await breath.async_wait(kTuple);
      continue;
    }
    admit(loop, socket, opened);
  }
}

template <class Acceptor>
void Listener::Impl::open_door(Acceptor& opened) {
  asio::co_spawn(opened.get_executor(), accept_all(opened),
                 [&closed = doors.emplace_back()](const std::exception_ptr& error) {
                   if (error) spdlog::critical("an exception ended the acceptor: no more connections are accepted");
                   closed.set_value();
                 });
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
  if (!is_loopback(options.address) && !options.tls && options.trusted_proxies.empty()) return unprotected(options);
  auto proxies = TrustedProxies::make(options.trusted_proxies);
  if (!proxies) return std::unexpected(proxies.error());
  auto tls = options.tls ? ServerTls::open(*options.tls) : Result<std::unique_ptr<ServerTls>>();
  if (!tls) return std::unexpected(tls.error());
  auto impl = std::make_unique<Impl>(options, std::move(*tls), std::move(*proxies));
  if (const error_code error = open_acceptor(impl->acceptor, *endpoint)) {
    return fail(ErrorCode::io, fmt::format("cannot listen on {}:{}: {}; choose another address or port with --listen",
                                           options.address, options.port, error.message()));
  }
  impl->port = impl->acceptor.local_endpoint().port();
  if (!options.socket.empty()) {
    auto socket = UnixSocket::open(options.socket, impl->loops.front().context);
    if (!socket) return std::unexpected(socket.error());
    impl->local.emplace(std::move(*socket));
  }
  return std::unique_ptr<Listener>(new Listener(std::move(impl)));
}

std::uint16_t Listener::port() const { return impl_->port; }

ServerTls* Listener::tls() const { return impl_->all->tls.get(); }

Listener::Count Listener::connections() const {
  const std::lock_guard lock(impl_->all->mutex);
  return {impl_->all->accepted, impl_->all->open};
}

void Listener::serve(Handler& handler) {
  YM_ASSERT(impl_->work.empty());
  impl_->all->handler = &handler;
  impl_->open_door(impl_->acceptor);
  if (impl_->local) impl_->open_door(impl_->local->acceptor());
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
    if (impl->local) impl->local->acceptor().close(ignored);
  });
  if (impl_->threads.empty()) return;
  for (auto& closed : impl_->doors) closed.get_future().wait();  // an acceptor may hold a socket of any loop
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
