// The keys of `auth`: who may do what. What is stored of it does not follow from these tables.
#pragma once

#include "model/access/auth_settings.h"
#include "model/keys/key.h"
#include "model/keys/kinds.h"

namespace ym::keys {

template <>
struct Keys<Project> {
  using R = Project;
  static constexpr std::tuple list{
      Key{"name", &R::name, Name{}, About{"Unique.", "vision"}, Traits{.required = "give the project a name"}},
      Key{"description", &R::description, Text{200}, About{"What it is for.", "\"self-driving\""}},
      Key{"visibility", &R::visibility, OneOf<Visibility>{},
          About{"What users of the same queue see of its jobs. `private`: nothing. `queue`: id, owner, queue, "
                "priority, state, resources and times. `full`: everything but logs.",
                "private"}},
  };
};

template <>
struct Keys<RoleGiven> {
  using R = RoleGiven;
  static constexpr std::tuple list{
      Key{"role", &R::role, Name{}, About{"A built-in role, or one of `ym role create`.", "member"},
          Traits{.required = "write the role, for example member"}},
      Key{"to", &R::to, GranteeText{},
          About{"Who gets it: a principal, or `group:` and the name of a group. A principal that is not there yet is "
                "made.",
                "group:vision"},
          Traits{.required = "write who gets the role: a name, or group:NAME"}},
      Key{"scope", &R::scope, ScopeText{},
          About{"Where: `site`, `project:P`, `queue:Q` or `cluster:C`.", "project:vision"},
          Traits{.required = "write where: site, project:NAME, queue:NAME or cluster:NAME"}},
  };
};

template <>
struct Keys<Issuer> {
  using R = Issuer;
  static constexpr std::tuple list{
      Key{"name", &R::name, Name{}, About{"What this server calls the provider.", "corp"},
          Traits{.required = "give the provider a name"}},
      Key{"url", &R::url, WebAddress{},
          About{"Its issuer, exactly as its tokens name it.", "https://idp.example/realms/x"},
          Traits{.required = "write the issuer's URL"}},
      Key{"client_id", &R::client_id, Text{.most = 255}, About{"This server's client at the provider.", "yardmaster"},
          Traits{.required = "write the id of the client that the provider has for this server"}},
      Key{"client_secret_file", &R::client_secret_file, Path{},
          About{"A file with the client's secret. It is read at each login.", "/etc/yardmaster/idp.secret",
                "the client has no secret"}},
      Key{"ca_file", &R::ca_file, Path{},
          About{"Authorities of the provider's certificate, in PEM.", "/etc/yardmaster/corp-ca.pem",
                "those of the system"}},
      Key{"scopes", &R::scopes, ListOf{Text{.most = 255}, "scopes", 20},
          About{"Scopes that a login asks for.", "[openid, profile, email, groups]", "`[openid, profile, email]`"}},
      Key{"handle", &R::handle, ClaimPointer{},
          About{"The claim with the user's name here. Take one that users cannot change themselves.",
                "/preferred_username"}},
      Key{"handle_prefix", &R::handle_prefix, Text{.most = 63},
          About{"Stands before each name, so that two providers do not name the same user.", "partner-"}},
      Key{"revalidate", &R::revalidate, Span{seconds(10), hours(24)},
          About{
              "How often the provider is asked whether a user that is logged in still is there. It has to give refresh "
              "tokens, for many providers by the scope `offline_access`.",
              "10m", "never"}},
      Key{"max_age", &R::max_age, Span{minutes(1), hours(30 * 24)},
          About{"How long ago the provider may have asked the user to prove itself. It is asked to ask again, and a "
                "login without `auth_time`, or with an older one, is refused.",
                "1h", "as long as the provider's own session"}},
      Key{"acr", &R::acr, ListOf{Text{.most = 255}, "values", 20},
          About{"Values of `acr`. A login must have one of them, for example that of a second factor. The provider is "
                "asked for them.",
                "[\"phr\", \"phrh\"]", "any login counts"}},
      Key{"groups", &R::groups, ClaimPointer{}, About{"The claim with the user's groups.", "/groups"}},
      Key{"groups_strip", &R::groups_strip, Text{.most = 255},
          About{"Only groups that begin so count, without this beginning.", "/ml/"}},
      Key{"groups_prefix", &R::groups_prefix, Text{.most = 63},
          About{"Stands before each group, so that two providers do not name the same group.", "\"partner:\""}},
      Key{"scim", &R::scim, Text{.most = 63},
          About{"The service account with which the provider makes and removes users by SCIM.", "scim-corp",
                "it may not"}},
      Key{"external_id_is_subject", &R::external_id_is_subject, Flag{},
          About{"`true`: `externalId` of SCIM is the `sub` of the provider's tokens. `false`: a user is found by its "
                "name at its first login.",
                "true"}},
  };
};

template <>
struct Keys<ExchangeRule> {
  using R = ExchangeRule;
  static constexpr std::tuple list{
      Key{"name", &R::name, Name{}, About{"What this server calls the rule.", "ci"},
          Traits{.required = "give the rule a name"}},
      Key{"issuer", &R::issuer, WebAddress{},
          About{"The issuer of the tokens.", "https://token.actions.githubusercontent.com", "see `kubernetes`"}},
      Key{"kubernetes", &R::kubernetes, Text{.most = 4096},
          About{
              "Instead of `issuer`: tokens of service accounts of a Kubernetes cluster. Its API server is asked about "
              "each one (TokenReview). `here`: this server runs in a pod there. Otherwise the path of a kubeconfig.",
              "here"}},
      Key{"audience", &R::audience, Text{.most = 255},
          About{"The audience (`aud`) that the tokens must have: this server.", "https://ym.example"},
          Traits{.required = "write the audience that tokens for this server have"}},
      Key{"ca_file", &R::ca_file, Path{},
          About{"Authorities of the issuer's certificate, in PEM.", "/etc/yardmaster/gitlab-ca.pem",
                "those of the system"}},
      Key{"require", &R::require, Claims{},
          About{"What claims must be, each exactly. A name, or a JSON pointer. Tokens of Kubernetes have `namespace`, "
                "`serviceaccount` and `pod`.",
                "{repository_id: \"456789\", ref: refs/heads/main}"},
          Traits{.required = "write which claims a token must have: the issuer makes tokens for others, too"}},
      Key{"service", &R::service, Text{.most = 63}, About{"The service account that the token is for.", "ci-vision"},
          Traits{.required = "write the service account that the token is for"}},
      Key{"ttl", &R::ttl, Span{minutes(1), hours(1)}, About{"How long the token lives.", "30m"}},
  };
};

template <>
struct Keys<AccountLogins> {
  using R = AccountLogins;
  static constexpr std::tuple list{
      Key{"socket", &R::socket, Flag{},
          About{"Users of the server's machine log in by its Unix socket, `DIR/run/api.sock`: `ym login --socket`.",
                "true"}},
      Key{"munge", &R::munge, Flag{},
          About{"Users of machines that share a MUNGE key with the server's log in by it: `ym login --munge`.",
                "true"}},
      Key{"munge_socket", &R::munge_socket, Path{},
          About{"The socket of the MUNGE daemon.", "/run/munge/munge.socket.2", "the usual one"}},
      Key{"least_uid", &R::least_uid, Whole{0, 4'000'000'000},
          About{"Accounts with a smaller number are of the system, and cannot log in.", "500"}},
      Key{"handle_prefix", &R::handle_prefix, Text{.most = 63},
          About{"Stands before the name of each account.", "hpc-"}},
      Key{"groups_prefix", &R::groups_prefix, Text{.most = 63},
          About{"Stands before the name of each of its groups.", "\"unix:\""}},
  };
};

template <>
struct Keys<AuthSettings> {
  using R = AuthSettings;
  static constexpr std::tuple list{
      Key{"enforce", &R::enforce, Flag{},
          About{"`false`: each token still opens everything, and what bindings would refuse is noted. `ym auth audit` "
                "lists it.",
                "false"}},
      Key{"admin_token", &R::admin_token, Flag{},
          About{"`false`: the file `admin.token` is removed, and its token revoked. `ym admin recover` then makes a "
                "token for an hour.",
                "false"}},
      Key{"projects", &R::projects, ListOf{MapOf<Project>{}, "projects", 10'000},
          About{"Projects. Others can be made with `ym project create`.", "[{name: vision}]"}},
      Key{"bindings", &R::bindings, ListOf{MapOf<RoleGiven>{}, "bindings", 100'000},
          About{"Roles that are given. Others can be given with `ym role bind`.",
                "[{role: admin, to: ann, scope: site}]"}},
      Key{"issuers", &R::issuers, ListOf{MapOf<Issuer>{}, "issuers", 20},
          About{"OpenID providers where users log in. The first one is asked.", "[{name: corp, ...}]"}},
      Key{"exchange", &R::exchange, ListOf{MapOf<ExchangeRule>{}, "exchange rules", 1'000},
          About{"Tokens of others that are exchanged for one of a service account, for example of CI.",
                "[{name: ci, ...}]"}},
      Key{"accounts", &R::accounts, MapOf<AccountLogins>{},
          About{"Users log in by their accounts on machines, as on the login nodes of a cluster.", "{socket: true}",
                "they cannot"}},
      Key{"login_ttl", &R::login_ttl, Span{minutes(5), hours(30 * 24)}, About{"How long a login lasts.", "8h"}},
      // A server hears within an hour of what is used at another one.
      Key{"login_idle", &R::login_idle, Span{hours(2), hours(30 * 24)},
          About{"A login ends when it was not used for this time.", "4h"}},
      Key{"groups_max_age", &R::groups_max_age, Span{minutes(5), hours(90 * 24)},
          About{"How long the groups of a user's last login count.", "24h"}},
  };
};

}  // namespace ym::keys
