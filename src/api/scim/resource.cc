#include "api/scim/resource.h"

#include <algorithm>
#include <span>
#include <vector>

#include "api/http/text.h"
#include "api/scim/operation.h"

namespace ym::api::scim {
namespace {

using Kind = spec::Value::Kind;

Read<void> set_text(std::optional<std::string>& kept, const Operation& operation) {
  auto text = text_left(operation);
  if (!text) return std::unexpected(text.error());
  kept = std::move(*text);
  return {};
}

// Entra sends it as text: "False".
Read<void> set_active(UserChange& change, const Operation& operation) {
  const auto& value = operation.value;
  const bool can_be = value.kind == Kind::boolean || value.kind == Kind::string;
  const bool is_true = can_be && equal_ignoring_case(value.text, "true");
  if (operation.kind == Operation::Kind::remove || (!is_true && !(can_be && equal_ignoring_case(value.text, "false"))))
    return invalid_value("`active` is true or false");
  change.active = is_true;
  return {};
}

Read<std::string> address_in(const spec::Value& mail) {
  const auto* address = find_attribute(mail, "value");
  if (address != nullptr && address->kind == Kind::string) return address->text;
  return invalid_value("an item of `emails` is an object with a text as `value`");
}

bool is_primary(const spec::Value& mail) {
  const auto* primary = find_attribute(mail, "primary");
  return primary != nullptr && equal_ignoring_case(primary->text, "true");
}

// Of several addresses the first one that is primary, else the first.
Read<std::string> address_of(const spec::Value& value) {
  if (value.kind == Kind::null) return std::string();
  if (value.kind != Kind::list) return address_in(value);
  if (value.items.empty()) return std::string();
  const auto primary = std::ranges::find_if(value.items, is_primary);
  return address_in(primary == value.items.end() ? value.items.front() : *primary);
}

Read<void> set_email(UserChange& change, const Operation& operation) {
  const auto& [attribute, filter, sub] = operation.path;
  const bool is_kept = !filter || (filter->attribute == "type" && equal_ignoring_case(filter->value, "work")) ||
                       (filter->attribute == "primary" && equal_ignoring_case(filter->value, "true"));
  if (!is_kept || (!sub.empty() && sub != "value")) return {};
  if (!sub.empty() || operation.kind == Operation::Kind::remove) return set_text(change.email, operation);
  auto address = address_of(operation.value);
  if (!address) return std::unexpected(address.error());
  change.email = std::move(*address);
  return {};
}

Read<void> apply(UserChange& change, const Operation& operation) {
  const auto& attribute = operation.path.attribute;
  if (attribute == "username") return set_text(change.user_name, operation);
  if (attribute == "externalid") return set_text(change.external_id, operation);
  if (attribute == "displayname") return set_text(change.display, operation);
  if (attribute == "active") return set_active(change, operation);
  if (attribute == "emails") return set_email(change, operation);
  return {};
}

Read<std::vector<std::string>> ids_in(const spec::Value& value) {
  const auto one = [](const spec::Value& member) -> Read<std::string> {
    const auto* id = find_attribute(member, "value");
    if (id != nullptr && id->kind == Kind::string && !id->text.empty()) return id->text;
    return invalid_value("a member is an object with the id of a user as `value`");
  };
  std::vector<std::string> ids;
  if (value.kind == Kind::null) return ids;
  const auto members = value.kind == Kind::list ? std::span(value.items) : std::span(&value, 1);
  for (const spec::Value& member : members) {
    auto id = one(member);
    if (!id) return std::unexpected(id.error());
    ids.push_back(std::move(*id));
  }
  return ids;
}

// Okta removes a member by a filter, Entra by a list.
Read<void> change_members(MemberChange& members, const Operation& operation) {
  if (!operation.path.sub.empty()) return invalid_path("members are changed as a whole or by members[value eq \"ID\"]");
  if (const auto& filter = operation.path.filter) {
    if (filter->attribute != "value") return invalid_filter("members are found by their value, the id of a user");
    if (operation.kind != Operation::Kind::remove) return invalid_path("only `remove` takes a filter of members");
    members.remove(filter->value);
    return {};
  }
  const auto ids = ids_in(operation.value);
  if (!ids) return std::unexpected(ids.error());
  const bool removes = operation.kind == Operation::Kind::remove;
  if (operation.kind == Operation::Kind::replace || (removes && operation.value.kind == Kind::null)) members.clear();
  for (const auto& id : *ids) {
    if (removes) members.remove(id);
    else members.add(id);
  }
  return {};
}

Read<void> apply(GroupChange& change, const Operation& operation) {
  const auto& attribute = operation.path.attribute;
  if (attribute == "displayname") return set_text(change.display, operation);
  if (attribute == "externalid") return set_text(change.external_id, operation);
  if (attribute == "members") return change_members(change.members, operation);
  return {};
}

template <class Change>
Read<Change> apply_all(const Read<std::vector<Operation>>& operations) {
  if (!operations) return std::unexpected(operations.error());
  Change change;
  for (const Operation& operation : *operations)
    if (auto applied = apply(change, operation); !applied) return std::unexpected(applied.error());
  return change;
}

}  // namespace

Read<UserChange> read_user(std::string_view body) { return apply_all<UserChange>(read_resource(body)); }
Read<UserChange> read_user_patch(std::string_view body) { return apply_all<UserChange>(read_patch(body)); }
Read<GroupChange> read_group(std::string_view body) { return apply_all<GroupChange>(read_resource(body)); }
Read<GroupChange> read_group_patch(std::string_view body) { return apply_all<GroupChange>(read_patch(body)); }

UserChange as_whole(UserChange change) {
  for (auto* text : {&change.user_name, &change.external_id, &change.display, &change.email})
    if (!*text) text->emplace();
  return change;
}

GroupChange as_whole(GroupChange change) {
  if (!change.display) change.display.emplace();
  if (!change.external_id) change.external_id.emplace();
  if (change.members.is_none()) change.members.clear();
  return change;
}

}  // namespace ym::api::scim
