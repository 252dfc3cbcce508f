// PeerStream: the bytes of one connection, plain or by TLS. Only session*.cc include this header, because it needs
// Asio.
//
// Not thread-safe. One read and one write may be in progress at the same time.
#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <optional>
#include <utility>

#include "api/http/message.h"
#include "api/http/tls.h"

namespace ym::api {

namespace asio = boost::asio;
using Executor = asio::io_context::executor_type;
using Socket = asio::basic_stream_socket<asio::generic::stream_protocol, Executor>;  // TCP or a Unix socket
template <class T>
using Task = asio::awaitable<T, Executor>;
inline constexpr auto kTuple = asio::as_tuple(asio::use_awaitable_t<Executor>{});

class PeerStream {
 public:
  using executor_type = Executor;  // Asio's name for it

  explicit PeerStream(Socket socket) : socket_(std::move(socket)) {}
  PeerStream(const PeerStream&) = delete;
  PeerStream& operator=(const PeerStream&) = delete;

  Socket& socket() { return socket_; }
  Executor get_executor() { return socket_.get_executor(); }

  // Speaks TLS from now on. False: the client did not agree on a protocol, showed a certificate that is not valid, or
  // has gone. Until its first byte comes, a client takes no memory for TLS.
  Task<bool> shake_hands(const ServerTls& tls);
  // Tells the client that nothing was cut off.
  Task<void> say_goodbye();
  std::optional<ClientCertificate> certificate();

  template <class Buffers, class Token>
  auto async_read_some(const Buffers& buffers, Token&& token) {
    if (tls_) return tls_->async_read_some(buffers, std::forward<Token>(token));
    return socket_.async_read_some(buffers, std::forward<Token>(token));
  }
  template <class Buffers, class Token>
  auto async_write_some(const Buffers& buffers, Token&& token) {
    if (tls_) return tls_->async_write_some(buffers, std::forward<Token>(token));
    return socket_.async_write_some(buffers, std::forward<Token>(token));
  }

 private:
  Socket socket_;
  std::optional<asio::ssl::stream<Socket&>> tls_;
};

}  // namespace ym::api
