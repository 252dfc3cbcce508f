#include "control/serve/access_reads.h"

#include <fmt/format.h>

#include <algorithm>

#include "control/access/question.h"
#include "control/access/refusal.h"
#include "control/access/sight.h"
#include "control/serve/reads.h"
#include "control/state/messages.h"
#include "model/access/roles.h"

namespace ym {
namespace {

Role row_of(const BuiltInRole& role) {
  Role row{.name = std::string(role.name), .permissions = {}, .description = std::string(role.description)};
  for (const Permission one : values_of<Permission>())
    if (role.permissions.has(one)) row.permissions.push_back(one);
  return row;
}

}  // namespace

template <class Row>
std::vector<Row> AccessReads::seen(const Caller& caller) const {
  const Sight sight(access_of(caller), caller);
  return access_.rows_if<Row>([&](const Row& row) { return sight.sees(row); });
}

std::vector<Principal> AccessReads::provisioned_users(const Caller& caller, std::string_view issuer) const {
  const Sight sight(access_of(caller), caller);
  return access_.rows_if<Principal>([&](const Principal& row) {
    return row.issuer == issuer && row.provisioned && row.provisioned->state != ProvisionedState::removed &&
           sight.sees(row);
  });
}

std::vector<AccessToken> AccessReads::tokens(const Caller& caller) const {
  const Sight sight(access_of(caller), caller);
  auto tokens = access_.tokens();
  std::erase_if(tokens, [&](const AccessToken& token) { return !sight.sees(token); });
  return tokens;
}
std::vector<Binding> AccessReads::bindings(const Caller& caller) const { return seen<Binding>(caller); }
std::vector<Project> AccessReads::projects(const Caller& caller) const { return seen<Project>(caller); }
std::vector<Principal> AccessReads::principals(const Caller& caller) const { return seen<Principal>(caller); }

std::vector<ProvisionedGroup> AccessReads::provisioned_groups(const Caller& caller) const {
  return seen<ProvisionedGroup>(caller);
}

std::vector<Role> AccessReads::roles() const {
  auto rows = access_.rows<Role>();
  for (const BuiltInRole& role : kBuiltInRoles) rows.push_back(row_of(role));
  std::ranges::sort(rows, {}, &Role::name);
  return rows;
}

std::vector<Binding> AccessReads::bindings_of(const Caller& caller) const {
  const auto access = access_of(caller);
  auto rows = access_.rows<Binding>();
  std::erase_if(rows, [&](const Binding& binding) { return !gives(access, binding); });
  return rows;
}

// The object of a question as a target.
Result<AccessReads::Place> AccessReads::place_of(const Caller& caller, const Question& question) const {
  if (const auto* scope = std::get_if<Scope>(&question.object)) {
    const Target target = target_of(*scope);
    return Place{.project = std::string(target.project),
                 .queue = std::string(target.queue),
                 .cluster = std::string(target.cluster)};
  }
  if (const auto* named = std::get_if<NamedNode>(&question.object)) {
    const auto views = reads_.nodes(caller);
    const auto view = std::ranges::find(views, named->name, [](const NodeView& node) { return node.node.name; });
    if (view == views.end()) return std::unexpected(no_such_node(named->name));
    return Place{.cluster = view->node.cluster};
  }
  const auto id = reads_.resolve(caller, std::get<NamedJob>(question.object).name);
  if (!id) return std::unexpected(id.error());
  const auto view = reads_.job(caller, *id);
  if (!view) return std::unexpected(view.error());
  return Place{.project = view->job->project, .queue = view->job->queue, .owner = view->job->owner};
}

// The principal that a question is about, without the groups that only its identity provider knows.
Result<Caller> AccessReads::asked_for(const Caller& caller, const std::string& handle) const {
  if (handle.empty()) return caller;
  const auto id = access_.find_handle(handle);
  if (id == caller.principal) return caller;
  if (auto may = require(access_of(caller), Permission::roles_get, {}); !may) return std::unexpected(may.error());
  if (!id) return fail_field("/as", fmt::format("there is no principal '{}'", handle));
  return Caller{.principal = *id};
}

Result<AccessAnswer> AccessReads::check(const Caller& caller, const AccessQuestion& asked) const {
  const auto question = parse_question(asked.verb, asked.object);
  if (!question) return std::unexpected(question.error());
  const auto about = asked_for(caller, asked.as);
  if (!about) return std::unexpected(about.error());
  const auto place = place_of(caller, *question);
  if (!place) return std::unexpected(place.error());
  const auto access = access_of(*about);
  const auto verdict = decide(access, question->permission, place->target(), place->owner);
  AccessAnswer answer{.principal = about->principal, .permission = question->permission};
  if (const auto* allowed = std::get_if<Allowed>(&verdict)) {
    answer.grant = *allowed->grant;
    answer.as_owner = allowed->as_owner;
  } else {
    answer.by_token = std::get<Denied>(verdict).by_token;
    answer.reason = require(access, question->permission, place->target(), place->owner).error().message;
  }
  return answer;
}

Result<std::vector<Binding>> AccessReads::holders(const Caller& caller, const AccessQuestion& asked) const {
  const auto question = parse_question(asked.verb, asked.object);
  if (!question) return std::unexpected(question.error());
  const auto place = place_of(caller, *question);
  if (!place) return std::unexpected(place.error());
  const auto access = access_of(caller);
  if (auto may = require(access, Permission::roles_get, place->target()); !may) return std::unexpected(may.error());
  auto rows = bindings(caller);
  std::erase_if(rows, [&](const Binding& binding) {
    const auto permissions = access.rules->permissions_of(binding.role).value_or(Permissions{});
    const bool is_over = binding.expires_at && *binding.expires_at <= clock_.now();
    return is_over || !permissions.has(question->permission) ||
           !covers(binding.scope, place->target(), access.rules->queues());
  });
  return rows;
}

}  // namespace ym
