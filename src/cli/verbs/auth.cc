#include <fmt/format.h>
#include <fmt/ranges.h>

#include <boost/json/serialize.hpp>

#include "cli/exit_code.h"
#include "cli/term/table.h"
#include "cli/term/text.h"
#include "cli/verbs/access_lists.h"
#include "cli/verbs/verb.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

struct QuestionOptions {
  std::string verb;
  std::vector<std::string> object;
  std::string as;
};

json::object body_of(const QuestionOptions& options) {
  json::object body{{"verb", options.verb}, {"object", fmt::format("{}", fmt::join(options.object, " "))}};
  if (!options.as.empty()) body["as"] = options.as;
  return body;
}

std::string because_of(const json::value& answer) {
  if (!flag_at(answer, "allowed")) return text_at(answer, "reason");
  const auto& grant = member(answer, "because");
  const auto binding = text_at(grant, "binding");
  const auto role = fmt::format("role {} at {}", text_at(grant, "role"), text_at(grant, "scope"));
  if (binding.empty()) return role + ": this server has no section auth";
  return fmt::format("{}, binding {}{}", role, binding, flag_at(grant, "as_owner") ? ", as the owner" : "");
}

// Exits with 0 for yes and 1 for no, so that scripts can ask.
int can_i(Session& session, const QuestionOptions& options) {
  auto api = session.connect();
  if (!api) return report(session, api.error());
  const auto answer = api->post("/api/v1/access/check", {.content = json::serialize(body_of(options))});
  if (!answer) return report(session, answer.error());
  const bool allowed = flag_at(*answer, "allowed");
  if (!session.is_table()) session.print(*answer);
  else session.out << fmt::format("{}\n  {}\n", allowed ? "yes" : "no", printable(because_of(*answer)));
  return allowed ? 0 : 1;
}

int list_holders(Session& session, const QuestionOptions& options) {
  auto api = session.connect();
  if (!api) return report(session, api.error());
  const auto answer = api->post("/api/v1/access/holders", {.content = json::serialize(body_of(options))});
  if (!answer) return report(session, answer.error());
  print_rows(session, items_of(member(*answer, "items")), "id", show_bindings);
  return 0;
}

std::string place_of(const json::value& denial) {
  std::string place;
  for (const std::string_view kind : {"project", "queue", "cluster"})
    if (const auto name = text_at(denial, kind); !name.empty())
      place += fmt::format("{}{}:{}", place.empty() ? "" : " ", kind, name);
  return place.empty() ? "site" : place;
}

void show_denials(Session& session, const json::array& denials) {
  using enum Table::Align;
  Table table({{"PRINCIPAL"}, {"PERMISSION"}, {"WHERE"}, {"TIMES", right}, {"LAST"}});
  for (const auto& denial : denials)
    table.add({text_at(denial, "principal"), text_at(denial, "permission"), place_of(denial),
               text_of(member(denial, "times")), text_at(denial, "last_at")});
  table.print(session.out, session.terminal.width);
}

// What bindings would have refused, before they decide.
int audit(Session& session, const NoOptions&) {
  auto api = session.connect();
  if (!api) return report(session, api.error());
  const auto answer = api->get("/api/v1/access/denials");
  if (!answer) return report(session, answer.error());
  if (!session.is_table()) return session.print(*answer), 0;
  const auto mode = text_at(*answer, "mode");
  const auto& denials = items_of(member(*answer, "items"));
  if (mode == "everything")
    session.out << "Nothing is noted: the configuration has no section auth. Write `auth: {enforce: false}` there.\n";
  else if (mode == "by_bindings") session.out << "Bindings decide: they refuse, and nothing is noted.\n";
  else if (denials.empty()) session.out << "Bindings would have refused nothing since the server began.\n";
  if (!denials.empty()) show_denials(session, denials);
  if (const auto more = integer_at(*answer, "left_out").value_or(0); more > 0)
    session.out << fmt::format("and {} more, of other rows\n", more);
  return 0;
}

int show_caller(Session& session, const NoOptions&) {
  auto api = session.connect();
  if (!api) return report(session, api.error());
  const auto caller = api->get("/api/v1/whoami");
  if (!caller) return report(session, caller.error());
  if (!session.is_table()) return session.print(*caller), 0;
  const auto until = text_at(*caller, "token/expires_at");
  session.out << fmt::format("{}  role {}, token {}{}\n", printable(text_at(*caller, "user")), text_at(*caller, "role"),
                             text_at(*caller, "token/id"), until.empty() ? "" : ", until " + until);
  const auto scopes = texts_at(at(*caller, "token"), "scopes");
  if (!scopes.empty())
    session.out << fmt::format("  its scopes: {}\n", printable(fmt::format("{}", fmt::join(scopes, " "))));
  if (const auto& bindings = items_of(member(*caller, "bindings")); !bindings.empty()) show_bindings(session, bindings);
  return 0;
}

void add_question(CLI::App* verb, QuestionOptions& options) {
  verb->add_option("VERB", options.verb, "cancel, use, edit, ...; or a permission, jobs.cancel")->required();
  verb->add_option("OBJECT", options.object, "job NAME, queue NAME, project NAME, node NAME, cluster NAME, or site")
      ->required();
}

}  // namespace

void add_auth(Verbs& verbs) {
  verbs.on(verbs.add("whoami", "Show which user the server takes you for, your token and your roles"),
           std::make_shared<NoOptions>(), show_caller);
  auto* auth = verbs.add("auth", "Ask who may do what");
  auth->require_subcommand(1);
  auto mine = std::make_shared<QuestionOptions>();
  auto* can = auth->add_subcommand("can-i", "Whether you may do something, and by which binding; exits with 1 for no");
  add_question(can, *mine);
  can->add_option("--as", mine->as, "Ask for another user");
  verbs.on(can, mine, can_i);
  auto others = std::make_shared<QuestionOptions>();
  auto* holders = auth->add_subcommand("who-can", "Show the bindings that allow something");
  add_question(holders, *others);
  verbs.on(holders, others, list_holders);
  verbs.on(auth->add_subcommand("audit", "Show what bindings would have refused, before they decide (enforce: false)"),
           std::make_shared<NoOptions>(), audit);
}

}  // namespace ym::cli
