#include "login/browsing_codes.h"

#include <utility>

#include "base/base64url.h"
#include "oidc/digest.h"

namespace ym::login {

std::optional<std::string> BrowsingCodes::put(Browsing browsing, Instant now) {
  auto code = oidc::random_text();
  return waiting_.put(code, std::move(browsing), now) ? std::optional(std::move(code)) : std::nullopt;
}

Result<DeviceGrant> BrowsingCodes::take(const std::string& code, const std::string& verifier,
                                        const std::string& redirect_uri, Instant now) {
  if (Used* used = used_.find(code, now)) used->came_again = true;
  auto found = waiting_.take(code, now);
  if (!found || found->redirect_uri != redirect_uri || found->challenge != to_base64url(oidc::sha256(verifier)))
    return fail(ErrorCode::unauthenticated, "the code is unknown, has expired, or belongs to another program");
  used_.put(code, {}, now);
  return std::move(found->grant);
}

bool BrowsingCodes::note_token(const std::string& code, CodeToken made, Instant now) {
  Used* used = used_.find(code, now);
  if (used == nullptr) return true;
  used->made = std::move(made);
  return !used->came_again;
}

std::optional<CodeToken> BrowsingCodes::token_of(const std::string& code, Instant now) {
  const Used* used = used_.find(code, now);
  return used ? used->made : std::nullopt;
}

}  // namespace ym::login
