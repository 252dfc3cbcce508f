#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <filesystem>
#include <fstream>
#include <istream>

#include "base/loopback.h"
#include "cli/contexts.h"
#include "cli/http/url.h"
#include "cli/login/ways.h"
#include "cli/term/table.h"
#include "cli/term/text.h"
#include "cli/verbs/verb.h"
#include "cli/views/job_view.h"
#include "cli/views/json_view.h"
#include "net/url.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

struct LoginOptions {
  std::string url, name, audience, id_token, munge_socket;
  bool with_token = false, browser = false, ci = false, munge = false;
  bool plain_http = false;
};
struct ContextName {
  std::string name;
};
struct ContextList {};

// Asked of the server, so that a wrong token is not kept. Returns the principal.
Result<json::value> caller_of(Session& session, const Connection& connection) {
  auto transport = session.connector(connection);
  if (!transport) return std::unexpected(transport.error());
  Api api(std::move(*transport), {});
  return api.get("/api/v1/whoami");
}

Result<Secret> read_token(std::istream& in) {
  std::string token;
  std::getline(in, token);
  while (!token.empty() && (token.back() == '\r' || token.back() == ' ')) token.pop_back();
  if (token.empty()) return fail(ErrorCode::invalid, "standard input has no token");
  return Secret(std::move(token));
}

// Without one of the others: at a Unix socket by the account, and otherwise by a code, which needs no browser on this
// machine.
Result<Secret> get_token(Session& session, const LoginOptions& options, const Connection& server) {
  if (options.with_token) return read_token(session.in);
  if (options.ci) return log_in_by_ci(session, server, options.audience);
  if (!options.id_token.empty()) return log_in_by_file(session, server, options.id_token);
  if (options.browser) return log_in_by_browser(session, server);
  if (options.munge)
    return log_in_by_munge(session, server, {.audience = options.audience, .socket = options.munge_socket});
  const auto address = net::parse_url(server.url);
  if (address && address->kind == net::Address::Kind::unix_socket) return log_in_by_account(session, server);
  return log_in_by_code(session, server);
}

// The connection that the words and the flags describe, with the token of the way that they name. Errors: `invalid`;
// those of the ways.
Result<Connection> described(Session& session, const LoginOptions& options) {
  ConnectionFlags flags = session.flags;
  if (!options.url.empty()) flags.url = options.url;
  if (flags.url.empty()) flags.url = session.environment("YM_URL").value_or("");
  if (flags.url.empty()) return fail(ErrorCode::invalid, "name the server: ym login https://HOST:PORT");
  const auto address = net::parse_url(flags.url);
  if (!address) return std::unexpected(address.error());
  if (address->kind == net::Address::Kind::tcp && !is_loopback(address->host) && !options.plain_http)
    return fail(ErrorCode::invalid,
                "by http others on the network can read the token: use https, or --plain-http in a "
                "network that you trust");
  // What is known of the server already: a pin of this machine, or of an earlier login.
  auto found = discover(flags, session.environment);
  if (!found) return std::unexpected(found.error());
  auto token = get_token(session, options, found->connection);
  if (!token) return std::unexpected(token.error());
  found->connection.token = std::move(*token);
  auto& file = found->connection.ca_file;
  if (!file.empty()) file = std::filesystem::absolute(file).lexically_normal().string();
  return std::move(found->connection);
}

// The host; with the port if another server has that name.
std::string name_for(const Contexts& contexts, const std::string& url) {
  const auto address = net::parse_url(url);
  std::string host = address ? address->host : url;
  if (address && address->kind == net::Address::Kind::unix_socket) host = "socket";
  const auto same = contexts.all.find(host);
  if (same == contexts.all.end() || same->second.url == url) return host;
  return fmt::format("{}:{}", host, address ? address->port : 0);
}

