#include "api/http/stream.h"

#include "api/http/tls.h"

namespace ym::api {

Task<bool> PeerStream::shake_hands() {
  if (!tls_) co_return true;
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
