#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "cli/http/url.h"
#include "cli/term/text.h"
#include "cli/verbs/verb.h"
#include "cli/views/job_view.h"
#include "cli/views/json_view.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

struct RotateOptions {};
struct CreateTokenOptions {
  std::string principal;
  bool service = false;
  std::string role;
  std::vector<std::string> scopes;
  std::string ttl;
  std::string note;
};
struct RevokeOptions {
  std::vector<std::string> ids;
  std::string principal;
};

std::string id_of(const json::value& token) { return text_at(token, "id"); }

std::string or_dash(std::string text) { return text.empty() ? "-" : text; }

// "viewer project:vision"; "-": nothing limits the token.
std::string scopes_of(const json::value& token) {
  std::string all;
  for (const auto& scope : token.at("scopes").as_array())
    all += (all.empty() ? "" : " ") + printable(std::string(scope.as_string()));
  return or_dash(std::move(all));
}

void print_tokens(Session& session, const json::array& tokens) {
  if (session.format == Format::name) return print_each(session.out, tokens, id_of);
  if (!session.is_table()) return session.print(tokens);
  Table table({{"TOKEN"}, {"FOR"}, {"SCOPES"}, {"CREATED"}, {"EXPIRES"}, {"NOTE"}});
  for (const auto& one : tokens)
    table.add({id_of(one), printable(text_at(one, "principal")), scopes_of(one), text_at(one, "created_at"),
               or_dash(text_at(one, "expires_at")), printable(text_at(one, "note"))});
  table.print(session.out, session.terminal.width);
}

// Standard output gets the token alone, so that it can go into a file.
void print_new(Session& session, const json::value& made) {
  if (!session.is_table()) return session.print(made);
  session.out << text_at(made, "token") << '\n';
  const auto expires = text_at(made, "expires_at");
  session.err << fmt::format("(token {} for {}, scopes {}{}; it is shown only once)\n", id_of(made),
                             printable(text_at(made, "principal")), scopes_of(made),
                             expires.empty() ? "" : ", until " + expires);
}

int list_tokens(Session& session, const NoOptions&) {
  auto api = session.connect();
  if (!api) return report(session, api.error());
  const auto page = api->list("/api/v1/tokens", {}, kMostRows);
  if (!page) return report(session, page.error());
  print_tokens(session, page->items);
  return 0;
}

json::object request_of(const CreateTokenOptions& options) {
  json::object body;
  const auto set = [&](std::string_view name, const std::string& text) {
    if (!text.empty()) body[name] = text;
  };
  set("principal", options.principal);
  set("role", options.role);
  set("ttl", options.ttl);
  set("note", options.note);
  if (options.service) body["service"] = true;
  if (!options.scopes.empty()) body["scopes"] = json::array(options.scopes.begin(), options.scopes.end());
  return body;
}

int create_token(Session& session, const CreateTokenOptions& options) {
  auto api = session.connect();
  if (!api) return report(session, api.error());
  const auto made = api->post("/api/v1/tokens", {.content = json::serialize(request_of(options))});
  if (!made) return report(session, made.error());
  print_new(session, *made);
  return 0;
}

Result<std::vector<std::string>> ids_to_revoke(Session& session, const RevokeOptions& options) {
  auto ids = options.ids;
  if (ids.empty() && options.principal.empty())
    return fail(ErrorCode::invalid, "write which tokens: ids, as `ym token list` shows them, or --for NAME");
  if (options.principal.empty()) return ids;
  auto api = session.connect();
  if (!api) return std::unexpected(api.error());
  const auto page = api->list("/api/v1/tokens", {}, kMostRows);
  if (!page) return std::unexpected(page.error());
  for (const auto& token : page->items)
    if (text_at(token, "principal") == options.principal) ids.push_back(id_of(token));
  if (ids.empty())
    return fail(ErrorCode::not_found,
                fmt::format("there is no token for '{}'; see `ym token list`", options.principal));
  return ids;
}

int revoke(Session& session, const RevokeOptions& options) {
  const auto ids = ids_to_revoke(session, options);
  if (!ids) return report(session, ids.error());
  return for_each_id(
      session, *ids,
      [](Api& api, const std::string& id) { return api.remove("/api/v1/tokens/" + percent_encoded(id)); },
      [&](const json::array& revoked) {
        for (const auto& one : revoked)
          session.out << fmt::format("{}  revoked, was for {}\n", id_of(one), printable(text_at(one, "principal")));
      },
      "id");
}

int rotate(Session& session, const RotateOptions&) {
  auto api = session.connect();
  if (!api) return report(session, api.error());
  const auto made = api->post("/api/v1/tokens/admin/rotate", {});
  if (!made) return report(session, made.error());
  print_new(session, *made);
  return 0;
}

}  // namespace

void add_token(Verbs& verbs) {
  auto* token = verbs.add("token", "Manage tokens, by which the server knows who you are");
  token->require_subcommand(1);
  verbs.on(token->add_subcommand("list", "Show the tokens, without their secrets"), std::make_shared<NoOptions>(),
           list_tokens);
  auto options = std::make_shared<CreateTokenOptions>();
  auto* verb = token->add_subcommand("create", "Create a token; prints it alone, to go into a file");
  verb->add_option("--for", options->principal,
                   "User of the token; jobs submitted with it carry this name. Left out: yourself");
  verb->add_flag("--service", options->service, "The user is a service account");
  verb->add_option("--scope", options->scopes,
                   "Limit the token to a role (viewer), a permission (jobs.get) or a place (project:vision); can be "
                   "repeated")
      ->allow_extra_args(false);
  verb->add_option("--role", options->role, "The same as --scope user or --scope viewer; admin: no limit");
  verb->add_option("--ttl", options->ttl, "How long the token is valid, for example 30d");
  verb->add_option("--note", options->note, "What the token is for");
  verbs.on(verb, options, create_token);
  auto gone = std::make_shared<RevokeOptions>();
  auto* revoke_verb = token->add_subcommand("revoke", "Revoke tokens; they are invalid at once");
  auto* ids = revoke_verb->add_option("ID", gone->ids, "Ids of tokens, as ym token list shows them");
  auto* user_option = revoke_verb->add_option("--for", gone->principal, "Revoke all tokens of this user");
  ids->excludes(user_option);
  verbs.on(revoke_verb, gone, revoke);
  verbs.on(
      token->add_subcommand("rotate-admin", "Create a new administrator token for yourself, and revoke your others"),
      std::make_shared<RotateOptions>(), rotate);
}

}  // namespace ym::cli