int login(Session& session, const LoginOptions& options) {
  if (options.name.find_first_of("\r\n") != std::string::npos)
    return report(session, Error{ErrorCode::invalid, "--name: a name has one line"});
  const auto wanted = described(session, options);
  if (!wanted) return report(session, wanted.error());
  const auto caller = caller_of(session, *wanted);
  if (!caller) return report(session, caller.error());
  std::string name = options.name;
  const auto kept = update_contexts(session.environment, [&](Contexts& contexts) {
    if (name.empty()) name = name_for(contexts, wanted->url);
    contexts.all[name] = *wanted;
    contexts.current = name;
  });
  if (!kept) return report(session, kept.error());
  if (!session.is_table()) return session.print(*caller), 0;
  session.out << fmt::format("Logged in to {} as {}; commands use this server from now on (context {}).\n", wanted->url,
                             printable(text_at(*caller, "user")), printable(name));
  return 0;
}

// The context of that name; without a name the current one.
Result<std::string> chosen(const Contexts& contexts, const std::string& name) {
  const auto& wanted = name.empty() ? contexts.current : name;
  if (wanted.empty()) return fail(ErrorCode::invalid, "you are not logged in to any server");
  if (!contexts.all.contains(wanted))
    return fail(ErrorCode::not_found, fmt::format("there is no context '{}'; see `ym context list`", wanted));
  return wanted;
}

Result<void> forget(Session& session, const std::string& name) {
  bool was_current = false;
  const auto done = update_contexts(session.environment, [&](Contexts& contexts) {
    contexts.all.erase(name);
    was_current = contexts.current == name;
    if (was_current) contexts.current.clear();
  });
  if (done && was_current)
    session.err << "(no context is current now: commands use the local server, if one runs here)\n";
  return done;
}

// The local server reads it from its folder again and again.
bool is_token_of_local_server(const Session& session, const Secret& token) {
  const auto state = default_state_dir(session.environment);
  std::ifstream file(state ? *state / "admin.token" : std::filesystem::path());
  std::string text;
  return std::getline(file, text) && text == token.reveal();
}

// Whether there was one that could be revoked.
Result<bool> revoke(Session& session, const Connection& context) {
  const auto caller = caller_of(session, context);
  if (!caller) return std::unexpected(caller.error());
  const auto id = text_at(*caller, "token/id");
  if (id.empty() || is_token_of_local_server(session, context.token)) return false;
  auto transport = session.connector(context);
  if (!transport) return std::unexpected(transport.error());
  const auto gone = Api(std::move(*transport), {}).remove("/api/v1/tokens/" + percent_encoded(id));
  return gone ? Result<bool>(true) : std::unexpected(gone.error());
}

// The token is forgotten here also if the server cannot be asked to revoke it.
int logout(Session& session, const ContextName& options) {
  const auto contexts = read_contexts(session.environment);
  if (!contexts) return report(session, contexts.error());
  const auto name = chosen(*contexts, options.name);
  if (!name) return report(session, name.error());
  const Connection& context = contexts->all.at(*name);
  const auto revoked = revoke(session, context);
  if (const auto done = forget(session, *name); !done) return report(session, done.error());
  if (!revoked && revoked.error().code != ErrorCode::unauthenticated) {
    session.err << fmt::format("The token is forgotten here, but it stays valid on {}:\n", context.url);
    return report(session, revoked.error());
  }
  const bool is_gone = revoked.value_or(true);  // one that the server does not know is gone, too
  if (session.is_table())
    session.out << fmt::format("Logged out of {}; the token {}.\n", context.url,
                               is_gone ? "is revoked" : "is the server's own one, and stays valid");
  else session.print(json::object{{"context", *name}, {"revoked", is_gone}});
  return 0;
}

