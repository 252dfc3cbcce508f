#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <istream>

#include "cli/contexts.h"
#include "cli/http/url.h"
#include "cli/term/table.h"
#include "cli/term/text.h"
#include "cli/verbs/verb.h"
#include "cli/views/json_view.h"
#include "net/url.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

struct LoginOptions {
  std::string url, name;
  bool with_token = false;
};
struct ContextName {
  std::string name;
};
struct ContextList {};

// "ym.example" of "https://ym.example:8470".
Result<std::string> host_of(const std::string& url) {
  const auto address = net::parse_url(url);
  if (!address) return std::unexpected(address.error());
  return address->host;
}

// Asked of the server, so that a wrong token is not kept. Returns the principal.
Result<json::value> caller_of(Session& session, const Connection& connection) {
  auto transport = session.connector(connection);
  if (!transport) return std::unexpected(transport.error());
  Api api(std::move(*transport), {});
  return api.get("/api/v1/whoami");
}

// The connection that the words, the flags and standard input describe. Errors: `invalid`.
Result<Connection> described(Session& session, const LoginOptions& options) {
  if (!options.with_token)
    return fail(ErrorCode::invalid,
                "give --with-token, and the token on standard input: ym login URL --with-token < FILE");
  const auto& flags = session.flags;
  const auto variable = [&](const char* name) { return session.environment(name).value_or(""); };
  const auto first = [](const std::string& one, const std::string& other) { return one.empty() ? other : one; };
  Connection wanted{.url = first(options.url, first(flags.url, variable("YM_URL"))),
                    .token = {},
                    .ca_file = first(flags.ca_file, variable("YM_CA_FILE")),
                    .fingerprint = first(flags.fingerprint, variable("YM_FINGERPRINT"))};
  if (wanted.url.empty()) return fail(ErrorCode::invalid, "name the server: ym login https://HOST:PORT --with-token");
  while (wanted.url.ends_with('/')) wanted.url.pop_back();
  std::string token;
  std::getline(session.in, token);
  while (!token.empty() && (token.back() == '\r' || token.back() == ' ')) token.pop_back();
  if (token.empty()) return fail(ErrorCode::invalid, "standard input has no token");
  wanted.token = Secret(std::move(token));
  return wanted;
}

int login(Session& session, const LoginOptions& options) {
  const auto wanted = described(session, options);
  if (!wanted) return report(session, wanted.error());
  const auto host = host_of(wanted->url);
  if (!host) return report(session, host.error());
  const auto caller = caller_of(session, *wanted);
  if (!caller) return report(session, caller.error());
  auto contexts = read_contexts(session.environment);
  if (!contexts) return report(session, contexts.error());
  const auto name = options.name.empty() ? *host : options.name;
  contexts->all[name] = *wanted;
  contexts->current = name;
  if (const auto kept = write_contexts(*contexts, session.environment); !kept) return report(session, kept.error());
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

Result<void> forget(Session& session, Contexts contexts, const std::string& name) {
  contexts.all.erase(name);
  if (contexts.current == name) contexts.current.clear();
  return write_contexts(contexts, session.environment);
}

// The token is forgotten here also if the server cannot be asked to revoke it.
int logout(Session& session, const ContextName& options) {
  const auto contexts = read_contexts(session.environment);
  if (!contexts) return report(session, contexts.error());
  const auto name = chosen(*contexts, options.name);
  if (!name) return report(session, name.error());
  const Connection& context = contexts->all.at(*name);
  const auto caller = caller_of(session, context);
  auto revoked = caller ? Result<void>() : std::unexpected(caller.error());
  if (const auto id = caller ? text_at(*caller, "token/id") : ""; !id.empty()) {
    auto transport = session.connector(context);
    auto gone = transport ? Api(std::move(*transport), {}).remove("/api/v1/tokens/" + percent_encoded(id))
                          : Result<json::value>(std::unexpected(transport.error()));
    if (!gone) revoked = std::unexpected(gone.error());
  }
  if (const auto done = forget(session, *contexts, *name); !done) return report(session, done.error());
  if (!revoked && revoked.error().code != ErrorCode::unauthenticated) {
    session.err << fmt::format("The token is forgotten here, but it stays valid on {}:\n", context.url);
    return report(session, revoked.error());
  }
  if (session.is_table()) session.out << fmt::format("Logged out of {}; the token is revoked.\n", context.url);
  else session.print(json::object{{"context", *name}, {"revoked", true}});
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
  auto contexts = read_contexts(session.environment);
  if (!contexts) return report(session, contexts.error());
  const auto name = chosen(*contexts, options.name);
  if (!name) return report(session, name.error());
  contexts->current = *name;
  if (const auto kept = write_contexts(*contexts, session.environment); !kept) return report(session, kept.error());
  if (session.is_table())
    session.out << fmt::format("Commands use {} from now on.\n", printable(contexts->all.at(*name).url));
  return 0;
}

int delete_context(Session& session, const ContextName& options) {
  const auto contexts = read_contexts(session.environment);
  if (!contexts) return report(session, contexts.error());
  const auto name = chosen(*contexts, options.name);
  if (!name) return report(session, name.error());
  if (const auto done = forget(session, *contexts, *name); !done) return report(session, done.error());
  if (session.is_table()) session.out << fmt::format("{}  forgotten; its token stays valid\n", printable(*name));
  return 0;
}

}  // namespace

void add_login(Verbs& verbs) {
  auto in = std::make_shared<LoginOptions>();
  auto* login_verb = verbs.add("login", "Keep a server and your token for it; commands use it from then on");
  login_verb->add_option("URL", in->url, "https://HOST:PORT");
  login_verb->add_option("--name", in->name, "Name of the context; default: the host");
  login_verb->add_flag("--with-token", in->with_token, "Read the token from standard input");
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
