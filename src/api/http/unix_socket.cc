#include "api/http/unix_socket.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <utility>

namespace ym::api {
namespace {

using Local = asio::local::stream_protocol;
using LocalSocket = asio::basic_stream_socket<Local, Executor>;

std::unexpected<Error> cannot_listen(const std::string& path, const std::string& why) {
  return fail(ErrorCode::io, fmt::format("--socket: cannot listen at {}: {}", path, why));
}

// A server that was killed leaves its file, and a new socket cannot have the same name. Nothing else is removed.
Result<void> make_room(const std::string& path, asio::io_context& context) {
  std::error_code failed;
  const auto kind = std::filesystem::symlink_status(path, failed).type();
  if (kind == std::filesystem::file_type::not_found) return {};
  if (kind != std::filesystem::file_type::socket) return cannot_listen(path, "there is another file");
  boost::system::error_code refused;
  LocalSocket probe(context);
  probe.connect(Local::endpoint(path), refused);
  if (refused != asio::error::connection_refused) return cannot_listen(path, "another program listens there");
  std::filesystem::remove(path, failed);
  return {};
}

}  // namespace

Result<UnixSocket> UnixSocket::open(const std::string& path, asio::io_context& context) {
  if (path.size() >= sizeof(sockaddr_un::sun_path))
    return fail(ErrorCode::invalid,
                fmt::format("--socket: a path has {} bytes at most", sizeof(sockaddr_un::sun_path) - 1));
  if (auto room = make_room(path, context); !room) return std::unexpected(room.error());
  Acceptor acceptor(context);
  boost::system::error_code error;
  acceptor.open(Local(), error);
  if (!error) acceptor.bind(Local::endpoint(path), error);
  if (error) return cannot_listen(path, error.message());
  UnixSocket opened(path, std::move(acceptor));
  if (::chmod(path.c_str(), 0666) != 0) return cannot_listen(path, "its mode cannot be set");
  opened.acceptor_.listen(1024, error);
  if (error) return cannot_listen(path, error.message());
  return opened;
}

UnixSocket::~UnixSocket() {
  if (!path_.empty()) ::unlink(path_.c_str());
}

std::optional<std::uint32_t> UnixSocket::account_of(Socket& connected) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (::getsockopt(connected.native_handle(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return std::nullopt;
  return peer.uid;
}

}  // namespace ym::api
