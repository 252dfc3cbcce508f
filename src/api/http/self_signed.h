// A certificate that a server makes for itself, for one machine without an authority. Clients pin its fingerprint, or
// trust the file. It hides OpenSSL.
#pragma once

#include <span>
#include <string>

#include "base/result.h"
#include "base/secret.h"
#include "base/time.h"

namespace ym::api {

struct SelfSigned {
  std::string certificate;  // PEM
  Secret key;               // PEM
};

// A P-256 key, and a certificate for these host names and addresses, valid from a day before `now` for ten years: pins
// must outlive it. Precondition: `names` is not empty. Errors: `internal`.
Result<SelfSigned> make_self_signed(std::span<const std::string> names, Instant now);

}  // namespace ym::api
