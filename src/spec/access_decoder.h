// Requests on roles, bindings, projects and principals, and questions about access. Each is one JSON object.
//
// Errors of all functions: `invalid`, with a pointer to each wrong field. None checks that what is named exists.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "model/access/project.h"
#include "model/access/roles.h"
#include "model/access/scope.h"

namespace ym {

struct BindingRequest {
  std::string role;
  std::string to;  // "alice" or "group:vision"
  Scope scope;
  std::optional<Duration> lifetime{};  // `ttl`
};
Result<BindingRequest> parse_binding_request(std::string_view json);

Result<Role> parse_role(std::string_view json);

struct ProjectRequest {
  std::string name;
  std::optional<std::string> description{};
  std::optional<Visibility> visibility{};
};
Result<ProjectRequest> parse_project_request(std::string_view json);

struct PrincipalRequest {
  std::optional<bool> disabled{};
  std::optional<std::vector<std::string>> groups{};
  std::optional<std::string> issuer{}, subject{};  // both or none
};
Result<PrincipalRequest> parse_principal_request(std::string_view json);

struct AccessRequest {
  std::string verb;    // "cancel", or a permission: "jobs.cancel"
  std::string object;  // "job 0000000A", "queue team-a", "project:vision", "site"
  std::string as;      // a principal's handle; empty: the caller
};
Result<AccessRequest> parse_access_request(std::string_view json);

}  // namespace ym
