#include "api/http/stream.h"

namespace ym::api {

Task<bool> PeerStream::shake_hands(const ServerTls& tls) {
  const auto [gone] = co_await socket_.async_wait(Socket::wait_read, kTuple);
  if (gone) co_return false;
  TlsSession session = tls.new_session();
  tls_.emplace(socket_, session.get());
  (void)session.release();  // it belongs to tls_
  const auto [error] = co_await tls_->async_handshake(asio::ssl::stream_base::server, kTuple);
  co_return !error;
}

Task<void> PeerStream::say_goodbye() {
  if (tls_) co_await tls_->async_shutdown(kTuple);
}

std::optional<ClientCertificate> PeerStream::certificate() {
  return tls_ ? client_certificate(tls_->native_handle()) : std::nullopt;
}

}  // namespace ym::api
