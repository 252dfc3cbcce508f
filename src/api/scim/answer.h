// Answers of SCIM: resources, lists, errors (RFC 7643, section 3; RFC 7644, section 3.12).
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "api/http/message.h"
#include "api/json/writer.h"
#include "api/scim/fault.h"
#include "model/access/login_settings.h"
#include "model/access/principal.h"

namespace ym::api::scim {

// An issuer that speaks SCIM here.
struct Provider {
  Issuer issuer;
  std::string url;        // of this server's SCIM
  bool is_first = false;  // of the issuers of the settings
};

inline constexpr std::string_view kUserSchema = "urn:ietf:params:scim:schemas:core:2.0:User";
inline constexpr std::string_view kGroupSchema = "urn:ietf:params:scim:schemas:core:2.0:Group";

Response answer(JsonWriter json, int status = 200);
Response to_response(const Fault& fault);
// A refusal of this server in the form of SCIM. It keeps its status, but for 422, and its header fields.
Response as_scim(Response problem);

// Where the resource is, for example of "/Users/ann".
std::string location_of(const Provider& provider, std::string_view kind, std::string_view id);
// Without the `handle_prefix` of the issuer.
std::string user_name_of(const Principal& user, const Provider& provider);

// Precondition: the provider has made it.
void write_user(JsonWriter& json, const Principal& user, const Provider& provider);
// `members`: null: they are left out.
void write_group(JsonWriter& json, const ProvisionedGroup& group, const std::vector<const Principal*>* members,
                 const Provider& provider);
// `write` writes the items of the page.
void write_list(JsonWriter& json, std::size_t total, std::size_t start, std::size_t count,
                const std::function<void()>& write);

}  // namespace ym::api::scim
