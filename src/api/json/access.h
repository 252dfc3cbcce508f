// Principals, tokens, roles, bindings and projects as JSON.
#pragma once

#include "api/json/writer.h"
#include "model/access/access_token.h"
#include "model/access/binding.h"
#include "model/access/principal.h"
#include "model/access/project.h"
#include "model/access/roles.h"

namespace ym::api {

// A token without its hash. `role` is the role that limits it; "admin" if nothing does.
void write_token(JsonWriter& json, const AccessToken& token);
// The members of write_token, without the braces.
void write_token_fields(JsonWriter& json, const AccessToken& token);
void write_principal(JsonWriter& json, const Principal& principal);
void write_role(JsonWriter& json, const Role& role);
void write_binding(JsonWriter& json, const Binding& binding);
void write_project(JsonWriter& json, const Project& project);

}  // namespace ym::api
