#include "control/commands/command_rights.h"

#include <fmt/format.h>

#include "control/access/refusal.h"
#include "control/access/sight.h"
#include "control/commands/quota_growth.h"
#include "control/state/messages.h"
#include "model/tables.h"

namespace ym {
namespace {

class CheckRights {
 public:
  CheckRights(const Tables& tables, const Access& access)
      : tables_(tables), access_(access), sight_(access, {.principal = access.principal}) {}

  Result<void> operator()(const ApplyQueues& command) {
    for (const Queue& queue : command.queues)
      if (auto may = may_place(queue); !may) return may;
    return check_quota_growth(tables_, access_, command);
  }
  Result<void> operator()(const SetQueueStop& command) {
    if (!sight_.sees_queue(command.queue)) return std::unexpected(no_such_queue(command.queue));
    return require(access_, Permission::queues_stop, {.queue = command.queue});
  }
  Result<void> operator()(const RemoveQueue& command) {
    if (!sight_.sees_queue(command.queue)) return std::unexpected(no_such_queue(command.queue));
    return may_change(command.queue);
  }
  Result<void> operator()(const SetNodeSchedulable& command) const {
    const auto node = tables_.nodes.find(command.node);
    if (node == tables_.nodes.end() || !sight_.sees_nodes_of(node->second.cluster))
      return std::unexpected(no_such_node(command.node));
    return require(access_, Permission::nodes_drain, {.cluster = node->second.cluster});
  }
  Result<void> operator()(const CreateReservation&) const { return at_site(Permission::reservations_edit); }
  Result<void> operator()(const RemoveReservation&) const { return at_site(Permission::reservations_edit); }
  Result<void> operator()(const ApplyPolicy& command) {
    if (auto may = at_site(Permission::policies_edit); !may) return may;
    return (*this)(command.queues);
  }
  Result<void> operator()(const ResetPolicy&) const { return at_site(Permission::policies_edit); }

  // Checked at each job (require_on_job, require_for_new_job).
  Result<void> operator()(const SubmitJobs&) const { return {}; }
  Result<void> operator()(const CancelJob&) const { return {}; }
  Result<void> operator()(const CancelJobs&) const { return {}; }
  Result<void> operator()(const HoldJob&) const { return {}; }
  Result<void> operator()(const ReleaseJob&) const { return {}; }
  Result<void> operator()(const ChangeGroup&) const { return {}; }
  Result<void> operator()(const RetryJob&) const { return {}; }
  // Of user code, with the token of its attempt.
  Result<void> operator()(const ReportProgress&) const { return {}; }
  // These have rules of their own (control/access).
  Result<void> operator()(const CreateToken&) const { return {}; }
  Result<void> operator()(const RevokeToken&) const { return {}; }
  Result<void> operator()(const RotateAdminToken&) const { return {}; }
  Result<void> operator()(const LogIn&) const { return {}; }
  Result<void> operator()(const ExchangeProof&) const { return {}; }
  Result<void> operator()(const EndLogins&) const { return {}; }
  Result<void> operator()(const NoteTokenUse&) const { return {}; }
  Result<void> operator()(const KeepIssuers&) const { return {}; }
  Result<void> operator()(const ForgetExpired&) const { return {}; }
  Result<void> operator()(const AddHistorySegment&) const { return {}; }
  Result<void> operator()(const RemoveHistorySegment&) const { return {}; }
  Result<void> operator()(const SetRole&) const { return {}; }
  Result<void> operator()(const RemoveRole&) const { return {}; }
  Result<void> operator()(const BindRole&) const { return {}; }
  Result<void> operator()(const UnbindRole&) const { return {}; }
  Result<void> operator()(const SetProject&) const { return {}; }
  Result<void> operator()(const RemoveProject&) const { return {}; }
  Result<void> operator()(const ChangePrincipal&) const { return {}; }
  Result<void> operator()(const ProvisionUser&) const { return {}; }
  Result<void> operator()(const RemoveProvisionedUser&) const { return {}; }
  Result<void> operator()(const ProvisionGroup&) const { return {}; }
  Result<void> operator()(const RemoveProvisionedGroup&) const { return {}; }

 private:
  Result<void> at_site(Permission permission) const { return require(access_, permission, {}); }

  // This needs the right to change the queues below its parent. The queue's own administrator must not raise its
  // quota.
  Result<void> may_change(const std::string& queue) const {
    const auto row = tables_.queues.find(queue);
    if (row == tables_.queues.end()) return {};
    return require(access_, Permission::queues_edit, {.queue = row->second.parent});
  }
  // A queue that moves gives its jobs to the principals with rights at the new parent. So the caller must be able to
  // give roles at the old one, and must not gain rights itself.
  Result<void> may_place(const Queue& queue) {
    if (auto may = require(access_, Permission::queues_edit, {.queue = queue.parent}); !may) return may;
    if (tables_.queues.contains(queue.name) && !sight_.sees_queue(queue.name))
      return fail(ErrorCode::conflict, fmt::format("the name '{}' is taken; write another one", queue.name));
    if (auto may = may_change(queue.name); !may) return may;
    if (auto may = may_claim(queue); !may) return may;
    const auto present = tables_.queues.find(queue.name);
    if (present == tables_.queues.end() || present->second.parent == queue.parent) return {};
    const Target before{.queue = present->second.parent}, after{.queue = queue.parent};
    if (auto may = require(access_, Permission::roles_bind, before); !may) return may;
    for (const Permission one : values_of<Permission>())
      if (allows(access_, one, after))
        if (auto may = require(access_, one, before); !may) return may;
    return {};
  }

  // Jobs of others go to the queue that claims to be their default.
  Result<void> may_claim(const Queue& queue) const {
    const auto present = tables_.queues.find(queue.name);
    const DefaultFor before = present == tables_.queues.end() ? DefaultFor{} : present->second.default_for;
    return queue.default_for == before ? Result<void>() : at_site(Permission::queues_edit);
  }

  const Tables& tables_;
  const Access& access_;
  Sight sight_;
};

}  // namespace

Result<void> check_rights(const Tables& tables, const Access& access, const Command& command) {
  return std::visit(CheckRights(tables, access), command);
}

Result<void> require_on_job(const Access& access, Permission permission, const Job& job) {
  const Target target = target_of(job);
  auto may = require(access, permission, target, job.owner);
  if (!may && sight_of(access, target, job.owner) == Visibility::hidden) return std::unexpected(no_such_job(job.id));
  return may;
}

Result<void> require_for_new_job(const Access& access, std::string_view project, std::string_view queue) {
  Access principal = access;
  principal.limits = {};
  if (auto may = require(principal, Permission::jobs_create, {.project = project}); !may) return may;
  if (auto may = require(principal, Permission::queues_use, {.queue = queue}); !may) return may;
  // The job will be in both, so a token for one of them is enough.
  const Target job{.project = project, .queue = queue};
  for (const Permission one : {Permission::jobs_create, Permission::queues_use})
    if (!access.limits.permit(one, job, access.rules->queues())) return limited_token(one);
  return {};
}

}  // namespace ym
