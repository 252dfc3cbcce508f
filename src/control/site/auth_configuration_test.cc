// The section `auth` of the configuration: what it makes, takes over and takes away.
#include "control/site/auth_configuration.h"

#include "control/testing/controller_fixture.h"

namespace ym {
namespace {

using testing::one_node;
using testing::spec_of;

class Auth : public testing::ControllerTest {
 protected:
  static DesiredState with(AuthSettings auth) {
    DesiredState desired = one_node();
    desired.auth = std::move(auth);
    return desired;
  }
  static AuthSettings team() {
    return {.projects = {{.name = "cars", .managed_by = ManagedBy::file}},
            .bindings = {{"admin", "alice", {}}, {"member", "group:team", {ScopeKind::project, "cars"}}}};
  }
  const Tables& tables() const { return controller_->tables(); }
  std::string pointer_of(RoleGiven given) {
    AuthSettings auth = team();
    auth.bindings.push_back(std::move(given));
    const auto checked = check_auth(tables(), with(std::move(auth)));
    EXPECT_FALSE(checked);
    return checked ? "" : checked.error().fields.at(0).pointer;
  }
};

TEST_F(Auth, MakesWhatTheFileSays) {
  open(with(team()));
  EXPECT_EQ(tables().projects.at("cars").managed_by, ManagedBy::file);
  EXPECT_EQ(tables().bindings.size(), 2U);
  EXPECT_TRUE(tables().principals.contains("alice")) << "it has no token yet";
  const auto before = tables().last_seq;
  open(with(team()));
  EXPECT_EQ(tables().last_seq, before + 1) << "only the start of the server";
}

TEST_F(Auth, TakesAwayWhatTheFileHasNoMore) {
  open(with(team()));
  ASSERT_TRUE(execute(BindRole{.role = "viewer", .to = "alice", .scope = {ScopeKind::project, "cars"}}));
  open(with({}));
  ASSERT_EQ(tables().bindings.size(), 1U);
  EXPECT_EQ(tables().bindings.begin()->second.role, "viewer") << "the API made it";
  EXPECT_EQ(tables().projects.at("cars").managed_by, ManagedBy::api) << "it has a binding";
  open(with(team()));
  EXPECT_EQ(tables().projects.at("cars").managed_by, ManagedBy::file);
}

TEST_F(Auth, RowsOfTheFileAreChangedThere) {
  AuthSettings auth = team();
  auth.bindings.push_back({"member", "alice", {ScopeKind::project, "cars"}});
  open(with(std::move(auth)));
  for (const auto& [id, binding] : std::map(tables().bindings))
    EXPECT_EQ(execute(UnbindRole{id}).error().code, ErrorCode::conflict);
  EXPECT_EQ(execute(SetProject{.project = "cars", .visibility = Visibility::whole}).error().code, ErrorCode::conflict);
}

TEST_F(Auth, NamesWhatIsNotThere) {
  EXPECT_EQ(pointer_of({"king", "alice", {}}), "/auth/bindings/2/role");
  EXPECT_EQ(pointer_of({"viewer", "a b", {}}), "/auth/bindings/2/to");
  EXPECT_EQ(pointer_of({"viewer", "alice", {ScopeKind::project, "boats"}}), "/auth/bindings/2/scope");
  EXPECT_EQ(pointer_of({"viewer", "alice", {ScopeKind::queue, "night"}}), "/auth/bindings/2/scope");
  EXPECT_EQ(pointer_of({"viewer", "alice", {ScopeKind::cluster, "moon"}}), "/auth/bindings/2/scope");
}

// The next start would refuse the file.
TEST_F(Auth, AQueueThatLeavesTheFileTakesItsBindingsOutFirst) {
  DesiredState desired = with({.bindings = {{"viewer", "alice", {ScopeKind::queue, "night"}}}});
  desired.queues = {{.name = "night"}};
  open(desired);
  desired.queues.clear();
  EXPECT_EQ(check_auth(tables(), desired).error().fields.at(0).pointer, "/auth/bindings/0/scope");
}

TEST_F(Auth, BindingsDecideOnlyWithTheSection) {
  const auto cancels = [&] {
    const JobId job = submit(spec_of("train"));
    return execute(CancelJob{job}).has_value();
  };
  EXPECT_TRUE(cancels());
  AuthSettings auth{.bindings = {{"viewer", "alice", {}}}};
  open(with(auth));
  EXPECT_EQ(execute(SubmitJobs{.specs = {spec_of("train")}}).error().code, ErrorCode::forbidden);
  auth.enforce = false;
  open(with(auth));
  EXPECT_TRUE(cancels()) << "a trial";
}

}  // namespace
}  // namespace ym
