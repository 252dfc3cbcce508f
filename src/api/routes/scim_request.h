// Helpers that the routes of SCIM share.
#pragma once

#include <algorithm>
#include <cstddef>
#include <expected>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "api/routes/command.h"
#include "api/scim/answer.h"
#include "api/scim/path.h"

namespace ym::api {

// The provider for which the caller, a service account, speaks. Nothing: it speaks for none, or this server stands by;
// the refusal is sent.
std::optional<scim::Provider> provider_for(const Context& context, Call& call);

// What a request for a list or for one resource asks for.
struct ScimSearch {
  std::optional<scim::Filter> filter{};
  std::size_t start = 1;  // the first item, from 1
  std::size_t count = 0;
  bool leaves_out_members = false;
};
std::expected<ScimSearch, Response> read_scim_search(const Request& request);

// The part of `items` that the search asks for.
template <class Item>
std::span<const Item> page_of(const std::vector<Item>& items, const ScimSearch& search) {
  const std::size_t begin = std::min(search.start - 1, items.size());
  return std::span(items).subspan(begin, std::min(search.count, items.size() - begin));
}

// The resource with this id of `resources`, sorted by id. Null: there is none.
template <class Row>
const Row* find_resource(const std::vector<Row>& resources, const std::string& id) {
  const auto row = std::ranges::find(resources, id, &Row::name);
  return row == resources.end() ? nullptr : &*row;
}

Response no_such_resource(std::string_view what);

// As run_command, with refusals in the form of SCIM.
void run_scim_command(Call call, Command command, std::move_only_function<Response(const Asker&)> render);

}  // namespace ym::api
