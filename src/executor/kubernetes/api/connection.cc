#include "executor/kubernetes/api/connection.h"

#include <mutex>
#include <utility>

#include "executor/kubernetes/api/credentials.h"

namespace ym::kubernetes {
namespace {

class Connection final : public net::HttpClient {
 public:
  Connection(const Access& access, const Clock& clock, std::size_t kept)
      : access_(access), kept_(kept), credentials_(access, clock) {}

  // With the configured certificate, before the first request, so that a bad one is found at once.
  Result<void> check() {
    const std::lock_guard lock(mutex_);
    return connect(
        {.token = {}, .certificate = access_.identity.certificate, .key = access_.identity.key, .expires = {}});
  }

  Result<net::Reply> send(const net::Request& request, const net::Cancel& cancel) override {
    return twice([&](net::HttpClient& client, const net::Request& with) { return client.send(with, cancel); }, request);
  }

  Result<net::Reply> stream(const net::Request& request, const std::function<bool(std::string_view)>& take,
                            const net::Cancel& cancel) override {
    return twice([&](net::HttpClient& client, const net::Request& with) { return client.stream(with, take, cancel); },
                 request);
  }

 private:
  using Call = std::function<Result<net::Reply>(net::HttpClient&, const net::Request&)>;

  Result<net::Reply> twice(const Call& call, const net::Request& request) {
    auto reply = once(call, request);
    if (!reply || reply->status != 401) return reply;
    credentials_.refused();
    return once(call, request);
  }

  Result<net::Reply> once(const Call& call, net::Request request) {
    const auto credential = credentials_.current();
    if (!credential) return fail(ErrorCode::unavailable, credential.error().message);
    if (!credential->token.empty()) request.headers["Authorization"] = "Bearer " + credential->token.reveal();
    request.headers.try_emplace("Accept", "application/json");
    auto client = client_for(*credential);
    if (!client) return fail(ErrorCode::unavailable, client.error().message);
    return call(**client, request);
  }

  Result<std::shared_ptr<net::HttpClient>> client_for(const Credential& credential) {
    const std::lock_guard lock(mutex_);
    if (client_ && shown_ == credential.certificate.reveal()) return client_;
    if (auto made = connect(credential); !made) return std::unexpected(made.error());
    return client_;
  }

  // Precondition: the mutex is held.
  Result<void> connect(const Credential& credential) {
    net::ClientOptions options{.url = access_.server, .kept_connections = kept_};
    options.tls = {.ca_file = {},
                   .ca_data = access_.ca,
                   .client_certificate = credential.certificate,
                   .client_key = credential.key,
                   .server_name = access_.server_name,
                   .verify = access_.verify};
    auto made = net::HttpClient::make(std::move(options));
    if (!made) return std::unexpected(made.error());
    client_ = std::move(*made);
    shown_ = credential.certificate.reveal();
    return {};
  }

  const Access access_;
  const std::size_t kept_;
  Credentials credentials_;
  std::mutex mutex_;
  std::shared_ptr<net::HttpClient> client_;  // its callers keep it, even after it was replaced
  std::string shown_;                        // the client's current certificate
};

}  // namespace

Result<std::unique_ptr<net::HttpClient>> connect(const Access& access, const Clock& clock,
                                                 std::size_t kept_connections) {
  auto connection = std::make_unique<Connection>(access, clock, kept_connections);
  if (auto fine = connection->check(); !fine) return std::unexpected(fine.error());
  return connection;
}

}  // namespace ym::kubernetes
