#include <fmt/format.h>

#include <boost/json/parse.hpp>
#include <fstream>

#include "cli/http/url.h"
#include "cli/login/oauth.h"
#include "cli/login/ways.h"
#include "cli/views/json_view.h"

namespace ym::cli {
namespace {

// GitHub Actions makes a token for each question. Errors: `unavailable`.
Result<Secret> token_of_github(Session& session, const std::string& url, const std::string& audience) {
  const auto path = url.find('/', url.find("://") == std::string::npos ? 0 : url.find("://") + 3);
  if (path == std::string::npos) return fail(ErrorCode::invalid, "ACTIONS_ID_TOKEN_REQUEST_URL is no URL");
  auto transport =
      session.connector({.url = url.substr(0, path),
                         .token = Secret(session.environment("ACTIONS_ID_TOKEN_REQUEST_TOKEN").value_or(""))});
  if (!transport) return std::unexpected(transport.error());
  HttpRequest request{.method = "GET", .target = url.substr(path), .headers = {}, .body = {}};
  request.target += (request.target.find('?') == std::string::npos ? "?" : "&") + std::string("audience=") +
                    percent_encoded(audience);
  request.headers["Accept"] = "application/json";
  const auto reply = (*transport)->send(request);
  if (!reply) return std::unexpected(reply.error());
  boost::system::error_code failed;
  const auto body = boost::json::parse(reply->body, failed);
  Secret token(failed || reply->status != 200 ? "" : text_at(body, "value"));
  if (!token.empty()) return token;
  return fail(ErrorCode::unavailable, fmt::format("GitHub gave no identity token (status {})", reply->status));
}

Result<Secret> token_of_job(Session& session, const std::string& audience) {
  if (const auto own = session.environment("YM_ID_TOKEN"); own && !own->empty()) return Secret(*own);
  if (const auto url = session.environment("ACTIONS_ID_TOKEN_REQUEST_URL"); url && !url->empty())
    return token_of_github(session, *url, audience);
  return fail(ErrorCode::invalid,
              "this is no CI job with an identity token: GitHub Actions needs `permissions: {id-token: write}`, and "
              "GitLab `id_tokens: {YM_ID_TOKEN: {aud: ...}}`");
}

}  // namespace

Result<Secret> log_in_by_ci(Session& session, const Connection& server, const std::string& audience) {
  const auto token = token_of_job(session, audience.empty() ? server.url : audience);
  if (!token) return token;
  return exchange_proof(session, server, kIdTokenType, *token);
}

Result<Secret> log_in_by_file(Session& session, const Connection& server, const std::string& file) {
  constexpr std::size_t kMostTokenBytes = std::size_t{16} << 10;
  std::ifstream in(file);
  std::string token(kMostTokenBytes, '\0');
  in.read(token.data(), static_cast<std::streamsize>(token.size()));
  token.resize(static_cast<std::size_t>(in.gcount()));
  while (!token.empty() && token.back() == '\n') token.pop_back();
  if (token.empty()) return fail(ErrorCode::io, fmt::format("--id-token: {} cannot be read, or is empty", file));
  return exchange_proof(session, server, kIdTokenType, Secret(std::move(token)));
}

}  // namespace ym::cli
