#include <fmt/format.h>

#include <boost/json/parse.hpp>

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
  const auto reply = post_form(session, server, "/oauth2/token",
                               {{"grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"},
                                {"subject_token_type", "urn:ietf:params:oauth:token-type:id_token"},
                                {"subject_token", token->reveal()}});
  return reply ? token_in(*reply) : std::unexpected(reply.error());
}

}  // namespace ym::cli
