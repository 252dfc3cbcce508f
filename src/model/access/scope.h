// Scope: where a role holds. The target: where a permission is asked.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/enum_names.h"

namespace ym {

enum class ScopeKind : std::uint8_t {
  site,
  project,
  queue,   // with all queues below it
  cluster  // its nodes
};
constexpr std::string_view to_string(ScopeKind value) {
  switch (value) {
    case ScopeKind::site: return "site";
    case ScopeKind::project: return "project";
    case ScopeKind::queue: return "queue";
    case ScopeKind::cluster: return "cluster";
  }
  return {};
}

// Its text is "site", "project:vision", "queue:team-a" or "cluster:lab".
struct Scope {
  ScopeKind kind = ScopeKind::site;
  std::string name;  // of the site: empty
  auto operator<=>(const Scope&) const = default;
};
std::string to_string(const Scope& scope);
// Nothing: the text is no scope. Whether the project, queue or cluster exists is not asked.
std::optional<Scope> parse_scope(std::string_view text);

// Where a permission is asked. What is empty is not part of it: with all three empty it is the site.
//
// A job is in a project and in a queue, so a scope of either kind covers it. `jobs.create` is asked of the project
// alone, and `queues.use` of the queue alone.
struct Target {
  std::string_view project{}, queue{}, cluster{};
};

}  // namespace ym
