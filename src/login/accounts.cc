#include "login/accounts.h"

#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <vector>

#include "munge/munge.h"

namespace ym::login {
namespace {

constexpr std::size_t kFirstBuffer = std::size_t{4} << 10, kMostBuffer = std::size_t{4} << 20;
constexpr std::size_t kLeastRandom = 16;

std::unexpected<Error> no_answer(std::string_view of, int code) {
  return fail(ErrorCode::unavailable, fmt::format("the accounts of this machine cannot be read ({}): {}", of,
                                                  std::generic_category().message(code)));
}

// Calls a function of the getpwuid_r family with a buffer that grows. Null: there is no such entry.
template <class Row>
Result<const Row*> look_up(std::vector<char>& buffer, Row& row, auto&& call) {
  for (buffer.resize(kFirstBuffer); buffer.size() <= kMostBuffer; buffer.resize(2 * buffer.size())) {
    Row* found = nullptr;
    const int code = call(&row, buffer.data(), buffer.size(), &found);
    if (code == ERANGE || code == EINTR) continue;
    if (found == nullptr && code != 0 && code != ENOENT && code != ESRCH) return no_answer("NSS", code);
    return found;
  }
  return no_answer("NSS", ERANGE);
}

struct Account {
  std::string name, display;
  gid_t group = 0;
};

Result<Account> find_account(std::uint32_t uid) {
  std::vector<char> buffer;
  passwd row{};
  const auto found = look_up(buffer, row, [&](auto... rest) { return getpwuid_r(uid, rest...); });
  if (!found) return std::unexpected(found.error());
  if (*found == nullptr)
    return fail(ErrorCode::unauthenticated, fmt::format("this machine has no account with the number {}", uid));
  const std::string gecos = row.pw_gecos == nullptr ? "" : row.pw_gecos;
  return Account{.name = row.pw_name, .display = gecos.substr(0, gecos.find(',')), .group = row.pw_gid};
}

Result<std::vector<gid_t>> groups_of(const Account& account) {
  int count = 64;
  std::vector<gid_t> ids;
  do {
    ids.resize(static_cast<std::size_t>(count));
    if (getgrouplist(account.name.c_str(), account.group, ids.data(), &count) >= 0) {
      ids.resize(static_cast<std::size_t>(count));
      return ids;
    }
    count = std::max(count, static_cast<int>(2 * ids.size()));
  } while (ids.size() < (std::size_t{1} << 16));
  return no_answer("getgrouplist", ERANGE);
}

// A group without a name gives nothing: bindings name groups.
Result<std::string> name_of_group(gid_t id) {
  std::vector<char> buffer;
  group row{};
  const auto found = look_up(buffer, row, [&](auto... rest) { return getgrgid_r(id, rest...); });
  if (!found) return std::unexpected(found.error());
  return std::string(*found == nullptr ? "" : row.gr_name);
}

}  // namespace

Result<ProvenUser> user_of_account(const AccountLogins& settings, std::uint32_t uid) {
  constexpr std::uint32_t kOverflow = 65534;  // stands for all accounts that a user namespace does not map
  if (uid == 0 || uid == ::geteuid() || uid == kOverflow || std::int64_t{uid} < settings.least_uid)
    return fail(ErrorCode::unauthenticated,
                "accounts of the system, and the server's own, cannot log in (auth.accounts.least_uid)");
  const auto account = find_account(uid);
  if (!account) return std::unexpected(account.error());
  const auto ids = groups_of(*account);
  if (!ids) return std::unexpected(ids.error());
  // The number alone would give a later account with it the rights of an earlier one.
  ProvenUser user{.issuer = std::string(kAccountsIssuer),
                  .subject = fmt::format("{} {}", uid, account->name),
                  .handle = settings.handle_prefix + account->name,
                  .display = account->display};
  for (const gid_t id : *ids) {
    auto name = name_of_group(id);
    if (!name) return std::unexpected(name.error());
    if (!name->empty()) user.groups.push_back(settings.groups_prefix + *name);
  }
  std::ranges::sort(user.groups);
  const auto repeated = std::ranges::unique(user.groups);
  user.groups.erase(repeated.begin(), repeated.end());
  if (user.groups.size() > kMostGroups)
    return fail(ErrorCode::unavailable,
                fmt::format("the account is in {} groups; at most {} can count", user.groups.size(), kMostGroups));
  return user;
}

Result<MungeProof> read_munge(const AccountLogins& settings, const std::string& credential,
                              const std::string& server_url) {
  auto decoded = munge::decode(credential, settings.munge_socket);
  if (!decoded) return std::unexpected(decoded.error());
  const auto random = decoded->payload.rfind('\n');
  const bool fits = random != std::string::npos &&
                    decoded->payload == munge::login_payload(server_url, decoded->payload.substr(random + 1)) &&
                    decoded->payload.size() - random > kLeastRandom;
  if (!fits)
    return fail(ErrorCode::unauthenticated,
                fmt::format("the credential is not for a login at {}; name the server by this URL, or with --audience",
                            server_url));
  return MungeProof{.uid = decoded->uid, .proof = "munge " + decoded->payload};
}

}  // namespace ym::login
