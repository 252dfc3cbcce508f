// Pages of lists that are in memory and sorted by name, such as queues and nodes.
#pragma once

#include <string>

#include "api/cursor.h"
#include "api/json/writer.h"
#include "api/parameters.h"
#include "api/problem.h"
#include "api/routes/command.h"

namespace ym::api {

// `items` are sorted by name. `list`: the list's name, for its cursors.
template <class Item, class NameOf, class Write>
Response named_page(const Request& request, std::string_view list, const std::vector<Item>& items, std::uint64_t as_of,
                    NameOf name_of, Write write) {
  Parameters parameters(request, {"limit", "cursor"});
  const std::size_t limit = parameters.limit();
  const auto cursor = parameters.text("cursor");
  if (auto fault = parameters.fault()) return std::move(*fault);
  std::size_t begin = 0;
  if (cursor) {
    const auto after = read_cursor(*cursor, list);
    if (!after) return to_response(HttpFault::invalid_cursor, "use `next` of the page before, or leave the cursor out");
    while (begin < items.size() && name_of(items[begin]) <= *after) ++begin;
  }
  const std::size_t end = std::min(items.size(), begin + limit);
  JsonWriter json;
  json.begin_object().key("items").begin_array();
  for (std::size_t i = begin; i < end; ++i) write(json, items[i]);
  json.end_array().key("next");
  if (end < items.size()) json.value(make_cursor(name_of(items[end - 1]), list));
  else json.value(nullptr);
  json.field("as_of", as_of).end_object();
  return json_response(std::move(json));
}

}  // namespace ym::api
