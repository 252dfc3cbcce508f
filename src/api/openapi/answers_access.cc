#include "api/openapi/answers.h"
#include "model/access/audit_outcome.h"
#include "model/access/permission.h"
#include "model/access/principal.h"
#include "model/access/project.h"
#include "model/cluster.h"

namespace ym::api::openapi {
namespace {

Schema scope() { return text({.pattern = "^(site|(project|queue|cluster):.+)$"}); }
Schema managed_by() { return one_of<ManagedBy>(); }

Schema role() {
  return members({
      {"name", text()},
      {"description", text()},
      {"permissions", list(one_of<Permission>())},
      {"built_in", flag()},
  });
}

Schema role_request() {
  return closed(members({
      {"name", text({.least = 1, .most = 63})},
      {"permissions", list(one_of<Permission>())},
      {"description", text({.most = 200}), "", kOptional},
  }));
}

Schema binding() {
  return members({
      {"id", text()},
      {"role", text()},
      {"to", text(), "A principal, or group:NAME."},
      {"scope", scope(), "Where the role holds; of a queue, with all queues below it."},
      {"expires_at", or_null(time())},
      {"created_by", text()},
      {"managed_by", managed_by()},
  });
}

Schema binding_request() {
  return closed(members({
      {"role", text()},
      {"to", text(), "A principal, or group:NAME."},
      {"scope", scope()},
      {"ttl", text(), "How long it holds, for example 8h. Left out: until it is taken away.", kOptional},
  }));
}

Schema project() {
  return members({
      {"name", text()},
      {"description", text()},
      {"visibility", one_of<Visibility>(),
       "What principals that may use a job's queue see of it: nothing, an outline, or everything but its logs."},
      {"managed_by", managed_by()},
  });
}

Schema project_request() {
  return closed(members({
      {"name", text({.least = 1, .most = 63})},
      {"description", text({.most = 200}), "", kOptional},
      {"visibility", one_of<Visibility>(), "", kOptional},
  }));
}

Schema identity() {
  return members({
      {"id", text()},
      {"kind", one_of<PrincipalKind>()},
      {"name", text(), "The name that people read and write."},
      {"issuer", text(), "Its identity provider; empty: none."},
      {"subject", text(), "What the provider calls it."},
      {"display", text()},
      {"email", text()},
      {"groups", list(text()), "The groups that this server keeps."},
      {"issuer_groups", list(text()), "The groups that its provider named at its last login."},
      {"issuer_groups_until", or_null(time()), "Until when they count."},
      {"created_at", time()},
      {"disabled_at", or_null(time()), "Since when an administrator has disabled it."},
      {"provisioned", or_null(one_of<ProvisionedState>()),
       "What its provider says of it by SCIM. Unless it is active, no token of it counts."},
  });
}

Schema identity_request() {
  return closed(members({
      {"disabled", flag(), "", kOptional},
      {"groups", list(text()), "", kOptional},
      {"issuer", text({.least = 1, .most = 256}), "URL of the identity provider. With `subject`.", kOptional},
      {"subject", text({.least = 1, .most = 256}), "What the provider calls the user.", kOptional},
  }));
}

Schema access_request() {
  return closed(members({
      {"verb", text(), "For example cancel, or a permission: jobs.cancel."},
      {"object", text(), "For example job NAME, queue NAME, project NAME, site."},
      {"as", text(), "Another principal. Left out: the caller.", kOptional},
  }));
}

Schema access_answer() {
  const Schema grant = members({
      {"role", text()},
      {"scope", scope()},
      {"binding", text(), "Its id; empty: the server has no section auth, so that every principal has all rights."},
      {"as_owner", flag(), "The job is its own, and the role lets it have jobs in the project."},
  });
  return members({
      {"allowed", flag()},
      {"principal", text()},
      {"permission", one_of<Permission>()},
      {"because", or_null(grant)},
      {"by_token", flag(), "The principal has the right, and its token does not."},
      {"reason", text(), "Why not; empty if it is allowed."},
  });
}

Schema audit_record() {
  return members({
      {"seq", whole(1), "Of the record's event."},
      {"time", time()},
      {"actor", or_null(text()), "The principal that made the request; null: it is not known."},
      {"behalf", or_null(text()), "The principal for which it was made; null: the actor itself."},
      {"verb", text(), "The permission that the request needs, jobs.cancel; or login."},
      {"object", or_null(text()),
       "job:ID, queue:NAME, ...; of a refused request its method and route; null: the site."},
      {"outcome", one_of<AuditOutcome>(), "refused: the caller was not known, or lacked the permission."},
      {"code", or_null(text()), "Code of the refusal."},
      {"count", whole(1), "Equal requests within a minute, counted together after the first."},
      {"events", or_null(members({{"from", whole(1)}, {"to", whole(1)}})),
       "Events of its changes; null: it changed nothing."},
      {"token", or_null(text()), "Id of the token."},
      {"source", or_null(text()), "Address of the client."},
      {"agent", or_null(text()), "What the client says of itself (User-Agent)."},
      {"request", or_null(text()), "What the client calls the request (X-Request-Id)."},
  });
}

Schema log_verification() {
  const auto head = members({{"to", whole(1), "The last event of the seal."}, {"chain", text()}});
  return members({
      {"from", whole(1), "The first event; earlier ones are in segments of the history."},
      {"to", whole(), "All events up to this one are as they were sealed."},
      {"chain", text(), "Of the last seal."},
      {"seal", whole(), "The last seal's own event."},
      {"erased", whole(), "Seals of this part with events that an erasure has rewritten."},
      {"more", flag(), "There are later seals: ask again with to, chain and seal of this answer."},
      {"heads", list(head), "The seals of this part."},
      {"fault",
       or_null(members({{"seq", whole(1), "The first event that is not as it was sealed."}, {"message", text()}}))},
      {"unsealed_since", or_null(time()),
       "When the oldest event without a seal was made; null: more parts follow, or all are sealed."},
      {"as_of", whole(), "The newest event."},
  });
}

Schema denial() {
  return members({
      {"principal", text()},
      {"permission", one_of<Permission>()},
      {"project", or_null(text()), "Where: without project, queue and cluster it is the site."},
      {"queue", or_null(text())},
      {"cluster", or_null(text())},
      {"times", whole(1)},
      {"first_at", time()},
      {"last_at", time()},
  });
}

}  // namespace

std::vector<Named> access_answers() {
  return {
      {"Role", role()},
      {"RoleList", page_of("Role")},
      {"RoleRequest", role_request()},
      {"Binding", binding()},
      {"BindingList", page_of("Binding")},
      {"BindingRequest", binding_request()},
      {"Project", project()},
      {"ProjectList", page_of("Project")},
      {"ProjectRequest", project_request()},
      {"Identity", identity()},
      {"IdentityList", page_of("Identity")},
      {"IdentityRequest", identity_request()},
      {"AccessRequest", access_request()},
      {"AccessAnswer", access_answer()},
      {"DenialList", members({{"mode", one_of<AccessMode>(),
                               "everything: the configuration has no section auth; trial: "
                               "denials are noted; by_bindings: bindings decide."},
                              {"items", list(denial())},
                              {"left_out", whole(), "Denials beyond the rows that are kept."}})},
      {"AuditRecord", audit_record()},
      {"AuditList", page_of("AuditRecord", whole())},
      {"LogVerification", log_verification()},
      {"HolderList", members({{"items", list(ref("Binding"))}})},
      {"Removal", members({{"name", text()}, {"removed", flag()}})},
  };
}

}  // namespace ym::api::openapi
