#include "control/access/refusal.h"

#include <fmt/format.h>

#include "control/access/denial_book.h"

namespace ym {
namespace {

std::string where(const Target& target) {
  if (!target.project.empty() && !target.queue.empty())
    return fmt::format("in project '{}' or in queue '{}'", target.project, target.queue);
  if (!target.project.empty()) return fmt::format("in project '{}'", target.project);
  if (!target.queue.empty()) return fmt::format("in queue '{}'", target.queue);
  if (!target.cluster.empty()) return fmt::format("on cluster '{}'", target.cluster);
  return "for the whole site";
}

}  // namespace

Result<void> require(const Access& access, Permission permission, const Target& target, std::string_view owner) {
  const auto verdict = decide(access, permission, target, owner);
  const auto* denied = std::get_if<Denied>(&verdict);
  if (!denied) {
    note_if_refused_by_bindings(access, permission, target, owner);
    return {};
  }
  if (denied->by_token) return limited_token(permission);
  return fail(ErrorCode::forbidden, fmt::format("this needs the permission {} {}; see `ym auth who-can {}`",
                                                to_string(permission), where(target), to_string(permission)));
}

std::unexpected<Error> limited_token(Permission permission) {
  return fail(ErrorCode::forbidden,
              fmt::format("this token is limited: its scopes do not have {} here", to_string(permission)));
}

}  // namespace ym
