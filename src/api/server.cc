#include "api/server.h"

#include "api/app.h"
#include "api/http/listener.h"

namespace ym {

struct HttpServer::Impl {
  HttpOptions options;
  std::unique_ptr<api::Listener> listener;
  // After the listener, so it is destroyed first: its feed posts to the listener's threads.
  std::unique_ptr<api::App> app;
};

HttpServer::HttpServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

HttpServer::~HttpServer() { stop(); }

Result<std::unique_ptr<HttpServer>> HttpServer::start(BackendSwitch& backends, const HttpOptions& options) {
  auto opened = open(options);
  if (opened) (*opened)->serve(backends);
  return opened;
}

Result<std::unique_ptr<HttpServer>> HttpServer::open(const HttpOptions& options) {
  auto listener = api::Listener::open(options);
  if (!listener) return std::unexpected(listener.error());
  auto impl = std::make_unique<Impl>();
  impl->options = options;
  impl->listener = std::move(*listener);
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(impl)));
}

void HttpServer::serve(BackendSwitch& backends) {
  auto* listener = impl_->listener.get();
  impl_->app = std::make_unique<api::App>(
      backends, impl_->options, [listener](std::function<void()> task) { listener->post(std::move(task)); },
      [this] { return certificate(); });
  listener->serve(*impl_->app);
}

std::uint16_t HttpServer::port() const { return impl_->listener->port(); }

HttpServer::Traffic HttpServer::traffic() const {
  const auto [accepted, open] = impl_->listener->connections();
  return {accepted, open};
}

std::optional<TlsCertificate> HttpServer::certificate() const {
  const auto* tls = impl_->listener->tls();
  return tls ? std::optional(tls->certificate()) : std::nullopt;
}

std::optional<Result<void>> HttpServer::refresh_certificate() {
  auto* tls = impl_->listener->tls();
  return tls ? tls->refresh() : std::nullopt;
}

bool HttpServer::has_certificate_for(const std::string& host) const { return impl_->listener->tls()->is_for(host); }

void HttpServer::stop() { impl_->listener->stop(); }

}  // namespace ym
