// Requests to one address of another server: JSON over HTTPS.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/secret.h"
#include "base/time.h"
#include "oidc/json.h"

namespace ym::net {
class Cancel;
}

namespace ym::oidc {

using Form = std::vector<std::pair<std::string, std::string>>;
// "a=b&c=d", as forms and queries have it.
std::string encode_form(const Form& fields);

struct WebAnswer {
  int status = 0;
  Json body;           // null: it is no JSON
  Duration max_age{};  // Cache-Control; 0: it says none
};

// Talks to addresses of one issuer. Thread-safe; each call blocks for ten seconds at most.
class Web {
 public:
  explicit Web(std::string ca_file);
  ~Web();

  // Ends the calls in progress, and all later ones, with `unavailable`.
  void cancel() const;

  // Errors: `unavailable`: there was no answer, or one that is too large; `invalid`: the address is none. Redirects are
  // not followed: such an answer is one of its status.
  Result<WebAnswer> get(const std::string& url, const Secret& bearer = {}) const;
  // `authorization`: the field of this name; empty: none.
  Result<WebAnswer> post(const std::string& url, const Form& form, const Secret& authorization = {}) const;

 private:
  std::string ca_file_;
  std::unique_ptr<net::Cancel> cancel_;
};

}  // namespace ym::oidc
