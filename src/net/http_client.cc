#include "net/http_client.h"

#include <algorithm>
#include <optional>

#include "net/exchange.h"
#include "net/pool.h"
#include "net/request_text.h"
#include "net/url.h"

namespace ym::net {
namespace {

using Take = std::function<bool(std::string_view)>;

class Client final : public HttpClient {
 public:
  Client(ClientOptions options, Address address, std::optional<TlsContext> tls)
      : options_(std::move(options)),
        address_(std::move(address)),
        tls_(std::move(tls)),
        pool_(options_.kept_connections) {}

  Result<Reply> send(const Request& request, const Cancel& cancel) override {
    return exchange(request, nullptr, cancel);
  }

  Result<Reply> stream(const Request& request, const Take& take, const Cancel& cancel) override {
    return exchange(request, &take, cancel);
  }

 private:
  Result<Reply> exchange(const Request& request, const Take* take, const Cancel& cancel);
  Outcome talk(std::unique_ptr<Transport> transport, const Exchange& exchange);
  Io<std::unique_ptr<Transport>> open(const Exchange& exchange) const;
  std::unexpected<Error> cannot_connect(const std::string& why, bool was_sent = false) const;
  Result<Reply> with_server(Result<Reply> reply) const;

  const ClientOptions options_;
  const Address address_;
  const std::optional<TlsContext> tls_;
  Pool pool_;
};

Result<Reply> Client::exchange(const Request& request, const Take* take, const Cancel& cancel) {
  if (cancel.cancelled()) return cannot_connect("cancelled");
  const auto text = request_text(request, options_.headers ? options_.headers() : std::map<std::string, std::string>{},
                                 address_.authority());
  if (!text) return std::unexpected(text.error());
  const Exchange exchange{
      .request = *text,
      .rules = {.no_body = request.method == "HEAD",
                .most_bytes = request.most_bytes,
                .take = take,
                .head = take ? &request.on_head : nullptr},
      .deadline = from_now(take && request.head_timeout > Duration{} ? request.head_timeout : request.timeout),
      .between_pieces = request.timeout,
      .cancel = cancel,
      .keep_going = &request.keep_going};
  bool was_sent = false;
  if (auto kept = pool_.take()) {
    Outcome outcome = talk(std::move(kept), exchange);
    // A kept connection may be old. Only a new connection shows whether the server is there.
    if (!outcome.unanswered || !may_repeat(request)) return with_server(std::move(outcome.reply));
    was_sent = true;
  }
  auto opened = open(exchange);
  if (!opened) return cannot_connect(opened.error().why, was_sent);
  return with_server(talk(std::move(*opened), exchange).reply);
}

Outcome Client::talk(std::unique_ptr<Transport> transport, const Exchange& exchange) {
  Outcome outcome = run_exchange(*transport, exchange);
  if (outcome.reusable) pool_.put(std::move(transport));
  return outcome;
}

Io<std::unique_ptr<Transport>> Client::open(const Exchange& exchange) const {
  const auto deadline = std::min(exchange.deadline, from_now(options_.connect_timeout));
  return connect(address_, tls_ ? &*tls_ : nullptr,
                 {.deadline = deadline, .cancel = exchange.cancel, .keep_going = exchange.keep_going});
}

std::unexpected<Error> Client::cannot_connect(const std::string& why, bool was_sent) const {
  return std::unexpected(Error{.code = ErrorCode::unavailable,
                               .message = "cannot connect to " + options_.url + ": " + why,
                               .fields = {},
                               .retryable = !was_sent});
}

Result<Reply> Client::with_server(Result<Reply> reply) const {
  if (!reply) reply.error().message = "no answer from " + options_.url + ": " + reply.error().message;
  return reply;
}

}  // namespace

Result<std::unique_ptr<HttpClient>> HttpClient::make(ClientOptions options) {
  auto address = parse_url(options.url);
  if (!address) return std::unexpected(address.error());
  if (address->kind != Address::Kind::tls && !options.tls.fingerprint.empty())
    return fail(ErrorCode::invalid, "a certificate's fingerprint needs an https address, not " + options.url);
  std::optional<TlsContext> tls;
  if (address->kind == Address::Kind::tls) {
    auto context = TlsContext::make(options.tls, address->host);
    if (!context) return std::unexpected(context.error());
    tls = std::move(*context);
  }
  return std::make_unique<Client>(std::move(options), std::move(*address), std::move(tls));
}

}  // namespace ym::net
