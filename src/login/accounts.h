// Accounts of this machine as users of this server.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "login/proof.h"
#include "model/access/login_settings.h"

namespace ym::login {

// What stands for the provider of these users. No provider's URL is such a text.
inline constexpr std::string_view kAccountsIssuer = "unix";

// The user of an account, with its groups. Blocks while a directory answers. Errors: `unauthenticated`: there is no
// such account, or it is one of the system; `unavailable`: the directory does not answer.
Result<ProvenUser> user_of_account(const AccountLogins& settings, std::uint32_t uid);

struct MungeProof {
  std::uint32_t uid = 0;
  std::string proof;  // the same for the same credential only
};
// Asks the daemon of this machine. Errors: `unauthenticated`: the credential does not count, or is for another server;
// `unavailable`.
Result<MungeProof> read_munge(const AccountLogins& settings, const std::string& credential,
                              const std::string& server_url);

}  // namespace ym::login
