// TokenReviews: the port to Kubernetes clusters, which say whether tokens of their service accounts are valid.
#pragma once

#include <string>

#include "base/result.h"
#include "oidc/json.h"

namespace ym::login {

// Thread-safe.
class TokenReviews {
 public:
  virtual ~TokenReviews() = default;

  // Asks a cluster ("here", or the path of a kubeconfig) whether this is a token of it for `audience`. Returns what is
  // known of its account, as claims: `namespace`, `serviceaccount`, and of a pod `pod`. Blocks. Errors:
  // `unauthenticated`; `unavailable`: the cluster cannot be asked, or does not answer.
  virtual Result<oidc::Json> review(const std::string& cluster, const std::string& token,
                                    const std::string& audience) = 0;
  // Ends the calls in progress, and all later ones, with `unavailable`.
  virtual void cancel() = 0;
};

}  // namespace ym::login
