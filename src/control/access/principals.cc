#include "control/access/principals.h"

#include <algorithm>

namespace ym {
namespace {

constexpr std::size_t kLongestHandle = 64;
constexpr std::string_view kOfHandles = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_@+";

}  // namespace

const Principal* principal_of(const Tables& tables, std::string_view id) {
  const auto row = tables.principals.find(std::string(id));
  return row == tables.principals.end() ? nullptr : &row->second;
}

const Principal* find_handle(const Tables& tables, std::string_view handle) {
  // Most principals have their first handle as id.
  if (const Principal* row = principal_of(tables, handle); row && row->handle == handle) return row;
  const auto named = [&](const auto& entry) { return entry.second.handle == handle; };
  const auto row = std::ranges::find_if(tables.principals, named);
  return row == tables.principals.end() ? nullptr : &row->second;
}

Result<Principal> new_principal(std::string_view handle, const AccessContext& context) {
  const bool fits = !handle.empty() && handle.size() <= kLongestHandle &&
                    handle.find_first_not_of(kOfHandles) == std::string_view::npos;
  if (!fits)
    return fail_field("/principal", "must be 1 to 64 letters, digits, '.', '-', '_', '@' and '+', for example 'bob'");
  return Principal{.name = std::string(handle),
                   .handle = std::string(handle),
                   .created_at = context.now,
                   .created_by = actor_of(context.caller)};
}

std::string actor_of(const Caller& caller) { return caller.kind == CallerKind::server ? "server" : caller.principal; }

}  // namespace ym
