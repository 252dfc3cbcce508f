#include "control/audit/request_audit.h"

#include <algorithm>

#include "base/assert.h"
#include "control/audit/audited_act.h"

namespace ym {
namespace {

std::string cut(std::string text) {
  text.resize(std::min(text.size(), RequestAudited::kLongestText));
  return text;
}

}  // namespace

AuditRecord audit_record(const Caller& caller, std::string_view verb, std::string object, AuditOutcome outcome) {
  YM_ASSERT(caller.origin);
  const bool for_another = !caller.gateway.empty();
  const auto& actor = for_another ? caller.gateway : caller.principal;
  return {.actor = caller.kind == CallerKind::server ? "server" : actor,
          .request = {.verb = std::string(verb),
                      .object = cut(std::move(object)),
                      .outcome = outcome,
                      .token = caller.token,
                      .behalf = for_another ? caller.principal : std::string(),
                      .source = cut(caller.origin->source),
                      .agent = cut(caller.origin->agent),
                      .request = cut(caller.origin->request)}};
}

void audit_command(Staging& staging, const Caller& caller, const Command& command, const CommandReply& reply,
                   std::uint64_t last_before) {
  if (!caller.origin || caller.kind == CallerKind::job || staging.tables().last_seq == last_before) return;
  auto act = audited_act(command);
  auto record = audit_record(caller, act.verb, std::move(act.object), AuditOutcome::done);
  record.request.from = last_before + 1;
  if (std::holds_alternative<LogIn>(command) || std::holds_alternative<ExchangeProof>(command)) {
    record.actor = reply.token->token.principal;
    record.request.token = reply.token->token.name;
  }
  staging.add(std::move(record.actor), std::move(record.request));
}

}  // namespace ym
