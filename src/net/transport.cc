#include "net/transport.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>

#include <cerrno>
#include <cstring>
#include <type_traits>

#include "net/cancel.h"
#include "net/lookup.h"

namespace ym::net {
namespace {

namespace asio = boost::asio;
using Code = boost::system::error_code;
using Protocol = asio::generic::stream_protocol;
using Socket = asio::basic_stream_socket<Protocol, asio::io_context::executor_type>;

// Detects within a minute that the machine behind a silent stream is gone.
constexpr int kKeepIdleSeconds = 30;
constexpr int kKeepIntervalSeconds = 10;
constexpr int kKeepProbes = 3;

// How often a waiting call asks whether its answer is still wanted.
constexpr std::chrono::milliseconds kLookEvery{100};

std::unexpected<IoError> io_error(const Code& code) {
  if (code == asio::error::eof) return std::unexpected(IoError{IoError::Kind::ended, "the connection was closed"});
  return lost(code.message());
}

// A socket and its event loop. The caller's thread runs the loop while it waits.
class Line {
 public:
  Io<void> open(const Endpoint& endpoint, const WaitLimit& wait_limit);
  Socket& socket() { return socket_; }

  // Starts one operation with a handler, waits until it has ended, and returns its number of bytes. If the wait ends
  // early, the socket is closed, which ends the operation.
  template <class Start>
  Io<std::size_t> wait(const WaitLimit& wait_limit, Start start);

