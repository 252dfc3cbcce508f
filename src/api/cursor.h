// Cursors: where the next page of a list begins, opaque to clients.
//
// A cursor carries a check over itself and the list's filters, so that one that was
// typed, cut or taken from another list is refused rather than misread. It gives no
// right to anything: filters and access are checked again with every page.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ym::api {

// `position` is the last item's key; `scope` is the list and its filters.
std::string make_cursor(std::string_view position, std::string_view scope);

// The position, if the cursor was made for this scope.
std::optional<std::string> read_cursor(std::string_view cursor, std::string_view scope);

}  // namespace ym::api
