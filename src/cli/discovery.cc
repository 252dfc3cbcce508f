#include "cli/discovery.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/parse.hpp>
#include <fstream>
#include <sstream>

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

Result<Discovered> discover(const ConnectionFlags& flags, const EnvironmentReader& environment) {
  const auto token = explicit_token(flags, environment);
  if (!token) return std::unexpected(token.error());
  Discovered found{.connection = {.url = first_of(flags.url, environment("YM_URL")),
                                  .token = Secret(token->text),
                                  .ca_file = first_of(flags.ca_file, environment("YM_CA_FILE")),
                                  .fingerprint = first_of(flags.fingerprint, environment("YM_FINGERPRINT"))},
                   .token_from = token->from};
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
                            "or name one with --url or YM_URL",
                            state->string()));
  if (found.connection.url != local.url) return found;
  if (found.connection.fingerprint.empty()) found.connection.fingerprint = local.fingerprint;
  if (token->text.empty()) {
    const auto file = *state / "admin.token";
    found.connection.token = Secret(trimmed(read_file(file).value_or("")));
    if (!found.connection.token.reveal().empty()) found.token_from = file.string();
  }
  return found;
}

}  // namespace ym::cli
