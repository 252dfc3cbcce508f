#include "cli/discovery.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/parse.hpp>
#include <fstream>
#include <sstream>

#include "cli/contexts.h"
#include "cli/views/json_view.h"

namespace ym::cli {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> read_file(const fs::path& path) {
  constexpr std::streamsize kLargest = 64 << 10;
  std::ifstream file(path);
  if (!file) return std::nullopt;
  std::string text(static_cast<std::size_t>(kLargest), '\0');
  file.read(text.data(), kLargest);
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

std::string trimmed(std::string text) {
  text.erase(text.find_last_not_of(" \t\r\n") + 1);
  text.erase(0, text.find_first_not_of(" \t\r\n"));
  return text;
}

std::string first_of(const std::string& flag, const std::optional<std::string>& variable) {
  return flag.empty() ? variable.value_or("") : flag;
}

// What server.json says; empty: there is none.
struct LocalServer {
  std::string url, fingerprint;
};

LocalServer local_server(const fs::path& state) {
  const auto text = read_file(state / "server.json");
  boost::system::error_code bad;
  const auto parsed = text ? boost::json::parse(*text, bad) : boost::json::value();
  return bad ? LocalServer{}
             : LocalServer{.url = text_at(parsed, "url"), .fingerprint = text_at(parsed, "fingerprint")};
}

// A text that cannot be a token would break the head of the request, so it is not sent.
Result<std::string> checked_token(std::string token, std::string_view from) {
  const bool well_formed = std::ranges::all_of(token, [](char c) { return c > ' ' && c < '\x7f'; });
  if (well_formed) return token;
  return fail(ErrorCode::unauthenticated,
              fmt::format("the token from {} has blanks, line breaks or other characters that no token has", from));
}

struct GivenToken {
  std::string text;
  std::string from;
};

// The first text that is not empty; empty: all are.
Result<GivenToken> explicit_token(const ConnectionFlags& flags, const EnvironmentReader& environment) {
  const auto path = environment("YM_TOKEN_FILE").value_or("");
  GivenToken given{.text = trimmed(flags.token), .from = "--token"};
  if (given.text.empty()) given = {trimmed(environment("YM_TOKEN").value_or("")), "YM_TOKEN"};
  if (given.text.empty() && !path.empty()) {
    const auto text = read_file(path);
    if (!text)
      return fail(ErrorCode::unauthenticated, fmt::format("YM_TOKEN_FILE names {}, which cannot be read", path));
    given = {trimmed(*text), path};
  }
  auto checked = checked_token(given.text, given.from);
  if (!checked) return std::unexpected(checked.error());
  return given.text.empty() ? GivenToken{} : given;
}

}  // namespace

Result<fs::path> default_state_dir(const EnvironmentReader& environment) {
  const auto variable = [&](const char* name) { return environment(name).value_or(""); };
  if (const auto state = variable("YM_STATE"); !state.empty()) return fs::absolute(state);
  // The XDG specification: ignore relative paths.
  if (const auto xdg = variable("XDG_STATE_HOME"); xdg.starts_with('/')) return fs::path(xdg) / "yardmaster";
  if (const auto home = variable("HOME"); home.starts_with('/')) return fs::path(home) / ".local/state/yardmaster";
  return fail(ErrorCode::invalid, "the folder of the state is not known: HOME is not set; set YM_STATE to a folder");
}

namespace {

using Context = const std::pair<const std::string, Connection>*;

// The context that names the server. Null: none does.
Result<Context> named_context(const Contexts& contexts, const std::string& wanted, bool has_token,
                              const EnvironmentReader& environment) {
  const bool is_named = !wanted.empty();
  // A state folder that is named says which server is meant.
  if (!is_named && (contexts.current.empty() || !environment("YM_STATE").value_or("").empty())) return nullptr;
  const auto found = contexts.all.find(is_named ? wanted : contexts.current);
  if (found == contexts.all.end())
    return fail(ErrorCode::invalid,
                fmt::format("there is no context '{}'; see `ym context list`, and choose one with `ym "
                            "context use`",
                            is_named ? wanted : contexts.current));
  // A token of somewhere else, as in a job, must not go to the server that the user is logged in to.
  if (!is_named && has_token)
    return fail(ErrorCode::invalid,
                fmt::format("a token is given, but not the server that it is for: name it with --url, "
                            "YM_URL or --context ({} is only the current context)",
                            found->second.url));
  return &*found;
}

// The context with this address; the current one before others. Null: there is none.
Context context_of(const Contexts& contexts, const std::string& url) {
  const auto current = contexts.all.find(contexts.current);
  if (current != contexts.all.end() && current->second.url == url) return &*current;
  const auto same = std::ranges::find_if(contexts.all, [&](const auto& entry) { return entry.second.url == url; });
  return same == contexts.all.end() ? nullptr : &*same;
}

// What was not given otherwise.
void use(Context context, Discovered& found) {
  const auto& [name, known] = *context;
  if (found.connection.token.empty() && !known.token.empty()) {
    found.connection.token = known.token;
    found.token_from = fmt::format("context {}", name);
  }
  if (!found.connection.ca_file.empty() || !found.connection.fingerprint.empty()) return;
  found.connection.ca_file = known.ca_file;
  found.connection.fingerprint = known.fingerprint;
}

// What the folder of the local server knows, if that is the server.
void use_local(const fs::path& state, const LocalServer& local, Discovered& found) {
  if (found.connection.url != local.url) return;
  if (found.connection.fingerprint.empty()) found.connection.fingerprint = local.fingerprint;
  if (!found.connection.token.empty()) return;
  const auto file = state / "admin.token";
  found.connection.token = Secret(trimmed(read_file(file).value_or("")));
  if (!found.connection.token.empty()) found.token_from = file.string();
}

// Sets the address, and what a context knows of the server.
Result<void> choose_server(const ConnectionFlags& flags, const EnvironmentReader& environment, Discovered& found) {
  if (!flags.url.empty() && !flags.context.empty())
    return fail(ErrorCode::invalid, "--url and --context both name a server: leave one out");
  auto& url = found.connection.url;
  if (!flags.context.empty()) url.clear();  // a flag comes before a variable
  while (url.ends_with('/')) url.pop_back();
  const bool has_token = !found.connection.token.empty();
  const auto contexts = read_contexts(environment);
  if (!contexts && !url.empty() && has_token) return {};  // nothing of them is needed
  if (!contexts) return std::unexpected(contexts.error());
  const auto wanted = first_of(flags.context, url.empty() ? environment("YM_CONTEXT") : std::nullopt);
  const auto context = url.empty() ? named_context(*contexts, wanted, has_token, environment)
                                   : Result<Context>(context_of(*contexts, url));
  if (!context) return std::unexpected(context.error());
  if (*context == nullptr) return {};
  url = (*context)->second.url;
  use(*context, found);
  return {};
}

}  // namespace

Result<Discovered> discover(const ConnectionFlags& flags, const EnvironmentReader& environment) {
  const auto token = explicit_token(flags, environment);
  if (!token) return std::unexpected(token.error());
  Discovered found{.connection = {.url = first_of(flags.url, environment("YM_URL")),
                                  .token = Secret(token->text),
                                  .ca_file = first_of(flags.ca_file, environment("YM_CA_FILE")),
                                  .fingerprint = first_of(flags.fingerprint, environment("YM_FINGERPRINT"))},
                   .token_from = token->from};
  if (const auto chosen = choose_server(flags, environment, found); !chosen) return std::unexpected(chosen.error());
  found.is_explicit = !found.connection.url.empty();
  const auto state = default_state_dir(environment);
  if (!state && !found.is_explicit) return std::unexpected(state.error());
  const auto local = state ? local_server(*state) : LocalServer{};
  if (!found.is_explicit) {
    found.connection.url = local.url;
    found.state = *state;
  }
  if (found.connection.url.empty())
    return fail(ErrorCode::unavailable,
                fmt::format("no server is running here ({} has no server.json); start one with `ym serve` or `ym run`, "
                            "or name one with --url, YM_URL or `ym login`",
                            state->string()));
  if (state) use_local(*state, local, found);
  return found;
}

}  // namespace ym::cli
