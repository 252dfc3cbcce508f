// Whether a token of a service account is valid: TokenReview (authentication.k8s.io/v1). The API server knows of pods
// and accounts that were deleted meanwhile. This needs the right to create TokenReviews.
#pragma once

#include <string>

#include "base/result.h"
#include "executor/kubernetes/api/api_client.h"

namespace ym::kubernetes {

struct ReviewedAccount {
  std::string name_space, name;
  std::string pod;  // empty: the token is bound to none
  bool operator==(const ReviewedAccount&) const = default;
};

// Errors: `unauthenticated`: the token is not valid, is not for the audience, or is of no service account;
// `unavailable`: the server does not answer, or does not let us ask.
Result<ReviewedAccount> review_token(ApiClient& client, const std::string& token, const std::string& audience);

// The same of an answer. An answer without audiences is of a server that does not look at them.
Result<ReviewedAccount> read_review(const json::value& answer, const std::string& audience);

}  // namespace ym::kubernetes
