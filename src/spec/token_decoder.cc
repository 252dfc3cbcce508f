#include "spec/token_decoder.h"

#include "spec/text/field.h"
#include "spec/text/value.h"

namespace ym {

Result<TokenRequest> parse_token_request(std::string_view json) {
  const auto value = spec::read_json(json);
  if (!value) return std::unexpected(value.error());
  spec::Problems problems;
  const spec::Field root{&*value, "", &problems};
  spec::MapReader map(root);
  TokenRequest request;
  if (auto principal = map.require("principal", "write the user of the token"))
    request.principal = read_string(*principal).value_or("");
  if (auto role = map.find("role")) request.role = read_string(*role).value_or("");
  map.finish();
  if (!problems.empty()) return std::unexpected(problems.error());
  return request;
}

}  // namespace ym
