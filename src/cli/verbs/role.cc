#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "cli/http/url.h"
#include "cli/term/table.h"
#include "cli/term/text.h"
#include "cli/verbs/access_lists.h"
#include "cli/verbs/verb.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

struct RoleName {
  std::string name;
};
struct CreateRoleOptions {
  std::string name, description;
  std::vector<std::string> permissions;
};
struct BindOptions {
  std::string role, to, scope, ttl;
};
struct UnbindOptions {
  std::string role, to, scope;
};
struct BindingsOptions {
  std::string to, scope, role;
};

void show_roles(Session& session, const json::array& roles) {
  Table table({{"ROLE"}, {"BUILT IN"}, {"DESCRIPTION"}});
  for (const auto& role : roles)
    table.add({printable(text_at(role, "name")), flag_at(role, "built_in") ? "yes" : "no",
               printable(text_at(role, "description"))});
  table.print(session.out, session.terminal.width);
}

int list_roles(Session& session, const NoOptions&) { return show_list(session, "/api/v1/roles", "name", show_roles); }

// The permissions one a line, so that they can be read by a script.
int show_role(Session& session, const RoleName& options) {
  auto api = session.connect();
  if (!api) return report(session, api.error());
  const auto page = api->list("/api/v1/roles", {}, kMostRows);
  if (!page) return report(session, page.error());
  const auto role =
      std::ranges::find_if(page->items, [&](const json::value& one) { return text_at(one, "name") == options.name; });
  if (role == page->items.end())
    return report(session, Error{ErrorCode::not_found, fmt::format("there is no role '{}'", options.name)});
  if (!session.is_table()) return session.print(*role), 0;
  session.out << printable(text_at(*role, "description")) << '\n';
  for (const auto& permission : texts_at(*role, "permissions")) session.out << "  " << printable(permission) << '\n';
  return 0;
}

int create_role(Session& session, const CreateRoleOptions& options) {
  json::object body{{"name", options.name},
                    {"permissions", json::array(options.permissions.begin(), options.permissions.end())}};
  if (!options.description.empty()) body["description"] = options.description;
  return post_row(session, "/api/v1/roles", body,
                  [&](const json::value&) { session.out << fmt::format("{}  set\n", options.name); });
}

int remove_role(Session& session, const RoleName& options) {
  return remove_row(session, "/api/v1/roles/", options.name);
}

int bind_role(Session& session, const BindOptions& options) {
  json::object body{{"role", options.role}, {"to", options.to}, {"scope", options.scope}};
  if (!options.ttl.empty()) body["ttl"] = options.ttl;
  return post_row(session, "/api/v1/bindings", body, [&](const json::value& made) {
    session.out << fmt::format("{}  {} has the role {} at {}\n", text_at(made, "id"), printable(text_at(made, "to")),
                               printable(text_at(made, "role")), printable(text_at(made, "scope")));
  });
}

bool matches(const json::value& binding, const std::string& role, const std::string& to, const std::string& scope) {
  const auto is = [&](std::string_view member, const std::string& wanted) {
    return wanted.empty() || text_at(binding, member) == wanted;
  };
  return is("role", role) && is("to", to) && is("scope", scope);
}

// `ym role unbind ROLE --to NAME --scope SCOPE`, or the binding's id in place of the role.
int unbind_role(Session& session, const UnbindOptions& options) {
  if (options.to.empty() && options.scope.empty()) return remove_row(session, "/api/v1/bindings/", options.role);
  auto api = session.connect();
  if (!api) return report(session, api.error());
  const auto page = api->list("/api/v1/bindings", {}, kMostRows);
  if (!page) return report(session, page.error());
  const auto found = std::ranges::find_if(
      page->items, [&](const json::value& one) { return matches(one, options.role, options.to, options.scope); });
  if (found == page->items.end())
    return report(session, Error{ErrorCode::not_found, "there is no such binding; see `ym role bindings`"});
  return remove_row(session, "/api/v1/bindings/", text_at(*found, "id"));
}

int list_bindings(Session& session, const BindingsOptions& options) {
  auto api = session.connect();
  if (!api) return report(session, api.error());
  auto page = api->list("/api/v1/bindings", {}, kMostRows);
  if (!page) return report(session, page.error());
  json::array found;
  for (auto& one : page->items)
    if (matches(one, options.role, options.to, options.scope)) found.push_back(std::move(one));
  print_rows(session, found, "id", show_bindings);
  return 0;
}

void add_bindings(Verbs& verbs, CLI::App* role) {
  auto bound = std::make_shared<BindOptions>();
  auto* bind = role->add_subcommand("bind", "Give a role to a principal or a group");
  bind->add_option("ROLE", bound->role, "Name of the role")->required();
  bind->add_option("--to", bound->to, "A user, a service account, or group:NAME")->required();
  bind->add_option("--scope", bound->scope, "site, project:NAME, queue:NAME (with the queues below) or cluster:NAME")
      ->required();
  bind->add_option("--ttl", bound->ttl, "How long it holds, 8h; left out: until it is taken away");
  verbs.on(bind, bound, bind_role);
  auto freed = std::make_shared<UnbindOptions>();
  auto* unbind = role->add_subcommand("unbind", "Take a role away");
  unbind->add_option("ROLE", freed->role, "Name of the role, with --to and --scope; or the id of a binding")
      ->required();
  unbind->add_option("--to", freed->to, "As in ym role bind");
  unbind->add_option("--scope", freed->scope, "As in ym role bind");
  verbs.on(unbind, freed, unbind_role);
  auto wanted = std::make_shared<BindingsOptions>();
  auto* bindings = role->add_subcommand("bindings", "Show which principals have which roles");
  bindings->add_option("--to", wanted->to, "Only those of this principal or group:NAME");
  bindings->add_option("--scope", wanted->scope, "Only those at this scope");
  bindings->add_option("--role", wanted->role, "Only those of this role");
  verbs.on(bindings, wanted, list_bindings);
}

}  // namespace

void add_role(Verbs& verbs) {
  auto* role = verbs.add("role", "Roles: what they allow, and which principals have them where");
  role->require_subcommand(1);
  verbs.on(role->add_subcommand("list", "Show the roles"), std::make_shared<NoOptions>(), list_roles);
  auto shown = std::make_shared<RoleName>();
  auto* show = role->add_subcommand("show", "Show the permissions of a role");
  show->add_option("ROLE", shown->name, "Name of the role")->required();
  verbs.on(show, shown, show_role);
  auto made = std::make_shared<CreateRoleOptions>();
  auto* create = role->add_subcommand("create", "Make or replace a role of the site");
  create->add_option("ROLE", made->name, "Name of the role")->required();
  create->add_option("--permission", made->permissions, "One of its permissions, jobs.get; can be repeated")
      ->required()
      ->allow_extra_args(false);
  create->add_option("--description", made->description, "What it is for");
  verbs.on(create, made, create_role);
  auto gone = std::make_shared<RoleName>();
  auto* remove = role->add_subcommand("delete", "Remove a role of the site");
  remove->add_option("ROLE", gone->name, "Name of the role")->required();
  verbs.on(remove, gone, remove_role);
  add_bindings(verbs, role);
}

}  // namespace ym::cli
