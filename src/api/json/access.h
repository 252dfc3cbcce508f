// Principals, tokens, roles, bindings and projects as JSON.
#pragma once

#include "api/json/writer.h"
#include "control/access/denial_book.h"
#include "control/access/token_limits.h"
#include "model/access/access_token.h"
#include "model/access/binding.h"
#include "model/access/principal.h"
#include "model/access/project.h"
#include "model/access/roles.h"

namespace ym::api {

// What a token with these limits may do, in the word that tokens had before they had scopes: "admin": all that its
// principal may; "viewer": it makes no jobs; "user".
std::string_view word_of(const TokenLimits& limits);

// A token without its hash.
void write_token(JsonWriter& json, const AccessToken& token);
// The members of write_token, without the braces.
void write_token_fields(JsonWriter& json, const AccessToken& token);
void write_principal(JsonWriter& json, const Principal& principal);
void write_provisioned_group(JsonWriter& json, const ProvisionedGroup& group);
void write_role(JsonWriter& json, const Role& role);
void write_binding(JsonWriter& json, const Binding& binding);
void write_denial(JsonWriter& json, const DenialRow& row);
void write_project(JsonWriter& json, const Project& project);

}  // namespace ym::api
