#include "admin_access.h"

#include <fcntl.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "base/fd.h"
#include "spec/files/configuration_file.h"
#include "start_files.h"

namespace ym {
namespace {

namespace fs = std::filesystem;

constexpr Duration kRecovered = hours(1);
constexpr std::size_t kLongestReason = 150;
constexpr std::string_view kRecovery = "ym admin recover";

bool is_administrator(ControlServer& control, const Caller& caller) {
  return holds(control.reads().access_of(caller), Permissions::all(), {});
}

// The caller with the token of the file. Nothing: there is no file, or its token is not valid.
std::optional<Caller> caller_of(ControlServer& control, const fs::path& path) {
  const auto text = read_text(path.string(), "token");
  if (!text) return std::nullopt;
  auto caller = control.reads().authenticate(Secret(text->substr(0, text->find('\n'))));
  return caller ? std::optional(std::move(*caller)) : std::nullopt;
}

Result<void> take_away(ControlServer& control, const fs::path& path) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return {};
  if (const auto caller = caller_of(control, path))
    if (auto revoked = control.execute_now(RevokeToken{caller->token}, "ym serve"); !revoked)
      return std::unexpected(revoked.error());
  fs::remove(path, ignored);
  spdlog::info("auth.admin_token is false: {} is removed, and its token revoked", path.string());
  return {};
}

// Takes the request's file away. Nothing: there is none, or another user wrote it.
std::optional<std::string> take_request(const fs::path& path) {
  const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!file) return std::nullopt;
  struct stat found{};
  std::array<char, kLongestReason> text{};
  const bool is_ours =
      ::fstat(file.get(), &found) == 0 && S_ISREG(found.st_mode) && (found.st_uid == ::geteuid() || found.st_uid == 0);
  const auto size = is_ours ? ::read(file.get(), text.data(), text.size()) : -1;
  ::unlink(path.c_str());
  if (size < 0) return std::nullopt;
  return std::string(text.data(), static_cast<std::size_t>(size));
}

Result<Secret> make_recovery_token(ControlServer& control, const std::string& reason) {
  const std::string user = current_user();
  const auto rows = control.reads().access().principals(Caller::server());
  const auto row = std::ranges::find(rows, user, &Principal::handle);
  if (row != rows.end() && is_disabled(*row))
    if (auto enabled = control.execute_now(ChangePrincipal{.principal = user, .disabled = false}, kRecovery); !enabled)
      return std::unexpected(enabled.error());
  auto made = control.execute_now(CreateToken{.principal = user,
                                              .scopes = std::vector<std::string>(),
                                              .lifetime = kRecovered,
                                              .note = "break-glass: " + reason},
                                  kRecovery);
  if (!made) return std::unexpected(made.error());
  if (!is_administrator(control, {.principal = made->token->token.principal}))
    if (auto bound = control.execute_now(
            BindRole{.role = std::string(kAdminRole), .to = user, .scope = {}, .lifetime = kRecovered}, kRecovery);
        !bound)
      return std::unexpected(bound.error());
  return *made->token->secret;
}

}  // namespace

Result<void> provide_admin_token(ControlServer& control, const fs::path& dir, bool wanted, bool is_alone) {
  const auto path = dir / "admin.token";
  if (!wanted) return take_away(control, path);
  if (const auto caller = caller_of(control, path); caller && is_administrator(control, *caller)) return {};
  const auto made =
      control.execute_now(RotateAdminToken{.principal = current_user(), .keeps_others = !is_alone}, "ym serve");
  if (!made) return std::unexpected(made.error());
  return write_file(path, made->token->secret->reveal() + "\n", 0600);
}

void keep_admin_token(const fs::path& dir, const std::string& principal, const Secret& token) {
  std::error_code ignored;
  if (principal != current_user() || !fs::exists(dir / "admin.token", ignored)) return;
  if (const auto written = write_file(dir / "admin.token", token.reveal() + "\n", 0600); !written)
    spdlog::error("the new token of the administrator was not written: {}", written.error().message);
}

void answer_recovery(ControlServer& control, const fs::path& dir) {
  const auto reason = take_request(dir / "recover.request");
  if (!reason) return;
  const auto token = make_recovery_token(control, *reason);
  const auto written = token ? write_file(dir / "recover.token", token->reveal() + "\n", 0600)
                             : Result<void>(std::unexpected(token.error()));
  if (written) spdlog::warn("break-glass: an administrator's token for an hour was made: {}", *reason);
  else spdlog::error("break-glass: no token was made: {}", written.error().message);
}

}  // namespace ym
