// The settings of the whole site.
#include "model/keys/policy.h"
#include "api/json/keys.h"
#include "api/json/render.h"

namespace ym::api {

void write_settings(JsonWriter& json, const PolicySettings& settings) {
  write(json, settings, keys::MapOf<PolicySettings>{});
}

void write_policy(JsonWriter& json, const PolicyView& policy, const std::vector<std::string>& warnings) {
  json.begin_object();
  keys::write_keys(json, over(policy.set, over(policy.file, keys::default_settings())));
  json.key("said_by").begin_object();
  keys::for_each_setting([&](std::string_view section, const auto& setting) {
    const auto member = setting.member;
    json.field(fmt::format("{}.{}", section, setting.name), policy.set.*member    ? "api"
                                                            : policy.file.*member ? "file"
                                                                                  : "default");
  });
  json.end_object();
  write_warnings(json, warnings);
  json.end_object();
}

}  // namespace ym::api