 private:
  asio::io_context loop_{1};
  Socket socket_{loop_};
};

template <class Start>
Io<std::size_t> Line::wait(const WaitLimit& wait_limit, Start start) {
  struct {
    bool done = false;
    Code code{};
    std::size_t bytes = 0;
  } end;
  const CancelWatch watch(wait_limit.cancel, [this] { asio::post(loop_, [] {}); });
  const auto in_time = [&] { return std::chrono::steady_clock::now() < wait_limit.deadline; };
  loop_.restart();
  start([&end](const Code& code, std::size_t bytes = 0) { end = {true, code, bytes}; });
  while (!end.done && in_time() && wait_limit.wanted())
    loop_.run_one_until(std::min(wait_limit.deadline, std::chrono::steady_clock::now() + kLookEvery));
  if (end.done) return end.code ? Io<std::size_t>(io_error(end.code)) : end.bytes;
  Code ignored;
  socket_.close(ignored);
  while (!end.done) loop_.run_one();
  return in_time() ? Io<std::size_t>(cancelled()) : Io<std::size_t>(timed_out());
}

Io<void> Line::open(const Endpoint& endpoint, const WaitLimit& wait_limit) {
  const Protocol::endpoint to(&endpoint.address, endpoint.length);
  // Asio itself would let child processes inherit the socket.
  const int handle = ::socket(to.protocol().family(), SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (handle < 0) return lost(std::strerror(errno));
  Code failed;
  socket_.assign(to.protocol(), handle, failed);
  if (failed) {
    ::close(handle);
    return io_error(failed);
  }
  const auto connected = wait(wait_limit, [&](auto handler) { socket_.async_connect(to, std::move(handler)); });
  if (!connected) return std::unexpected(connected.error());
  if (to.protocol().family() == AF_UNIX) return {};
  const auto set = [handle](int level, int option, int value) {
    ::setsockopt(handle, level, option, &value, sizeof value);
  };
  set(IPPROTO_TCP, TCP_NODELAY, 1);
  set(SOL_SOCKET, SO_KEEPALIVE, 1);
  set(IPPROTO_TCP, TCP_KEEPIDLE, kKeepIdleSeconds);
  set(IPPROTO_TCP, TCP_KEEPINTVL, kKeepIntervalSeconds);
  set(IPPROTO_TCP, TCP_KEEPCNT, kKeepProbes);
  return {};
}

// Stream: a reference to the line's socket, or TLS over it.
template <class Stream>
class StreamTransport final : public Transport {
 public:
  template <class... Arguments>
  explicit StreamTransport(std::unique_ptr<Line> line, Arguments... arguments)
      : line_(std::move(line)), stream_(line_->socket(), arguments...) {}

  Stream& stream() { return stream_; }
  Line& line() { return *line_; }

  Io<std::size_t> read(std::span<char> into, const WaitLimit& wait_limit) override {
    return line_->wait(wait_limit, [&](auto handler) {
      stream_.async_read_some(asio::buffer(into.data(), into.size()), std::move(handler));
    });
  }

  Io<void> write(std::string_view bytes, const WaitLimit& wait_limit) override {
    const auto written = line_->wait(wait_limit, [&](auto handler) {
      asio::async_write(stream_, asio::buffer(bytes.data(), bytes.size()), std::move(handler));
    });
    if (!written) return std::unexpected(written.error());
    return {};
  }

  Io<void> finish(const WaitLimit& wait_limit) override {
    if constexpr (std::is_same_v<Stream, Socket&>) {
      Code failed;
      stream_.shutdown(Socket::shutdown_send, failed);
      if (failed) return io_error(failed);
      return read_to_end(wait_limit);
    } else {
      // Many servers close the connection without an end of TLS.
      const auto ended = line_->wait(wait_limit, [&](auto handler) {
        stream_.async_shutdown([handler = std::move(handler)](const Code& code) mutable {
          handler(code == asio::ssl::error::stream_truncated ? Code{} : code);
        });
      });
      if (!ended) return std::unexpected(ended.error());
      return {};
    }
  }

  bool is_quiet() override {
    pollfd look{.fd = line_->socket().native_handle(), .events = POLLIN | POLLRDHUP, .revents = 0};
    return ::poll(&look, 1, 0) == 0;
  }

 private:
  Io<void> read_to_end(const WaitLimit& wait_limit) {
    std::array<char, 1024> dropped{};
    for (;;)
      if (const auto got = read(dropped, wait_limit); !got) {
        if (got.error().kind == IoError::Kind::ended) return {};
        return std::unexpected(got.error());
      }
  }

  std::unique_ptr<Line> line_;
  Stream stream_;
};

Io<std::unique_ptr<Transport>> with_tls(std::unique_ptr<Line> line, const TlsContext& tls,
                                        const WaitLimit& wait_limit) {
  ssl_st* const session = tls.new_session();
  if (session == nullptr) return lost("cannot prepare TLS");
  auto transport = std::make_unique<StreamTransport<asio::ssl::stream<Socket&>>>(std::move(line), session);
  const auto shaken = transport->line().wait(wait_limit, [&](auto handler) {
    transport->stream().async_handshake(asio::ssl::stream_base::client, std::move(handler));
  });
  if (shaken) return transport;
  IoError why = shaken.error();
  if (const auto unverified = verification_failure(session); !unverified.empty()) why.why += ": " + unverified;
  why.why = "TLS: " + why.why;
  return std::unexpected(std::move(why));
}

Endpoint unix_endpoint(const std::string& path) {
  Endpoint endpoint;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  std::memcpy(&endpoint.address, &address, sizeof address);
  endpoint.length = sizeof address;
  return endpoint;
}

Io<std::unique_ptr<Line>> open_any(const std::vector<Endpoint>& endpoints, const WaitLimit& wait_limit) {
  Io<std::unique_ptr<Line>> last = lost("no address");
  for (std::size_t i = 0; i < endpoints.size(); ++i) {
    const auto now = std::chrono::steady_clock::now();
    const auto share = (wait_limit.deadline - now) / static_cast<std::int64_t>(endpoints.size() - i);
    auto line = std::make_unique<Line>();
    const auto opened = line->open(
        endpoints[i], {.deadline = now + share, .cancel = wait_limit.cancel, .keep_going = wait_limit.keep_going});
    if (opened) return line;
    last = std::unexpected(opened.error());
    if (opened.error().kind == IoError::Kind::cancelled) break;
  }
  return last;
}

Io<std::unique_ptr<Transport>> connect_unguarded(const Address& address, const TlsContext* tls,
                                                 const WaitLimit& wait_limit) {
  Io<std::vector<Endpoint>> endpoints = address.kind == Address::Kind::unix_socket
                                            ? std::vector{unix_endpoint(address.host)}
                                            : look_up(address.host, address.port, wait_limit);
  if (!endpoints) return std::unexpected(endpoints.error());
  auto line = open_any(*endpoints, wait_limit);
  if (!line) return std::unexpected(line.error());
  if (tls != nullptr) return with_tls(std::move(*line), *tls, wait_limit);
  return std::make_unique<StreamTransport<Socket&>>(std::move(*line));
}

}  // namespace

Io<std::unique_ptr<Transport>> connect(const Address& address, const TlsContext* tls, const WaitLimit& wait_limit) {
  // Without a free descriptor Asio cannot make a loop, and throws.
  try {
    return connect_unguarded(address, tls, wait_limit);
  } catch (const std::exception& error) {
    return lost(error.what());
  }
}

}  // namespace ym::net