int list_contexts(Session& session, const ContextList&) {
  const auto contexts = read_contexts(session.environment);
  if (!contexts) return report(session, contexts.error());
  if (!session.is_table()) {
    json::array rows;
    for (const auto& [name, context] : contexts->all)
      rows.push_back(json::object{{"name", name}, {"url", context.url}, {"current", name == contexts->current}});
    if (session.format == Format::name)
      print_each(session.out, rows, [](const auto& row) { return text_at(row, "name"); });
    else session.print(rows);
    return 0;
  }
  Table table({{"CURRENT"}, {"NAME"}, {"SERVER"}});
  for (const auto& [name, context] : contexts->all)
    table.add({name == contexts->current ? "*" : "", printable(name), printable(context.url)});
  table.print(session.out, session.terminal.width);
  return 0;
}

int use_context(Session& session, const ContextName& options) {
  const auto contexts = read_contexts(session.environment);
  if (!contexts) return report(session, contexts.error());
  const auto name = chosen(*contexts, options.name);
  if (!name) return report(session, name.error());
  const auto kept = update_contexts(session.environment, [&](Contexts& all) { all.current = *name; });
  if (!kept) return report(session, kept.error());
  if (session.is_table())
    session.out << fmt::format("Commands use {} from now on.\n", printable(contexts->all.at(*name).url));
  return 0;
}

int delete_context(Session& session, const ContextName& options) {
  const auto contexts = read_contexts(session.environment);
  if (!contexts) return report(session, contexts.error());
  const auto name = chosen(*contexts, options.name);
  if (!name) return report(session, name.error());
  if (const auto done = forget(session, *name); !done) return report(session, done.error());
  if (session.is_table()) session.out << fmt::format("{}  forgotten; its token stays valid\n", printable(*name));
  return 0;
}

}  // namespace

void add_login(Verbs& verbs) {
  auto in = std::make_shared<LoginOptions>();
  auto* login_verb = verbs.add("login", "Keep a server and your token for it; commands use it from then on");
  login_verb->add_option("URL", in->url, "https://HOST:PORT, or unix:/PATH of a server on this machine");
  login_verb->add_option("--name", in->name, "Name of the context; default: the host");
  auto* ways = login_verb->add_option_group("ways");
  ways->require_option(0, 1);
  ways->add_flag("--with-token", in->with_token, "Read the token from standard input");
  ways->add_flag("--browser", in->browser, "Log in by the browser of this machine");
  ways->add_flag("--ci", in->ci, "Log in by the identity token of this CI job (GitHub Actions, GitLab)");
  ways->add_option("--id-token", in->id_token, "Log in by the identity token in this file, as pods have one");
  auto* munge = ways->add_flag("--munge", in->munge, "Log in by your account on this machine, by MUNGE");
  login_verb->add_option("--munge-socket", in->munge_socket, "Socket of MUNGE's daemon; default: the usual one")
      ->needs(munge);
  login_verb->add_option("--audience", in->audience,
                         "With --ci on GitHub, or --munge: the server as its token names it; default: the URL");
  login_verb->add_flag("--plain-http", in->plain_http, "Send the token by http also to another machine");
  verbs.on(login_verb, in, login);
  auto out = std::make_shared<ContextName>();
  auto* logout_verb = verbs.add("logout", "Revoke your token and forget the server");
  logout_verb->add_option("NAME", out->name, "Context; default: the current one");
  verbs.on(logout_verb, out, logout);
  auto* context = verbs.add("context", "Servers that you are logged in to");
  context->require_subcommand(1);
  verbs.on(context->add_subcommand("list", "Show them"), std::make_shared<ContextList>(), list_contexts);
  for (const auto& [word, help, act] : {std::tuple{"use", "Let commands use this one", &use_context},
                                        {"delete", "Forget it, and leave its token valid", &delete_context}}) {
    auto options = std::make_shared<ContextName>();
    auto* verb = context->add_subcommand(word, help);
    verb->add_option("NAME", options->name, "Its name")->required();
    verbs.on(verb, options, act);
  }
}

}  // namespace ym::cli
