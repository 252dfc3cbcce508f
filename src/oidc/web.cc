#include "oidc/web.h"

#include <fmt/format.h>

#include "base/whole_number.h"
#include "net/http_client.h"

namespace ym::oidc {
namespace {

constexpr Duration kTimeout = seconds(10), kConnectTimeout = seconds(5);
constexpr std::size_t kMostBytes = std::size_t{1} << 20;

// "https://host:1/a?b" -> "https://host:1", "/a?b"
std::pair<std::string, std::string> split(const std::string& url) {
  const auto begin = url.find("://");
  const auto path = url.find_first_of("/?", begin == std::string::npos ? 0 : begin + 3);
  if (path == std::string::npos) return {url, "/"};
  const std::string rest = url.substr(path);
  return {url.substr(0, path), rest.starts_with('/') ? rest : "/" + rest};
}

Duration max_age_of(const net::Reply& reply) {
  const auto field = reply.headers.find("cache-control");
  if (field == reply.headers.end()) return {};
  constexpr std::string_view kName = "max-age=";
  const auto at = field->second.find(kName);
  if (at == std::string::npos) return {};
  const std::string_view rest = std::string_view(field->second).substr(at + kName.size());
  return seconds(whole_number<std::int32_t>(rest.substr(0, rest.find_first_not_of("0123456789"))).value_or(0));
}

Result<WebAnswer> send(const std::string& url, const std::string& ca_file, net::Request request,
                       const net::Cancel& cancel) {
  auto [base, target] = split(url);
  net::TlsOptions tls;
  tls.ca_file = ca_file;
  auto client = net::HttpClient::make({.url = base, .tls = std::move(tls), .connect_timeout = kConnectTimeout});
  if (!client) return std::unexpected(client.error());
  request.target = std::move(target);
  request.timeout = kTimeout;
  request.most_bytes = kMostBytes;
  request.headers.emplace("Accept", "application/json");
  const auto reply = (*client)->send(request, cancel);
  if (!reply) return fail(ErrorCode::unavailable, fmt::format("{} does not answer: {}", base, reply.error().message));
  return WebAnswer{
      .status = reply->status, .body = spec::read_json(reply->body).value_or(Json{}), .max_age = max_age_of(*reply)};
}

}  // namespace

std::string encode_form(const Form& fields) {
  std::string text;
  for (const auto& [name, value] : fields)
    text += fmt::format("{}{}={}", text.empty() ? "" : "&", net::percent_encoded(name), net::percent_encoded(value));
  return text;
}

Web::Web(std::string ca_file) : ca_file_(std::move(ca_file)), cancel_(std::make_unique<net::Cancel>()) {}
Web::~Web() = default;

void Web::cancel() const { cancel_->cancel(); }

Result<WebAnswer> Web::get(const std::string& url, const Secret& bearer) const {
  net::Request request;
  if (!bearer.empty()) request.headers["Authorization"] = "Bearer " + bearer.reveal();
  return send(url, ca_file_, std::move(request), *cancel_);
}

Result<WebAnswer> Web::post(const std::string& url, const Form& form, const Secret& authorization) const {
  net::Request request{.method = "POST"};
  request.headers["Content-Type"] = "application/x-www-form-urlencoded";
  if (!authorization.empty()) request.headers["Authorization"] = authorization.reveal();
  request.body = encode_form(form);
  return send(url, ca_file_, std::move(request), *cancel_);
}

}  // namespace ym::oidc
