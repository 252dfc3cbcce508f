#include "spec/configuration/auth_decoder.h"

#include <fmt/format.h>

#include <map>
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

// A provider that chooses the names of its groups could name those of another one, and get what is bound to them.
void check_groups(const Field& field, const AuthSettings& auth) {
  std::map<std::string, std::string> names;  // by prefix
  const auto check = [&](const std::string& prefix, const std::string& name) {
    const auto [first, is_new] = names.emplace(prefix, name);
    if (!is_new)
      field.wrong(
          fmt::format("{} and {} may name the same groups; give one of them a `groups_prefix`", first->second, name));
  };
  for (const Issuer& issuer : auth.issuers)
    if (!issuer.groups.empty() || !issuer.scim.empty()) check(issuer.groups_prefix, "issuer " + quoted(issuer.name));
  if (auth.accounts.socket || auth.accounts.munge) check(auth.accounts.groups_prefix, "`accounts`");
}

// The subject of GitHub's tokens changed its form in 2026, and an earlier form could be forged.
void check_rules(const Field& field, const std::vector<ExchangeRule>& rules) {
  std::map<std::string, std::string> clusters;  // by audience
  for (const ExchangeRule& rule : rules) {
    if (rule.issuer.empty() == rule.kubernetes.empty())
      field.wrong(
          fmt::format("rule {} names where its tokens come from: `issuer`, or `kubernetes`", quoted(rule.name)));
    if (!rule.kubernetes.empty() && rule.kubernetes != "here" && !rule.kubernetes.starts_with('/'))
      field.wrong(
          fmt::format("`kubernetes` of rule {} is `here`, or the whole path of a kubeconfig", quoted(rule.name)));
    // A token goes to each cluster that may have made it, and could be used again there.
    if (!rule.kubernetes.empty() && clusters.emplace(rule.audience, rule.kubernetes).first->second != rule.kubernetes)
      field.wrong(fmt::format("rule {} has the `audience` of another cluster's rule; give each cluster its own",
                              quoted(rule.name)));
    const bool names_account = rule.require.contains("namespace") && rule.require.contains("serviceaccount");
    if (!rule.kubernetes.empty() && !names_account)
      field.wrong(fmt::format("rule {} has to require `namespace` and `serviceaccount`: others make namespaces, too",
                              quoted(rule.name)));
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
  check_groups(field, auth);
  for (Project& project : auth.projects) project.managed_by = ManagedBy::file;
  return auth;
}

}  // namespace ym::spec
