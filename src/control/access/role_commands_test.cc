#include "control/access/role_commands.h"

#include "base/random.h"
#include "control/access/project_commands.h"
#include "control/access/token_commands.h"
#include "control/testing/access_fixture.h"

namespace ym {
namespace {

class Roles : public testing::AccessFixture {
 protected:
  void SetUp() override {
    AccessFixture::SetUp();
    set_mode(AccessMode::by_bindings);
    for (const auto* name : {"root", "ann", "bob", "eve"}) add_principal(name);
    add_queue("org", "");
    add_queue("vision", "org");
    add(ProjectSet{{.name = "cars"}});
    add(ProjectSet{{.name = "boats"}});
    bind("admin", "root", "site");
  }
  static BindRole role_to(const std::string& role, const std::string& to, const std::string& scope) {
    return {.role = role, .to = to, .scope = parse_scope(scope).value()};
  }
  static Caller as(const std::string& principal) { return {.principal = principal}; }
};

TEST_F(Roles, AreGivenAndTakenAway) {
  const auto made = run(role_to("member", "bob", "project:cars"), as("root"));
  ASSERT_TRUE(made);
  EXPECT_TRUE(may("bob", Permission::jobs_create, {.project = "cars"}));
  EXPECT_FALSE(may("bob", Permission::jobs_create, {.project = "boats"}));
  ASSERT_TRUE(run(role_to("member", "bob", "project:cars"), as("root"))) << "again: the same binding";
  EXPECT_EQ(tables_.bindings.size(), 2U);
  ASSERT_TRUE(run(UnbindRole{made->binding->name}, as("root")));
  EXPECT_FALSE(may("bob", Permission::jobs_create, {.project = "cars"}));
  EXPECT_EQ(code_of(UnbindRole{made->binding->name}, as("root")), ErrorCode::not_found);
}

TEST_F(Roles, OfAGroupReachItsMembers) {
  ASSERT_TRUE(run(role_to("queue-user", "group:team", "queue:org"), as("root")));
  EXPECT_FALSE(may("bob", Permission::queues_use, {.queue = "vision"}));
  ASSERT_TRUE(run(ChangePrincipal{.principal = "bob", .groups = std::vector<std::string>{"team"}}, as("root")));
  EXPECT_TRUE(may("bob", Permission::queues_use, {.queue = "vision"}));
}

TEST_F(Roles, AProjectsAdministratorGivesRolesThereAndOnlyThere) {
  bind("project-admin", "ann", "project:cars");
  EXPECT_TRUE(run(role_to("member", "bob", "project:cars"), as("ann")));
  EXPECT_TRUE(run(role_to("project-admin", "bob", "project:cars"), as("ann")));
  EXPECT_EQ(code_of(role_to("member", "bob", "project:boats"), as("ann")), ErrorCode::forbidden);
  EXPECT_EQ(code_of(role_to("member", "bob", "site"), as("ann")), ErrorCode::forbidden);
  EXPECT_EQ(code_of(role_to("queue-user", "bob", "queue:vision"), as("ann")), ErrorCode::forbidden);
  EXPECT_EQ(code_of(role_to("admin", "ann", "project:cars"), as("ann")), ErrorCode::forbidden) << "above herself";
}

TEST_F(Roles, AMemberGivesNone) {
  bind("member", "bob", "project:cars");
  EXPECT_EQ(code_of(role_to("member", "eve", "project:cars"), as("bob")), ErrorCode::forbidden);
  const auto rows = tables_.bindings;
  for (const auto& [id, binding] : rows) EXPECT_EQ(code_of(UnbindRole{id}, as("bob")), ErrorCode::not_found);
}

TEST_F(Roles, SayWhichFieldIsWrong) {
  EXPECT_EQ(pointer_of(role_to("king", "bob", "site"), as("root")), "/role");
  EXPECT_EQ(pointer_of(role_to("member", "nina", "site"), as("root")), "/to");
  EXPECT_EQ(pointer_of(role_to("member", "group:", "site"), as("root")), "/to");
  for (const auto* scope : {"project:planes", "queue:none", "cluster:none"})
    EXPECT_EQ(pointer_of(role_to("member", "bob", scope), as("root")), "/scope") << scope;
}

TEST_F(Roles, OfTheSiteAreMadeOfWhatTheirMakerHolds) {
  const SetRole command{{.name = "canceller", .permissions = {Permission::jobs_cancel, Permission::jobs_cancel}}};
  ASSERT_TRUE(run(command, as("root")));
  EXPECT_EQ(tables_.roles.at("canceller").permissions, std::vector{Permission::jobs_cancel});
  bind("canceller", "bob", "project:cars");
  EXPECT_TRUE(may("bob", Permission::jobs_cancel, {.project = "cars"}));
  EXPECT_EQ(code_of(RemoveRole{"canceller"}, as("root")), ErrorCode::conflict) << "a binding gives it";
  add(RoleSet{{.name = "role-maker", .permissions = {Permission::roles_edit, Permission::jobs_get}}});
  bind("role-maker", "ann", "site");
  EXPECT_TRUE(run(SetRole{{.name = "reader", .permissions = {Permission::jobs_get}}}, as("ann")));
  EXPECT_EQ(code_of(SetRole{{.name = "reader", .permissions = {Permission::jobs_cancel}}}, as("ann")),
            ErrorCode::forbidden);
  EXPECT_EQ(code_of(SetRole{{.name = "role-maker", .permissions = {Permission::audit_read}}}, as("ann")),
            ErrorCode::forbidden);
  EXPECT_EQ(pointer_of(SetRole{{.name = "admin"}}, as("root")), "/name");
  for (const auto* name : {"a b", "site", "jobs.get", ""})
    EXPECT_EQ(pointer_of(SetRole{{.name = name}}, as("root")), "/name") << name;
}

TEST_F(Roles, ThatEndAreNotGivenForLonger) {
  const auto until = kStart + hours(1);
  Binding brief{.role = "admin", .grantee = {Grantee::Kind::principal, "ann"}, .scope = {}, .expires_at = until};
  brief.name = binding_id(brief);
  add(BindingSet{brief});
  const auto made = run(role_to("viewer", "bob", "site"), as("ann"));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->binding->expires_at, until);
  ASSERT_TRUE(run(role_to("admin", "ann", "site"), as("ann"))) << "her own again";
  EXPECT_EQ(tables_.bindings.at(brief.name).expires_at, until);
  auto longer = role_to("viewer", "bob", "site");
  longer.lifetime = hours(2);
  EXPECT_EQ(pointer_of(longer, as("ann")), "/ttl");
}

TEST_F(Roles, ALimitedTokenGivesNoMoreThanItHas) {
  bind("admin", "group:owners", "site");
  auto row = AccessToken{
      .name = "t", .hash = "h", .principal = "root", .scopes = {"identities.edit", "identities.get", "roles.bind"}};
  add(TokenSet{row});
  const Caller limited{.principal = "root", .token = "t"};
  EXPECT_EQ(code_of(ChangePrincipal{.principal = "bob", .groups = std::vector<std::string>{"owners"}}, limited),
            ErrorCode::forbidden);
  EXPECT_EQ(code_of(role_to("admin", "bob", "site"), limited), ErrorCode::forbidden);
}

TEST_F(Roles, OfAProjectGoWithIt) {
  bind("member", "bob", "project:cars");
  ASSERT_TRUE(run(RemoveProject{"cars"}, as("root")));
  EXPECT_FALSE(tables_.projects.contains("cars"));
  ASSERT_TRUE(run(SetProject{.project = "cars"}, as("root")));
  EXPECT_FALSE(may("bob", Permission::jobs_create, {.project = "cars"})) << "the new project is another one";
}

TEST_F(Roles, AProjectIsThereForThoseThatMaySeeIt) {
  EXPECT_EQ(code_of(SetProject{.project = "cars", .visibility = Visibility::whole}, as("bob")), ErrorCode::forbidden);
  EXPECT_EQ(code_of(RemoveProject{"cars"}, as("bob")), ErrorCode::not_found);
  EXPECT_EQ(code_of(SetProject{.project = "planes"}, as("bob")), ErrorCode::forbidden);
  bind("member", "bob", "project:cars");
  EXPECT_EQ(code_of(SetProject{.project = "cars"}, as("bob")), ErrorCode::forbidden);
  bind("project-admin", "ann", "project:cars");
  EXPECT_TRUE(run(SetProject{.project = "cars", .visibility = Visibility::hidden}, as("ann")));
  EXPECT_EQ(tables_.projects.at("cars").visibility, Visibility::hidden);
}

TEST_F(Roles, APrincipalIsChangedByThoseThatHoldItsRights) {
  add(RoleSet{{.name = "clerk", .permissions = {Permission::identities_get, Permission::identities_edit}}});
  bind("clerk", "ann", "site");
  EXPECT_TRUE(run(ChangePrincipal{.principal = "bob", .disabled = true}, as("ann")));
  EXPECT_TRUE(tables_.principals.at("bob").disabled_at);
  EXPECT_TRUE(run(ChangePrincipal{.principal = "bob", .disabled = false}, as("ann")));
  EXPECT_FALSE(tables_.principals.at("bob").disabled_at);
  EXPECT_EQ(code_of(ChangePrincipal{.principal = "root", .disabled = true}, as("ann")), ErrorCode::forbidden);
  bind("admin", "group:owners", "site");
  EXPECT_EQ(code_of(ChangePrincipal{.principal = "ann", .groups = std::vector<std::string>{"owners"}}, as("ann")),
            ErrorCode::forbidden);
  EXPECT_EQ(code_of(ChangePrincipal{.principal = "bob", .disabled = true}, as("eve")), ErrorCode::not_found);
}

// --- no way up
class Climber : public testing::AccessFixture {
 protected:
  std::string name(std::string_view kind, int below) {
    return fmt::format("{}{}", kind, random_.below(static_cast<std::uint64_t>(below)));
  }
  std::string random_role() {
    const auto role = random_.below(kBuiltInRoles.size() + 3);
    return role < kBuiltInRoles.size() ? std::string(kBuiltInRoles.at(role).name) : name("role", 3);
  }
  std::string random_scope() {
    switch (random_.below(3)) {
      case 0: return "site";
      case 1: return "project:" + name("p", 3);
      default: return "queue:" + name("q", 3);
    }
  }
  std::string random_grantee() { return random_.below(3) == 0 ? "group:" + name("g", 2) : name("u", 3); }
  std::vector<Permission> some_permissions() {
    std::vector<Permission> some;
    for (const Permission one : values_of<Permission>())
      if (random_.below(4) == 0) some.push_back(one);
    return some;
  }

