#include "cli/login/oauth.h"
#include "cli/login/ways.h"
#include "munge/munge.h"
#include "oidc/digest.h"

namespace ym::cli {

Result<Secret> log_in_by_account(Session& session, const Connection& server) {
  return exchange_proof(session, server, kAccountType, {});
}

Result<Secret> log_in_by_munge(Session& session, const Connection& server, const MungeOptions& options) {
  std::string url = options.audience.empty() ? server.url : options.audience;
  while (url.ends_with('/')) url.pop_back();
  auto credential = munge::encode(munge::login_payload(url, oidc::random_text()), options.socket);
  if (!credential) return std::unexpected(credential.error());
  return exchange_proof(session, server, kMungeType, Secret(std::move(*credential)));
}

}  // namespace ym::cli
