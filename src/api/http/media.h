// Media types of a request's body and of acceptable answers.
#pragma once

#include <string_view>

namespace ym::api {

// Whether a Content-Type is `type` ("application/json"). If it names a charset, it must be UTF-8.
bool is_media_type(std::string_view content_type, std::string_view type);

// Whether an Accept header accepts `type`. An empty header accepts everything.
bool accepts(std::string_view accept, std::string_view type);

// Whether an Accept header names `type` itself, and not only a wildcard.
bool asks_for(std::string_view accept, std::string_view type);

}  // namespace ym::api