  void make_world() {
    set_mode(AccessMode::by_bindings);
    for (int i = 0; i < 3; ++i) {
      add_principal(fmt::format("u{}", i));
      add(ProjectSet{{.name = fmt::format("p{}", i)}});
      add_queue(fmt::format("q{}", i), i == 0 ? "" : "q0");
      add(RoleSet{{.name = fmt::format("role{}", i), .permissions = some_permissions()}});
    }
    for (auto count = 2 + random_.below(6); count > 0; --count) bind(random_role(), random_grantee(), random_scope());
  }

  // Any command, by the principal. Mostly refused.
  bool try_something(const std::string& principal) {
    const Caller caller{.principal = principal};
    switch (random_.below(8)) {
      case 0:
      case 1:
        return run(
                   BindRole{
                       .role = random_role(), .to = random_grantee(), .scope = parse_scope(random_scope()).value()},
                   caller)
            .has_value();
      case 2: {
        const auto count = tables_.bindings.size();
        if (count == 0) return false;
        const auto at = std::next(tables_.bindings.begin(), static_cast<std::ptrdiff_t>(random_.below(count)));
        const std::string id = at->first;
        return run(UnbindRole{id}, caller).has_value();
      }
      case 3: return run(SetRole{{.name = name("role", 4), .permissions = some_permissions()}}, caller).has_value();
      case 4: return run(RemoveRole{name("role", 4)}, caller).has_value();
      case 5: return run(SetProject{.project = name("p", 4)}, caller).has_value();
      case 6: return run(RemoveProject{name("p", 4)}, caller).has_value();
      default:
        return run(ChangePrincipal{.principal = name("u", 3), .groups = std::vector<std::string>{name("g", 2)}}, caller)
            .has_value();
    }
  }

  Random random_{0};
};

TEST_F(Climber, NoSeriesOfFourCommandsLeavesItWithMore) {
  int done = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    random_ = Random(seed);
    tables_ = {};
    cache_.forget();
    SetUp();
    make_world();
    const auto before = rights_of("u0");
    for (int step = 0; step < 4; ++step) done += try_something("u0") ? 1 : 0;
    ASSERT_TRUE(before.include(rights_of("u0"), queues())) << seed;
  }
  EXPECT_GT(done, 500) << "some commands were allowed";
}

TEST_F(Climber, ATokenIsForAPrincipalWithNoMoreRights) {
  int made = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    random_ = Random(seed);
    tables_ = {};
    cache_.forget();
    SetUp();
    make_world();
    bind("role0", "u0", "site");
    const auto other = name("u", 3);
    if (!run(CreateToken{.principal = other}, {.principal = "u0"})) continue;
    made += other == "u0" ? 0 : 1;
    EXPECT_TRUE(other == "u0" || rights_of("u0").include(rights_of(other), queues())) << seed;
  }
  EXPECT_GT(made, 5);
}

}  // namespace
}  // namespace ym
