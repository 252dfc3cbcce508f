#include "control/access/question.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>

namespace ym {
namespace {

struct Kind {
  std::string_view written;      // "queue"
  std::string_view permissions;  // "queues"
};
constexpr std::array kKinds{Kind{"job", "jobs"},         Kind{"queue", "queues"},
                            Kind{"node", "nodes"},       Kind{"cluster", "nodes"},
                            Kind{"project", "projects"}, Kind{"site", "jobs"},
                            Kind{"policy", "policies"},  Kind{"reservation", "reservations"},
                            Kind{"role", "roles"},       Kind{"identity", "identities"},
                            Kind{"token", "tokens"},     Kind{"audit", "audit"},
                            Kind{"metrics", "metrics"}};

// "queue" and "queues" are the same.
const Kind* find_kind(std::string_view text) {
  for (const Kind& kind : kKinds)
    if (text == kind.written || text == kind.permissions) return &kind;
  return nullptr;
}

std::optional<Permission> permission_of(std::string_view verb, const Kind& kind) {
  if (const auto whole = parse_enum<Permission>(verb)) return whole;
  if (const auto own = parse_enum<Permission>(fmt::format("{}.{}", kind.permissions, verb))) return own;
  // Of the jobs in it. A job is made in a project alone.
  const auto of_jobs = parse_enum<Permission>(fmt::format("jobs.{}", verb));
  const bool has_jobs = kind.written == "project" || (kind.written == "queue" && of_jobs != Permission::jobs_create);
  return has_jobs ? of_jobs : std::nullopt;
}

// "queue team-a" or "queue:team-a".
std::pair<std::string_view, std::string_view> split(std::string_view object) {
  const auto at = object.find_first_of(" :");
  if (at == std::string_view::npos) return {object, {}};
  return {object.substr(0, at), object.substr(at + 1)};
}

}  // namespace

Result<Question> parse_question(std::string_view verb, std::string_view object) {
  const auto [written, rest] = split(object);
  const std::string name(rest);
  const Kind* kind = find_kind(written);
  if (!kind)
    return fail_field("/object", "write a kind and a name, for example job NAME, queue NAME, project NAME, or site");
  const auto permission = permission_of(verb, *kind);
  if (!permission) return fail_field("/verb", fmt::format("there is no permission for '{}' of {}", verb, written));
  Question question{.permission = *permission, .object = Scope{}};
  if (name.empty()) return question;
  if (kind->written == "job") question.object = NamedJob{name};
  else if (kind->written == "node") question.object = NamedNode{name};
  else if (const auto scope = parse_enum<ScopeKind>(kind->written)) question.object = Scope{*scope, name};
  return question;
}

}  // namespace ym
