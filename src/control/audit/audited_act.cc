#include "control/audit/audited_act.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

namespace ym {
namespace {

std::string named(std::string_view kind, std::string_view name) { return fmt::format("{}:{}", kind, name); }
std::string named(JobId job) { return named("job", to_string(job)); }
template <class Item>
std::string first_and_more(std::string first, const std::vector<Item>& items) {
  return items.size() < 2 ? std::move(first) : fmt::format("{} and {} more", first, items.size() - 1);
}

std::string_view verb_of(StopPolicy stop) {
  switch (stop) {
    case StopPolicy::none: return "queues.resume";
    case StopPolicy::hold: return "queues.hold";
    case StopPolicy::hold_and_drain: return "queues.drain";
  }
  return {};
}

struct ActOf {
  // The ids are known when the jobs are made (events `from` and after).
  AuditedAct operator()(const SubmitJobs& c) const {
    std::set<std::string> projects;
    for (const auto& spec : c.specs) projects.insert(spec.project);
    return {"jobs.create", projects.empty() ? "" : named("project", fmt::format("{}", fmt::join(projects, ",")))};
  }
  AuditedAct operator()(const CancelJob& c) const { return {"jobs.cancel", named(c.job)}; }
  AuditedAct operator()(const CancelJobs& c) const {
    return {"jobs.cancel", c.jobs.empty() ? "" : first_and_more(named(c.jobs.front()), c.jobs)};
  }
  AuditedAct operator()(const HoldJob& c) const { return {"jobs.hold", named(c.job)}; }
  AuditedAct operator()(const ReleaseJob& c) const { return {"jobs.release", named(c.job)}; }
  AuditedAct operator()(const ChangeGroup& c) const {
    return {c.act == ChangeGroup::Act::cancel ? "jobs.cancel"
            : c.act == ChangeGroup::Act::hold ? "jobs.hold"
                                              : "jobs.release",
            named("array", to_string(c.group))};
  }
  AuditedAct operator()(const RetryJob& c) const { return {"jobs.retry", named(c.job)}; }
  AuditedAct operator()(const ApplyQueues& c) const {
    return {"queues.edit", c.queues.empty() ? "" : first_and_more(named("queue", c.queues.front().name), c.queues)};
  }
  AuditedAct operator()(const SetQueueStop& c) const { return {verb_of(c.stop), named("queue", c.queue)}; }
  AuditedAct operator()(const RemoveQueue& c) const { return {"queues.delete", named("queue", c.queue)}; }
  AuditedAct operator()(const SetNodeSchedulable& c) const {
    return {c.schedulable ? "nodes.undrain" : "nodes.drain", named("node", c.node)};
  }
  AuditedAct operator()(const CreateReservation& c) const {
    return {"reservations.edit", named("reservation", c.request.wanted.name)};
  }
  AuditedAct operator()(const RemoveReservation& c) const {
    return {"reservations.delete", named("reservation", c.reservation)};
  }
  AuditedAct operator()(const ApplyPolicy&) const { return {"policies.edit", ""}; }
  AuditedAct operator()(const ResetPolicy&) const { return {"policies.reset", ""}; }
  AuditedAct operator()(const CreateToken& c) const {
    const bool is_login = c.token_kind == TokenKind::login;
    return {is_login ? "login" : "tokens.create", named("principal", c.principal)};
  }
  AuditedAct operator()(const RevokeToken& c) const { return {"tokens.revoke", named("token", c.id)}; }
  AuditedAct operator()(const RotateAdminToken& c) const { return {"tokens.create", named("principal", c.principal)}; }
  AuditedAct operator()(const LogIn& c) const { return {"login", named("principal", c.handle)}; }
  AuditedAct operator()(const ExchangeProof& c) const { return {"login", named("principal", c.service)}; }
  AuditedAct operator()(const EndLogins& c) const { return {"logout", named("subject", c.subject)}; }
  AuditedAct operator()(const NoteTokenUse&) const { return {"tokens.edit", ""}; }
  AuditedAct operator()(const KeepIssuers&) const { return {"logout", ""}; }
  AuditedAct operator()(const ForgetExpired&) const { return {"tokens.delete", ""}; }
  AuditedAct operator()(const AddHistorySegment& c) const { return {"history.edit", named("segment", c.segment.name)}; }
  AuditedAct operator()(const RemoveHistorySegment& c) const { return {"history.delete", named("segment", c.segment)}; }
  AuditedAct operator()(const SetRole& c) const { return {"roles.edit", named("role", c.role.name)}; }
  AuditedAct operator()(const RemoveRole& c) const { return {"roles.delete", named("role", c.role)}; }
  AuditedAct operator()(const BindRole& c) const { return {"roles.bind", named("role", c.role)}; }
  AuditedAct operator()(const UnbindRole& c) const { return {"roles.unbind", named("binding", c.binding)}; }
  AuditedAct operator()(const SetProject& c) const { return {"projects.edit", named("project", c.project)}; }
  AuditedAct operator()(const RemoveProject& c) const { return {"projects.delete", named("project", c.project)}; }
  AuditedAct operator()(const ChangePrincipal& c) const { return {"identities.edit", named("principal", c.principal)}; }
  AuditedAct operator()(const ProvisionUser& c) const {
    return {"identities.edit", named("principal", c.id.empty() ? c.user_name.value_or("") : c.id)};
  }
  AuditedAct operator()(const RemoveProvisionedUser& c) const {
    return {"identities.delete", named("principal", c.id)};
  }
  AuditedAct operator()(const ProvisionGroup& c) const {
    return {"identities.edit", named("group", c.display.value_or(c.id))};
  }
  AuditedAct operator()(const RemoveProvisionedGroup& c) const { return {"identities.delete", named("group", c.id)}; }
  AuditedAct operator()(const ReportProgress& c) const { return {"jobs.report", named(c.attempt.job)}; }
};

}  // namespace

AuditedAct audited_act(const Command& command) { return std::visit(ActOf{}, command); }

}  // namespace ym
