#include "api/browser_session.h"

#include <fmt/format.h>

#include "api/guard.h"
#include "api/http/text.h"
#include "base/base64url.h"
#include "oidc/digest.h"

namespace ym::api {

std::string cookie_of(const Request& request, std::string_view name) {
  for (const HeaderField& field : request.headers) {
    if (!equal_ignoring_case(field.name, "Cookie")) continue;
    std::string_view rest = field.value;
    while (!rest.empty()) {
      std::string_view value = trim(take_until(rest, ';'));
      if (take_until(value, '=') == name) return std::string(value);
    }
  }
  return {};
}

HeaderField set_cookie(std::string_view name, std::string_view value, Duration life, CookieKind kind) {
  // Lax: the browser sends it when the provider sends the user back here.
  return {"Set-Cookie",
          fmt::format("{}={}; Path=/; Max-Age={}; Secure{}; SameSite={}", name, value, life.ms / 1000,
                      kind == CookieKind::hidden ? "; HttpOnly" : "", kind == CookieKind::hidden ? "Lax" : "Strict")};
}

HeaderField remove_cookie(std::string_view name) { return set_cookie(name, "", {}, CookieKind::hidden); }

std::string csrf_of(std::string_view session) { return to_base64url(oidc::sha256(fmt::format("csrf {}", session))); }

Result<void> check_change(const Request& request, std::string_view session, std::string_view csrf) {
  const auto site = request.header("Sec-Fetch-Site");
  const bool other = Guard::is_cross_origin(request) || (!site.empty() && site != "same-origin");
  // Without either field it is no browser of these years.
  const bool unknown = request.count("Origin") == 0 && site.empty();
  if (other || unknown) return fail(ErrorCode::forbidden, "a page of another site may not change anything here");
  if (csrf != csrf_of(session))
    return fail(ErrorCode::forbidden,
                fmt::format("a change by a browser's session needs the value of the cookie {} in the header field {}",
                            kCsrfCookie, kCsrfHeader));
  return {};
}

}  // namespace ym::api
