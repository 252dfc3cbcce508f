#include "cli/login/oauth.h"

#include <boost/json/parse.hpp>

#include "cli/api.h"
#include "cli/http/url.h"
#include "cli/views/json_view.h"

namespace ym::cli {

Result<OAuthReply> post_form(Session& session, const Connection& server, const std::string& target,
                             const std::vector<std::pair<std::string, std::string>>& fields) {
  auto transport =
      session.connector({.url = server.url, .token = {}, .ca_file = server.ca_file, .fingerprint = server.fingerprint});
  if (!transport) return std::unexpected(transport.error());
  HttpRequest request{.method = "POST", .target = target, .headers = {}, .body = {}};
  request.headers["Content-Type"] = "application/x-www-form-urlencoded";
  request.headers["Accept"] = "application/json";
  for (const auto& [name, value] : fields)
    request.body += (request.body.empty() ? "" : "&") + percent_encoded(name) + "=" + percent_encoded(value);
  auto reply = (*transport)->send(request);
  if (!reply) return std::unexpected(reply.error());
  boost::system::error_code failed;
  OAuthReply read{.body = boost::json::parse(reply->body, failed), .error = {}, .description = {}};
  if (reply->status == 200 && !failed) return read;
  read.error = failed ? "" : text_at(read.body, "error");
  if (read.error.empty()) return std::unexpected(error_of(*reply));
  read.description = text_at(read.body, "error_description");
  return read;
}

Result<Secret> exchange_proof(Session& session, const Connection& server, std::string_view type, const Secret& proof) {
  std::vector<std::pair<std::string, std::string>> fields{
      {"grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"}, {"subject_token_type", std::string(type)}};
  if (!proof.empty()) fields.emplace_back("subject_token", proof.reveal());
  const auto reply = post_form(session, server, "/oauth2/token", fields);
  return reply ? token_in(*reply) : std::unexpected(reply.error());
}

Result<Secret> token_in(const OAuthReply& reply) {
  if (reply.error.empty()) {
    Secret token(text_at(reply.body, "access_token"));
    if (!token.empty()) return token;
    return fail(ErrorCode::internal, "the server's answer has no token");
  }
  const bool denied = reply.error == "access_denied";
  const bool away = reply.error == "temporarily_unavailable" || reply.error == "slow_down";
  return fail(denied ? ErrorCode::forbidden
              : away ? ErrorCode::unavailable
                     : ErrorCode::unauthenticated,
              reply.description.empty() ? reply.error : reply.description);
}

}  // namespace ym::cli
