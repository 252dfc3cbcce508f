#include <fmt/format.h>
#include <fmt/ranges.h>

#include <boost/json/serialize.hpp>

#include "cli/http/url.h"
#include "cli/term/table.h"
#include "cli/term/text.h"
#include "cli/verbs/access_lists.h"
#include "cli/verbs/verb.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

struct ProjectName {
  std::string name;
};
struct SetProjectOptions {
  std::string name, description, visibility;
};
struct GroupsOptions {
  std::string name;
  std::vector<std::string> groups;
};

void show_projects(Session& session, const json::array& projects) {
  Table table({{"PROJECT"}, {"VISIBILITY"}, {"DESCRIPTION"}});
  for (const auto& one : projects)
    table.add({printable(text_at(one, "name")), text_at(one, "visibility"), printable(text_at(one, "description"))});
  table.print(session.out, session.terminal.width);
}

int list_projects(Session& session, const NoOptions&) {
  return show_list(session, "/api/v1/projects", "name", show_projects);
}

int set_project(Session& session, const SetProjectOptions& options) {
  json::object body{{"name", options.name}};
  if (!options.description.empty()) body["description"] = options.description;
  if (!options.visibility.empty()) body["visibility"] = options.visibility;
  return post_row(session, "/api/v1/projects", body, [&](const json::value& made) {
    session.out << fmt::format("{}  visibility {}\n", printable(text_at(made, "name")), text_at(made, "visibility"));
  });
}

int remove_project(Session& session, const ProjectName& options) {
  return remove_row(session, "/api/v1/projects/", options.name);
}

void show_identities(Session& session, const json::array& identities) {
  Table table({{"NAME"}, {"KIND"}, {"GROUPS"}, {"CREATED"}, {"DISABLED"}});
  for (const auto& one : identities) {
    auto disabled = text_at(one, "disabled_at");
    const auto provisioned = text_at(one, "provisioned");
    if (disabled.empty() && !provisioned.empty() && provisioned != "active") disabled = provisioned;
    table.add({printable(text_at(one, "name")), text_at(one, "kind"),
               printable(fmt::format("{}", fmt::join(texts_at(one, "groups"), ","))), text_at(one, "created_at"),
               disabled.empty() ? "-" : disabled});
  }
  table.print(session.out, session.terminal.width);
}

int list_identities(Session& session, const NoOptions&) {
  return show_list(session, "/api/v1/identities", "name", show_identities);
}

int change_identity(Session& session, const std::string& name, const json::object& body, std::string_view done) {
  return post_row(session, "/api/v1/identities/" + percent_encoded(name), body, [&](const json::value& row) {
    session.out << fmt::format("{}  {}\n", printable(text_at(row, "name")), done);
  });
}

int disable(Session& session, const ProjectName& options) {
  return change_identity(session, options.name, {{"disabled", true}}, "disabled: its tokens are invalid");
}

int enable(Session& session, const ProjectName& options) {
  return change_identity(session, options.name, {{"disabled", false}}, "enabled");
}

int set_groups(Session& session, const GroupsOptions& options) {
  const json::array groups(options.groups.begin(), options.groups.end());
  return change_identity(session, options.name, {{"groups", groups}}, "groups set");
}

struct LinkOptions {
  std::string name, issuer, subject;
};

int link(Session& session, const LinkOptions& options) {
  return change_identity(session, options.name, {{"issuer", options.issuer}, {"subject", options.subject}}, "linked");
}

}  // namespace

void add_project(Verbs& verbs) {
  auto* project = verbs.add("project", "Projects: users and a purpose that jobs are for");
  project->require_subcommand(1);
  verbs.on(project->add_subcommand("list", "Show the projects"), std::make_shared<NoOptions>(), list_projects);
  for (const auto& [word, help] : {std::pair{"create", "Make a project; members get a role with ym role bind"},
                                   std::pair{"set", "Change a project"}}) {
    auto options = std::make_shared<SetProjectOptions>();
    auto* verb = project->add_subcommand(word, help);
    verb->add_option("NAME", options->name, "Name of the project")->required();
    verb->add_option("--description", options->description, "What it is for");
    verb->add_option("--visibility", options->visibility,
                     "What users of a job's queue see of it: private, queue (an outline) or full");
    verbs.on(verb, options, set_project);
  }
  auto gone = std::make_shared<ProjectName>();
  auto* remove = project->add_subcommand("delete", "Remove a project without live jobs, and the roles in it");
  remove->add_option("NAME", gone->name, "Name of the project")->required();
  verbs.on(remove, gone, remove_project);
}

void add_identity(Verbs& verbs) {
  auto* identity = verbs.add("identity", "Users and service accounts");
  identity->require_subcommand(1);
  verbs.on(identity->add_subcommand("list", "Show them"), std::make_shared<NoOptions>(), list_identities);
  for (const auto& [word, help, act] :
       {std::tuple{"disable", "Make all tokens of a user invalid, until it is enabled", &disable},
        std::tuple{"enable", "End that", &enable}}) {
    auto options = std::make_shared<ProjectName>();
    auto* verb = identity->add_subcommand(word, help);
    verb->add_option("NAME", options->name, "Name of the user or service account")->required();
    verbs.on(verb, options, act);
  }
  auto options = std::make_shared<GroupsOptions>();
  auto* verb = identity->add_subcommand("groups", "Set the groups of a user; none: it is in no group");
  verb->add_option("NAME", options->name, "Name of the user or service account")->required();
  verb->add_option("--group", options->groups, "A group; can be repeated")->allow_extra_args(false);
  verbs.on(verb, options, set_groups);
  auto linked = std::make_shared<LinkOptions>();
  auto* to_provider = identity->add_subcommand("link", "Say which user of an identity provider a user here is");
  to_provider->add_option("NAME", linked->name, "Name of the user here")->required();
  to_provider->add_option("--issuer", linked->issuer, "URL of the provider")->required();
  to_provider->add_option("--subject", linked->subject, "What the provider calls the user (sub)")->required();
  verbs.on(to_provider, linked, link);
  add_identity_erase(verbs, *identity);
}

}  // namespace ym::cli
