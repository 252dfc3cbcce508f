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
  std::string role = "user";
};
struct RevokeOptions {
  std::vector<std::string> ids;
  std::string principal;
};

std::string id_of(const json::value& token) { return text_at(token, "id"); }

void print_tokens(Session& session, const json::array& tokens) {
  if (session.format == Format::name) return print_each(session.out, tokens, id_of);
  if (!session.is_table()) return session.print(tokens);
  Table table({{"TOKEN"}, {"FOR"}, {"ROLE"}, {"CREATED"}});
  for (const auto& one : tokens)
    table.add({id_of(one), printable(text_at(one, "principal")), text_at(one, "role"), text_at(one, "created_at")});
  table.print(session.out, session.terminal.width);
}

// Standard output gets the token alone, so that it can go into a file.
void print_new(Session& session, const json::value& made) {
  if (!session.is_table()) return session.print(made);
  session.out << text_at(made, "token") << '\n';
  session.err << fmt::format("(token {} for {}, role {}; it is shown only once)\n", id_of(made),
                             printable(text_at(made, "principal")), text_at(made, "role"));
}

int list_tokens(Session& session, const NoOptions&) {
  auto api = session.connect();
  if (!api) return report(session, api.error());
  const auto page = api->list("/api/v1/tokens", {}, kMostRows);
  if (!page) return report(session, page.error());
  print_tokens(session, page->items);
  return 0;
}

int create_token(Session& session, const CreateTokenOptions& options) {
  auto api = session.connect();
  if (!api) return report(session, api.error());
  const json::object body{{"principal", options.principal}, {"role", options.role}};
  const auto made = api->post("/api/v1/tokens", {.content = json::serialize(body)});
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
  auto* token = verbs.add("token", "Manage tokens, by which the server identifies users");
  token->require_subcommand(1);
  verbs.on(token->add_subcommand("list", "Show the tokens, without their secrets"), std::make_shared<NoOptions>(),
           list_tokens);
  auto options = std::make_shared<CreateTokenOptions>();
  auto* verb = token->add_subcommand("create", "Create a token; prints it alone, to go into a file");
  verb->add_option("--for", options->principal, "User of the token; jobs submitted with it carry this name")
      ->required();
  verb->add_option("--role", options->role, "user; viewer: may read, may not change; or admin");
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
