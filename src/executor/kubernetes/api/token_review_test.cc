#include "executor/kubernetes/api/token_review.h"

#include <gtest/gtest.h>

namespace ym::kubernetes {
namespace {

Result<ReviewedAccount> read(const std::string& status) {
  return read_review(parse_json(R"({"kind":"TokenReview","status":)" + status + "}").value(), "ym");
}

TEST(TokenReview, NamesTheAccountAndItsPod) {
  const auto account = read(R"({"authenticated":true,"audiences":["ym"],"user":{
      "username":"system:serviceaccount:vision:trainer",
      "extra":{"authentication.kubernetes.io/pod-name":["p-1"]}}})");
  ASSERT_TRUE(account);
  EXPECT_EQ(*account, (ReviewedAccount{.name_space = "vision", .name = "trainer", .pod = "p-1"}));
}

TEST(TokenReview, RefusesWhatIsNotForThisServer) {
  for (const auto* status :
       {R"({"authenticated":false,"error":"expired"})", R"({})",
        // A server that ignores audiences.
        R"({"authenticated":true,"user":{"username":"system:serviceaccount:vision:trainer"}})",
        R"({"authenticated":true,"audiences":[],"user":{"username":"system:serviceaccount:vision:trainer"}})",
        R"({"authenticated":true,"audiences":["other"],"user":{"username":"system:serviceaccount:vision:trainer"}})",
        R"({"authenticated":"true","audiences":["ym"],"user":{"username":"system:serviceaccount:vision:trainer"}})",
        // Users and nodes have tokens, too.
        R"({"authenticated":true,"audiences":["ym"],"user":{"username":"admin"}})",
        R"({"authenticated":true,"audiences":["ym"],"user":{"username":"system:serviceaccount:trainer"}})"}) {
    const auto account = read(status);
    ASSERT_FALSE(account) << status;
    EXPECT_EQ(account.error().code, ErrorCode::unauthenticated) << status;
  }
}

}  // namespace
}  // namespace ym::kubernetes
