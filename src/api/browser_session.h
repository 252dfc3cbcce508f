// Sessions of browsers: the token of a login in a cookie.
//
// A browser sends a cookie with each request, also with one that a page of another site caused. So a change that a
// cookie authenticates needs an Origin that is this server, and a value that only pages of this server can read.
#pragma once

#include <string>
#include <string_view>

#include "api/http/message.h"
#include "base/result.h"

namespace ym::api {

// The prefix makes browsers refuse these cookies from anything but this host by TLS (or on loopback).
inline constexpr std::string_view kSessionCookie = "__Host-ym", kCsrfCookie = "__Host-ym-csrf",
                                  kLoginCookie = "__Host-ym-login";
inline constexpr std::string_view kCsrfHeader = "X-YM-CSRF";

// The cookie's value; empty: the request has none. Of two with this name the first.
std::string cookie_of(const Request& request, std::string_view name);

// Whether pages may read it, and whether other sites' links send it.
enum class CookieKind : std::uint8_t { hidden, readable };
HeaderField set_cookie(std::string_view name, std::string_view value, Duration life, CookieKind kind);
HeaderField remove_cookie(std::string_view name);

// What a page of this server sends with each change, made of the session's token.
std::string csrf_of(std::string_view session);

// Whether a page of this server caused the request. `csrf`: as sent. Errors: `forbidden`.
Result<void> check_change(const Request& request, std::string_view session, std::string_view csrf);

}  // namespace ym::api
