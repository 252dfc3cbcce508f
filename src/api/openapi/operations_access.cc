// Operations on roles, bindings, projects and principals, and questions about access.
#include "api/openapi/operations.h"
#include "model/access/audit_outcome.h"

namespace ym::api::openapi {
namespace {

using enum Method;

std::vector<Operation> role_operations() {
  return {
      {.method = get,
       .path = "/api/v1/roles",
       .id = "listRoles",
       .summary = "All roles, built in or not, by name.",
       .parameters = {limit(), cursor()},
       .answers = {{200, "A page.", ref("RoleList")}}},
      {.method = post,
       .path = "/api/v1/roles",
       .id = "setRole",
       .summary = "Make or replace a role of the site.",
       .description = "The caller needs each of its permissions at the site.",
       .content = ref("RoleRequest"),
       .answers = {{201, "The role.", ref("Role")}}},
      {.method = del,
       .path = "/api/v1/roles/{id}",
       .id = "deleteRole",
       .summary = "Remove a role of the site. 409: it is built in, or a binding gives it.",
       .object = "The role's name.",
       .answers = {{200, "The role is removed.", ref("Removal")}},
       .errors = {{409}}},
  };
}

std::vector<Operation> binding_operations() {
  return {
      {.method = get,
       .path = "/api/v1/bindings",
       .id = "listBindings",
       .summary = "The bindings that the caller may see or has; by id.",
       .parameters = {limit(), cursor()},
       .answers = {{200, "A page.", ref("BindingList")}}},
      {.method = post,
       .path = "/api/v1/bindings",
       .id = "bindRole",
       .summary = "Give a role to a principal or a group, at a scope.",
       .description = "The caller needs roles.bind and each permission of the role at the scope. The same role, "
                      "receiver and scope again replace the binding.",
       .content = ref("BindingRequest"),
       .answers = {{201, "The binding.", ref("Binding")}},
       .errors = {{409}}},
      {.method = del,
       .path = "/api/v1/bindings/{id}",
       .id = "unbindRole",
       .summary = "Take a role away.",
       .object = "The binding's id, as in the list.",
       .answers = {{200, "The binding is removed.", ref("Removal")}},
       .errors = {{409}}},
  };
}

std::vector<Operation> project_operations() {
  return {
      {.method = get,
       .path = "/api/v1/projects",
       .id = "listProjects",
       .summary = "The projects that the caller may see, by name.",
       .parameters = {limit(), cursor()},
       .answers = {{200, "A page.", ref("ProjectList")}}},
      {.method = post,
       .path = "/api/v1/projects",
       .id = "setProject",
       .summary = "Make a project, or change what is named of it.",
       .content = ref("ProjectRequest"),
       .answers = {{201, "The project.", ref("Project")}},
       .errors = {{404}, {409}}},
      {.method = del,
       .path = "/api/v1/projects/{id}",
       .id = "deleteProject",
       .summary = "Remove a project and the bindings at its scope. 409: it has jobs that have not ended.",
       .object = "The project's name.",
       .answers = {{200, "The project is removed.", ref("Removal")}},
       .errors = {{409}}},
  };
}

std::vector<Operation> identity_operations() {
  return {
      {.method = get,
       .path = "/api/v1/identities",
       .id = "listIdentities",
       .summary = "Users and service accounts, by id; without identities.get only the caller.",
       .parameters = {limit(), cursor()},
       .answers = {{200, "A page.", ref("IdentityList")}}},
      {.method = post,
       .path = "/api/v1/identities/{id}",
       .id = "changeIdentity",
       .summary = "Disable or enable a principal, or set the groups that this server keeps of it.",
       .object = "The principal's name.",
       .content = ref("IdentityRequest"),
       .answers = {{200, "The principal.", ref("Identity")}},
       .errors = {{409}}},
  };
}

std::vector<Operation> question_operations() {
  return {
      {.method = post,
       .path = "/api/v1/access/check",
       .id = "checkAccess",
       .summary = "Whether the caller, or another principal, may do something, and which binding gives it.",
       .description = "For another principal the caller needs roles.get. Groups that only its identity provider knows "
                      "do not count then.",
       .content = ref("AccessRequest"),
       .answers = {{200, "The answer.", ref("AccessAnswer")}},
       .errors = {{404}, {409}}},
      {.method = post,
       .path = "/api/v1/access/holders",
       .id = "listHolders",
       .summary = "The bindings that give a permission somewhere. Needs roles.get there.",
       .content = ref("AccessRequest"),
       .answers = {{200, "The bindings.", ref("HolderList")}},
       .errors = {{404}, {409}}},
      {.method = get,
       .path = "/api/v1/access/denials",
       .id = "listDenials",
       .summary = "What bindings would have refused, while the configuration has auth.enforce: false.",
       .description = "Since the server began. Lists that would be shorter are not among them.",
       .answers = {{200, "The denials.", ref("DenialList")}}},
  };
}

std::vector<Operation> audit_operations() {
  return {
      {.method = get,
       .path = "/api/v1/audit",
       .id = "listAudit",
       .summary = "Records of requests, oldest first: changes, refusals, and reads of what belongs to others.",
       .description = "A page may be empty although there are more: `next` goes on.",
       .parameters = {limit(), cursor(), query("after", whole(), "Only records after this event."),
                      query("actor", text(), "Only of this principal."),
                      query("verb", text(), "Only this verb, for example jobs.cancel."),
                      query("object", text(), "Only this object, for example job:00000001."),
                      query("outcome", one_of<AuditOutcome>(), "Only these.")},
       .answers = {{200, "A page.", ref("AuditList")}}},
      {.method = get,
       .path = "/api/v1/audit/verification",
       .id = "verifyAudit",
       .summary = "Check whether events are as they were sealed, part by part.",
       .parameters = {query("to", whole(), "Of the part before."), query("chain", text(), "Of the part before."),
                      query("seal", whole(), "Of the part before.")},
       .answers = {{200, "A part.", ref("LogVerification")}}},
  };
}

}  // namespace

Group access_operations() {
  Group group{"access", {}};
  for (auto& part : {role_operations(), binding_operations(), project_operations(), identity_operations(),
                     question_operations(), audit_operations()})
    group.operations.insert(group.operations.end(), part.begin(), part.end());
  return group;
}

}  // namespace ym::api::openapi
