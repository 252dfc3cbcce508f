#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/fd.h"
#include "cli/discovery.h"
#include "cli/verbs/verb.h"

namespace ym::cli {
namespace {

namespace fs = std::filesystem;

constexpr auto kLook = std::chrono::milliseconds(100);
constexpr int kLooks = 150;

struct RecoverOptions {
  std::string state, reason;
};

Result<void> write_request(const fs::path& path, const std::string& reason) {
  const Fd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (file && ::write(file.get(), reason.data(), reason.size()) == static_cast<ssize_t>(reason.size())) return {};
  return fail(ErrorCode::io,
              fmt::format("cannot write {}: {}; run this as the server's user", path.string(), std::strerror(errno)));
}

// The server looks once a second.
Result<std::string> wait_for_token(const fs::path& path) {
  for (int i = 0; i < kLooks; ++i) {
    std::string token;
    if (std::ifstream file(path); std::getline(file, token)) {
      std::error_code ignored;
      fs::remove(path, ignored);
      return token;
    }
    std::this_thread::sleep_for(kLook);
  }
  return fail(ErrorCode::unavailable, "the server did not answer; see its log, and whether it runs with this --state");
}

int recover(Session& session, const RecoverOptions& options) {
  const auto dir = options.state.empty() ? default_state_dir(session.environment) : Result<fs::path>(options.state);
  if (!dir) return report(session, dir.error());
  std::error_code ignored;
  if (!fs::exists(*dir / "server.json", ignored))
    return report(session, Error{ErrorCode::unavailable, fmt::format("no server runs on {}", dir->string())});
  fs::remove(*dir / "recover.token", ignored);  // an earlier call may have ended before it took the token
  if (auto asked = write_request(*dir / "recover.request", options.reason); !asked)
    return report(session, asked.error());
  const auto token = wait_for_token(*dir / "recover.token");
  fs::remove(*dir / "recover.request", ignored);
  if (!token) return report(session, token.error());
  session.out << *token << '\n';
  return 0;
}

}  // namespace

void add_admin(Verbs& verbs) {
  auto* admin = verbs.add("admin", "Get back in, on the server's machine and as its user");
  admin->require_subcommand(1);
  auto options = std::make_shared<RecoverOptions>();
  auto* verb = admin->add_subcommand("recover", "Print an administrator's token that is valid for an hour");
  verb->add_option("--state", options->state, "Folder of the server; default: the default state folder");
  verb->add_option("--reason", options->reason, "Why; the token's note and the log have it")->required();
  verbs.on(verb, options, recover);
}

}  // namespace ym::cli
