#include "api/openapi/shown.h"

#include <boost/json/array.hpp>

#include "model/keys/queue.h"
#include "model/resources.h"

namespace ym::keys {

Schema shown(const QuotaByFlavor&) {
  using namespace api::openapi;
  const Schema limits = members({{"nominal", number()}, {"borrow", or_null(number())}, {"lend", or_null(number())}});
  return map_of(described(map_of(limits), "By resource: gpus and cpus, and memory in bytes."));
}

Schema shown(const RunLimits&) {
  Schema limits = shown_keys<RunLimit>();
  api::openapi::add_member(limits, {"per_user", shown_keys<RunLimit>(), "Of each user."});
  return limits;
}

Schema all_set(Schema object) {
  boost::json::array required;
  for (auto&& [name, member] : object.at("properties").as_object()) {
    required.push_back(api::openapi::json_text(name));
    if (auto& inner = member.as_object(); inner.contains("properties")) inner = all_set(std::move(inner));
  }
  object["required"] = std::move(required);
  return object;
}

}  // namespace ym::keys
