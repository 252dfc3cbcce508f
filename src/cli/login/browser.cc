#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include "base/base64url.h"
#include "cli/http/url.h"
#include "cli/login/callback.h"
#include "cli/login/oauth.h"
#include "cli/login/ways.h"
#include "oidc/digest.h"

namespace ym::cli {
namespace {

constexpr Duration kTimeout = minutes(10);

// Without a browser here the user opens the address itself, which is shown anyway.
void open_browser(const Session& session, const std::string& url) {
  std::string program = session.environment("BROWSER").value_or("");
  if (program.empty()) program = "xdg-open";
  std::string argument = url;
  char* const words[] = {program.data(), argument.data(), nullptr};
  posix_spawn_file_actions_t files{};
  ::posix_spawn_file_actions_init(&files);
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    ::posix_spawn_file_actions_addopen(&files, fd, "/dev/null", O_RDWR, 0);
  pid_t child = 0;
  (void)::posix_spawnp(&child, program.c_str(), &files, nullptr, words, environ);
  ::posix_spawn_file_actions_destroy(&files);
}

}  // namespace

Result<Secret> log_in_by_browser(Session& session, const Connection& server) {
  auto callback = Callback::listen();
  if (!callback) return std::unexpected(callback.error());
  const auto verifier = oidc::random_text(), state = oidc::random_text();
  const auto url = server.url + target("/oauth2/authorize", {{"response_type", "code"},
                                                             {"client_id", "ym"},
                                                             {"redirect_uri", callback->url()},
                                                             {"state", state},
                                                             {"code_challenge", to_base64url(oidc::sha256(verifier))},
                                                             {"code_challenge_method", "S256"}});
  session.err << fmt::format("Log in in the browser that opens. If none opens, open on this machine:\n\n    {}\n\n",
                             url)
              << std::flush;
  open_browser(session, url);
  session.watch_interrupt();
  const Instant end = session.now() + kTimeout;
  // Another page may call the address: only the answer to this question counts.
  while (true) {
    const auto query = callback->wait([&] { return !session.interrupted() && session.now() < end; });
    if (!query) return std::unexpected(query.error());
    if (query->state != state) continue;
    if (!query->error.empty()) return fail(ErrorCode::forbidden, "the login was not allowed");
    const auto reply = post_form(session, server, "/oauth2/token",
                                 {{"grant_type", "authorization_code"},
                                  {"client_id", "ym"},
                                  {"code", query->code},
                                  {"redirect_uri", callback->url()},
                                  {"code_verifier", verifier}});
    return reply ? token_in(*reply) : std::unexpected(reply.error());
  }
}

}  // namespace ym::cli
