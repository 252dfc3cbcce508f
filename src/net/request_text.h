// A request as it goes over the wire. Private to net.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "net/http_client.h"

namespace ym::net {

// The head and, after it, the body. A field of the request wins over one of `common` that differs from it in
// case alone. Errors: `invalid`: a method, target or field that would not arrive as what it is.
Result<std::string> request_text(const Request& request, const std::map<std::string, std::string>& common,
                                 std::string_view authority);

// Names of header fields differ in case without a difference.
std::string lower_case(std::string_view text);

// Whether it may be sent again when nobody knows what became of it.
bool may_repeat(const Request& request);

}  // namespace ym::net
