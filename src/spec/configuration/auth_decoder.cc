#include "spec/configuration/auth_decoder.h"

#include <fmt/format.h>

#include <set>

#include "spec/keys/auth.h"
#include "spec/keys/read.h"

namespace ym::spec {
namespace {

template <class Row>
void check_names(const Field& field, const std::vector<Row>& rows, std::string_view what) {
  std::set<std::string> names;
  for (const Row& row : rows)
    if (!row.name.empty() && !names.insert(row.name).second)
      field.wrong(fmt::format("there are two {} named {}", what, quoted(row.name)));
}

// The account says for which issuer a request of SCIM is.
void check_scim(const Field& field, const std::vector<Issuer>& issuers) {
  std::set<std::string> accounts;
  for (const Issuer& issuer : issuers)
    if (!issuer.scim.empty() && !accounts.insert(issuer.scim).second)
      field.wrong(fmt::format("two issuers have the account {} for SCIM", quoted(issuer.scim)));
}

// The subject of GitHub's tokens changed its form in 2026, and an earlier form could be forged.
void check_rules(const Field& field, const std::vector<ExchangeRule>& rules) {
  for (const ExchangeRule& rule : rules) {
    if (rule.issuer.empty() == rule.kubernetes.empty())
      field.wrong(
          fmt::format("rule {} names where its tokens come from: `issuer`, or `kubernetes`", quoted(rule.name)));
    if (!rule.kubernetes.empty() && rule.kubernetes != "here" && !rule.kubernetes.starts_with('/'))
      field.wrong(
          fmt::format("`kubernetes` of rule {} is `here`, or the whole path of a kubeconfig", quoted(rule.name)));
    if (rule.issuer.contains("githubusercontent.com") && rule.require.contains("sub"))
      field.wrong(
          fmt::format("rule {} looks at `sub`, and its form changes; require repository_id, "
                      "repository_owner_id, ref or environment",
                      quoted(rule.name)));
  }
}

}  // namespace

AuthSettings read_auth(const Field& field) {
  AuthSettings auth;
  keys::read_struct(field, auth);
  if (field.value->kind != Value::Kind::map) return auth;
  MapReader map(field);
  if (const auto projects = map.find("projects")) check_names(*projects, auth.projects, "projects");
  if (const auto issuers = map.find("issuers")) {
    check_names(*issuers, auth.issuers, "issuers");
    check_scim(*issuers, auth.issuers);
  }
  if (const auto rules = map.find("exchange")) {
    check_names(*rules, auth.exchange, "exchange rules");
    check_rules(*rules, auth.exchange);
  }
  for (Project& project : auth.projects) project.managed_by = ManagedBy::file;
  return auth;
}

}  // namespace ym::spec
