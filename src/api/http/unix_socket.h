// UnixSocket: the socket for clients of this machine. The kernel says which user runs each of them. Only listener.cc
// includes this header, because it needs Asio.
#pragma once

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "api/http/stream.h"
#include "base/result.h"

namespace ym::api {

class UnixSocket {
 public:
  using Acceptor = asio::basic_socket_acceptor<asio::local::stream_protocol, Executor>;

  // Listens at this path. All users of the machine may connect. One that a server left behind is replaced. Errors:
  // `io`: another program listens there, or the file cannot be made; `invalid`: the path is too long.
  static Result<UnixSocket> open(const std::string& path, asio::io_context& context);
  ~UnixSocket();  // removes the file
  UnixSocket(UnixSocket&& other) noexcept
      : path_(std::exchange(other.path_, {})), acceptor_(std::move(other.acceptor_)) {}
  UnixSocket& operator=(UnixSocket&&) = delete;

  Acceptor& acceptor() { return acceptor_; }

  // The user that ran the program when it connected. Nothing: the kernel does not say.
  static std::optional<std::uint32_t> account_of(Socket& connected);

 private:
  UnixSocket(std::string path, Acceptor acceptor) : path_(std::move(path)), acceptor_(std::move(acceptor)) {}

  std::string path_;
  Acceptor acceptor_;
};

}  // namespace ym::api
