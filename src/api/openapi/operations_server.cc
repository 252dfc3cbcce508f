#include "api/openapi/operations.h"

namespace ym::api::openapi {
namespace {

using enum Method;

std::vector<Operation> caller_operations() {
  return {
      {.method = get,
       .path = "/.well-known/oauth-authorization-server",
       .id = "authorizationServer",
       .summary = "Where and how programs log in here (RFC 8414).",
       .answers = {{200, "The endpoints.", any_object()}}},
      {.method = get,
       .path = "/api/v1/whoami",
       .id = "getCaller",
       .summary = "Principal and role of the token.",
       .answers = {{200, "The caller.", ref("Caller")}}},
  };
}

}  // namespace

Group server_operations() {
  Group group{
      "server",
      {
          {.method = get,
           .path = "/",
           .id = "root",
           .summary = "What this server is, for people.",
           .answers = {{200, "A few words.", text()}}},
          {.method = get,
           .path = "/healthz",
           .id = "health",
           .summary = "Whether the process is alive.",
           .answers = {{200, "It is.", ref("Status")}}},
          {.method = get,
           .path = "/readyz",
           .id = "readiness",
           .summary = "Whether the server can answer requests.",
           .answers = {{200, "It can.", ref("Status")}}},
          {.method = get,
           .path = "/metrics",
           .id = "metrics",
           .summary = "Metrics in the text format of Prometheus.",
           .answers = {{200, "The metrics.", text()}}},
          {.method = get,
           .path = "/api/v1/openapi.json",
           .id = "openapi",
           .summary = "This document.",
           .parameters = {header("If-None-Match", text(), "ETag of an earlier answer.")},
           .answers = {{200, "This document.", any_object(), {{"ETag", text(), "Another document has another one."}}},
                       {304, "The document has not changed."}}},
          {.method = get,
           .path = "/api/v1/events",
           .id = "listEvents",
           .summary = "All events, in order.",
           .parameters = parameters_of_events(),
           .answers = {events()},
           .errors = {{410, "The cursor has expired. List again, and continue from as_of."}}},
      }};
  for (auto& operation : caller_operations()) group.operations.push_back(std::move(operation));
  return group;
}

Group token_operations() {
  return {"tokens",
          {
              {.method = get,
               .path = "/api/v1/tokens",
               .id = "listTokens",
               .summary = "All tokens that are not revoked, without their secrets.",
               .parameters = {limit(), cursor()},
               .answers = {{200, "A page.", ref("TokenList")}}},
              {.method = post,
               .path = "/api/v1/tokens",
               .id = "createToken",
               .summary = "Create a token.",
               .content = ref("TokenRequest"),
               .answers = {{201, "The token. Only this answer has its secret.", ref("NewToken")}}},
              {.method = post,
               .path = "/api/v1/tokens/admin/rotate",
               .id = "rotateAdminToken",
               .summary = "Create a new token for the calling administrator, and revoke all its other tokens.",
               .answers = {{201,
                            "The new token. The server writes it to its file admin.token too, if it runs as that "
                            "administrator.",
                            ref("NewToken")}}},
              {.method = del,
               .path = "/api/v1/tokens/{id}",
               .id = "revokeToken",
               .summary = "Revoke a token.",
               .object = "The token's id, as in the list.",
               .answers = {{200, "The token is revoked.", ref("TokenRevocation")}}},
          }};
}

}  // namespace ym::api::openapi
