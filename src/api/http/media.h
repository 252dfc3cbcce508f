// Media types: what a request carries and what its sender accepts.
#pragma once

#include <string_view>

namespace ym::api {

// Whether a Content-Type is `type` ("application/json"), in UTF-8 if it says a charset.
bool is_media_type(std::string_view content_type, std::string_view type);

// Whether an Accept header lets `type` through. An empty header accepts everything.
bool accepts(std::string_view accept, std::string_view type);

// Whether an Accept header names `type` itself, not by a wildcard.
bool asks_for(std::string_view accept, std::string_view type);

}  // namespace ym::api
