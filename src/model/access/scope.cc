#include "model/access/scope.h"

#include <fmt/format.h>

namespace ym {

std::string to_string(const Scope& scope) {
  if (scope.kind == ScopeKind::site) return std::string(to_string(scope.kind));
  return fmt::format("{}:{}", to_string(scope.kind), scope.name);
}

std::optional<Scope> parse_scope(std::string_view text) {
  const auto colon = text.find(':');
  const auto kind = parse_enum<ScopeKind>(text.substr(0, colon));
  const auto name = colon == std::string_view::npos ? std::string_view{} : text.substr(colon + 1);
  const bool wants_name = kind != ScopeKind::site;
  if (!kind || name.empty() == wants_name || (!wants_name && colon != std::string_view::npos)) return std::nullopt;
  return Scope{*kind, std::string(name)};
}

}  // namespace ym
