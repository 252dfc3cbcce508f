// A request in wire format. Private to net.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "net/http_client.h"

namespace ym::net {

// The head and the body. A field of the request replaces one of `common` with the same name, ignoring case. Errors:
// `invalid`: a method, target or field that cannot be sent correctly.
Result<std::string> request_text(const Request& request, const std::map<std::string, std::string>& common,
                                 std::string_view authority);

// Names of header fields are not case-sensitive.
std::string lower_case(std::string_view text);

// Whether the request may be sent again if its outcome is unknown.
bool may_repeat(const Request& request);

}  // namespace ym::net
