// Asks Kubernetes clusters about tokens of their service accounts.
#pragma once

#include <memory>

#include "login/token_reviews.h"

namespace ym {

// Connects when a cluster is asked for the first time.
std::unique_ptr<login::TokenReviews> make_token_reviews();

}  // namespace ym
