// Cursors: where the next page of a list begins. Opaque to clients.
//
// A cursor contains a checksum of itself and of the list's filters. So a cursor that was typed, cut or taken from
// another list is refused, not misread. It grants no access: filters and access are checked again for every page.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ym::api {

// `position`: the key of the last item. `scope`: the list and its filters.
std::string make_cursor(std::string_view position, std::string_view scope);

// The position, if the cursor was made for this scope.
std::optional<std::string> read_cursor(std::string_view cursor, std::string_view scope);

}  // namespace ym::api
