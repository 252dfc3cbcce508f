#include "executor/kubernetes/api/token_review.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

namespace ym::kubernetes {
namespace {

// A program waits, and so do other logins.
constexpr Duration kTimeout = seconds(10);

std::unexpected<Error> refuse(std::string why) { return fail(ErrorCode::unauthenticated, std::move(why)); }

json::value review_of(const std::string& token, const std::string& audience) {
  return json::object{{"apiVersion", "authentication.k8s.io/v1"},
                      {"kind", "TokenReview"},
                      {"spec", json::object{{"token", token}, {"audiences", json::array{json::string(audience)}}}}};
}

}  // namespace

Result<ReviewedAccount> read_review(const json::value& answer, const std::string& audience) {
  if (!true_at(answer, "/status/authenticated")) return refuse("the cluster does not know this token");
  const auto& audiences = list_at(answer, "/status/audiences");
  const auto is_ours = [&](const json::value& one) { return one.is_string() && one.get_string() == audience; };
  if (std::ranges::none_of(audiences, is_ours)) return refuse("the token is for another audience (aud)");
  constexpr std::string_view kServiceAccount = "system:serviceaccount:";
  const auto user = text_at(answer, "/status/user/username");
  const auto colon = user.starts_with(kServiceAccount) ? user.find(':', kServiceAccount.size()) : std::string::npos;
  if (colon == std::string::npos) return refuse("the token is of no service account");
  const auto& pods = list_at(answer, "/status/user/extra/authentication.kubernetes.io~1pod-name");
  return ReviewedAccount{
      .name_space = user.substr(kServiceAccount.size(), colon - kServiceAccount.size()),
      .name = user.substr(colon + 1),
      .pod = pods.size() == 1 && pods[0].is_string() ? std::string(pods[0].get_string()) : std::string()};
}

Result<ReviewedAccount> review_token(ApiClient& client, const std::string& token, const std::string& audience) {
  const auto answer =
      client.create_once("/apis/authentication.k8s.io/v1/tokenreviews", review_of(token, audience), kTimeout);
  if (answer) return read_review(*answer, audience);
  if (answer.error().kind == ApiError::Kind::forbidden)
    return fail(ErrorCode::unavailable,
                "the cluster does not let this server ask about tokens: let its account there create "
                "TokenReviews (ClusterRole system:auth-delegator)");
  return fail(ErrorCode::unavailable, "the cluster does not answer: " + answer.error().message);
}

}  // namespace ym::kubernetes
