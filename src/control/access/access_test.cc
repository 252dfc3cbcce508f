// The one function that decides, beside a naive one over random worlds of bindings; and what no binding can do.
#include "control/access/access.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "control/access/binding_id.h"
#include "control/access/visible_jobs.h"
#include "model/access/roles.h"

namespace ym {
namespace {

constexpr Instant kDay{1'000'000};

Binding binding_of(std::string_view role, Grantee grantee, std::string_view scope) {
  Binding binding{.role = std::string(role), .grantee = std::move(grantee), .scope = parse_scope(scope).value()};
  binding.name = binding_id(binding);
  return binding;
}
Grantee person(std::string name) { return {.kind = Grantee::Kind::principal, .name = std::move(name)}; }
Grantee group(std::string name) { return {.kind = Grantee::Kind::group, .name = std::move(name)}; }

class AccessTest : public ::testing::Test {
 protected:
  void SetUp() override {
    add_queue("org", "");
    add_queue("vision", "org");
    add_queue("vision-night", "vision");
    add_queue("speech", "org");
  }
  void add_queue(const std::string& name, const std::string& parent) {
    tables_.queues[name] = {.name = name, .parent = parent};
  }
  void bind(std::string_view role, Grantee grantee, std::string_view scope) {
    auto binding = binding_of(role, std::move(grantee), scope);
    tables_.bindings[binding.name] = std::move(binding);
  }
  Access access_of(const std::string& principal) const {
    const auto rules = std::make_shared<const AccessRules>(tables_, AccessMode::by_bindings, kDay);
    return {.principal = principal,
            .rules = rules,
            .rights = std::make_shared<const Rights>(rules->rights_of(principal)),
            .limits = {}};
  }
  bool may(const std::string& principal, Permission permission, const Target& target,
           std::string_view owner = {}) const {
    return allows(access_of(principal), permission, target, owner);
  }

  Tables tables_;
};

using enum Permission;

TEST_F(AccessTest, NothingIsAllowedWithoutABinding) {
  for (const Permission one : values_of<Permission>()) {
    EXPECT_FALSE(may("ann", one, {}));
    EXPECT_FALSE(may("ann", one, {.project = "p", .queue = "vision", .cluster = "lab"}, "ann"));
  }
}

TEST_F(AccessTest, AQueuesScopeHasTheQueuesBelowIt) {
  bind("operator", person("ann"), "queue:vision");
  EXPECT_TRUE(may("ann", queues_stop, {.queue = "vision"}));
  EXPECT_TRUE(may("ann", queues_stop, {.queue = "vision-night"}));
  EXPECT_FALSE(may("ann", queues_stop, {.queue = "speech"}));
  EXPECT_FALSE(may("ann", queues_stop, {.queue = "org"}));
  EXPECT_TRUE(may("ann", jobs_cancel, {.project = "any", .queue = "vision-night"})) << "a job that waits there";
  EXPECT_FALSE(may("ann", queues_stop, {})) << "the site";
}

TEST_F(AccessTest, AJobNeedsARightInItsProjectAndOneInItsQueue) {
  bind("member", person("ann"), "project:cars");
  EXPECT_TRUE(may("ann", jobs_create, {.project = "cars"}));
  EXPECT_FALSE(may("ann", jobs_create, {.project = "cars-2"})) << "no prefix counts";
  EXPECT_FALSE(may("ann", queues_use, {.queue = "vision"}));
  bind("queue-user", group("vision-team"), "queue:vision");
  auto& ann = tables_.principals["ann"];
  ann = {.name = "ann", .handle = "ann", .issuer_groups = {"vision-team"}, .issuer_groups_until = kDay + seconds(1)};
  EXPECT_TRUE(may("ann", queues_use, {.queue = "vision-night"}));
  ann.issuer_groups = {"vision"};
  EXPECT_FALSE(may("ann", queues_use, {.queue = "vision"}));
}

TEST_F(AccessTest, GroupsOfAProviderCountForATime) {
  bind("viewer", group("crew"), "site");
  tables_.principals["ann"] = {
      .name = "ann", .handle = "ann", .issuer_groups = {"crew"}, .issuer_groups_until = kDay + seconds(1)};
  EXPECT_TRUE(may("ann", jobs_get, {}));
  EXPECT_EQ(AccessRules(tables_, AccessMode::by_bindings, kDay).next_expiry(), kDay + seconds(1));
  const AccessRules later(tables_, AccessMode::by_bindings, kDay + seconds(1));
  EXPECT_TRUE(later.rights_of("ann").grants().empty());
}

TEST_F(AccessTest, AnOwnerKeepsItsJobsAsLongAsItIsAMember) {
  bind("member", person("ann"), "project:cars");
  const Target job{.project = "cars", .queue = "vision"};
  for (const Permission one : values_of<Permission>())
    EXPECT_EQ(may("ann", one, job, "ann"), kOfOwner.has(one) || one == jobs_create || one == projects_get)
        << to_string(one);
  EXPECT_FALSE(may("ann", jobs_get, job, "bob"));
  EXPECT_TRUE(std::get<Allowed>(decide(access_of("ann"), jobs_cancel, job, "ann")).as_owner);
  tables_.bindings.clear();
  EXPECT_FALSE(may("ann", jobs_get, job, "ann"));
}

TEST_F(AccessTest, AUserOfTheQueueSeesWhatTheProjectShows) {
  bind("queue-user", person("eve"), "queue:vision");
  const Target job{.project = "cars", .queue = "vision"};
  EXPECT_EQ(sight_of(access_of("eve"), job, "ann"), Visibility::hidden) << "there is no such project";
  tables_.projects["cars"] = {.name = "cars"};
  EXPECT_EQ(sight_of(access_of("eve"), job, "ann"), Visibility::outline);
  tables_.projects["cars"] = {.name = "cars", .visibility = Visibility::hidden};
  EXPECT_EQ(sight_of(access_of("eve"), job, "ann"), Visibility::hidden);
  tables_.projects["cars"].visibility = Visibility::whole;
  EXPECT_EQ(sight_of(access_of("eve"), job, "ann"), Visibility::whole);
  EXPECT_FALSE(allows(access_of("eve"), jobs_logs, job, "ann"));
  EXPECT_EQ(sight_of(access_of("eve"), {.project = "cars", .queue = "speech"}, "ann"), Visibility::hidden);
  bind("viewer", person("eve"), "project:cars");
  EXPECT_EQ(sight_of(access_of("eve"), {.project = "cars", .queue = "speech"}, "ann"), Visibility::whole);
}

TEST_F(AccessTest, BindingsAndTokensEnd) {
  auto binding = binding_of("viewer", person("ann"), "site");
  binding.expires_at = kDay + seconds(1);
  tables_.bindings[binding.name] = binding;
  EXPECT_TRUE(may("ann", jobs_get, {}));
  EXPECT_EQ(AccessRules(tables_, AccessMode::by_bindings, kDay).next_expiry(), kDay + seconds(1));
  const AccessRules later(tables_, AccessMode::by_bindings, kDay + seconds(1));
  EXPECT_TRUE(later.rights_of("ann").grants().empty());
}

TEST_F(AccessTest, ATokenNarrowsItsPrincipal) {
  bind("admin", person("ann"), "site");
  auto access = access_of("ann");
  access.limits = limits_of({"viewer", "jobs.cancel", "project:cars"}, *access.rules);
  EXPECT_TRUE(allows(access, jobs_get, {.project = "cars", .queue = "speech"}));
  EXPECT_TRUE(allows(access, jobs_cancel, {.project = "cars"}));
  EXPECT_FALSE(allows(access, jobs_hold, {.project = "cars"}));
  EXPECT_FALSE(allows(access, jobs_get, {.project = "boats"}));
  EXPECT_FALSE(allows(access, policies_get, {})) << "the site is not within the project";
  access.limits = limits_of({"project:cars", "queue:speech"}, *access.rules);
  EXPECT_TRUE(allows(access, jobs_get, {.project = "cars", .queue = "speech"}));
  EXPECT_FALSE(allows(access, jobs_get, {.project = "boats", .queue = "speech"})) << "one of each kind";
  EXPECT_TRUE(allows(access, queues_stop, {.queue = "speech"}));
  access.limits = limits_of({"viewer", "jobs.cancel", "project:cars"}, *access.rules);
  const auto verdict = decide(access, jobs_hold, {.project = "cars"});
  EXPECT_TRUE(std::get<Denied>(verdict).by_token);
  access.limits = limits_of({"a-role-that-was-removed"}, *access.rules);
  for (const Permission one : values_of<Permission>()) EXPECT_FALSE(allows(access, one, {}));
}

TEST_F(AccessTest, ATokenIsWithinAnother) {
  const AccessRules rules(tables_, AccessMode::by_bindings, kDay);
  const auto within = [&](const std::vector<std::string>& inner, const std::vector<std::string>& outer) {
    return limits_of(outer, rules).include(limits_of(inner, rules), rules.queues());
  };
  EXPECT_TRUE(within({"viewer"}, {}));
  EXPECT_FALSE(within({}, {"viewer"}));
  EXPECT_TRUE(within({"jobs.get"}, {"viewer"}));
  EXPECT_FALSE(within({"jobs.cancel"}, {"viewer"}));
  EXPECT_TRUE(within({"viewer", "queue:vision-night"}, {"viewer", "queue:vision"}));
  EXPECT_FALSE(within({"viewer", "queue:org"}, {"viewer", "queue:vision"}));
  EXPECT_FALSE(within({"viewer"}, {"viewer", "queue:vision"}));
  EXPECT_FALSE(within({"project:cars", "queue:vision"}, {"project:cars"})) << "it would reach the queue, too";
  EXPECT_TRUE(within({"admin"}, {"site"})) << "neither is limited";
}

TEST(Scopes, AreReadAsTheyAreWritten) {
  for (const auto* text : {"site", "project:cars", "queue:org/vision", "cluster:lab"})
    EXPECT_EQ(to_string(parse_scope(text).value()), text);
  for (const auto* text : {"", "site:", "site:x", "project", "project:", "team:x", "Project:x", ":"})
    EXPECT_FALSE(parse_scope(text)) << text;
}

// --- beside a naive reading of the same rows
class World {
 public:
  explicit World(std::uint64_t seed) : random_(seed) {
    for (int i = 0; i < 6; ++i) {
      const auto parent = i == 0 || pick(3) == 0 ? "" : name("q", pick(i));
      tables_.queues[name("q", i)] = {.name = name("q", i), .parent = parent};
    }
    for (int i = 0; i < 3; ++i) {
      Role role{.name = name("role", i)};
      for (const Permission one : values_of<Permission>())
        if (pick(4) == 0) role.permissions.push_back(one);
      tables_.roles[role.name] = role;
      tables_.projects[name("p", i)] = {.name = name("p", i), .visibility = static_cast<Visibility>(pick(3))};
    }
    for (int u = 0; u < 3; ++u) tables_.principals[name("u", u)] = {.name = name("u", u), .handle = name("u", u)};
    tables_.principals["u0"].groups = {"g0", "g2"};
    for (auto [id, row] : tables_.principals) {
      for (int g = 0; g < 3; ++g)
        if (pick(3) == 0) row.issuer_groups.push_back(name("g", g));
      if (pick(4) != 0) row.issuer_groups_until = kDay + Duration{pick(3) - 1};
      tables_.principals[id] = row;
    }
    for (int i = pick(12); i > 0; --i) {
      auto binding = binding_of(random_role(), pick(2) == 0 ? person(name("u", pick(3))) : group(name("g", pick(3))),
                                random_scope());
      if (pick(4) == 0) binding.expires_at = kDay + Duration{pick(3) - 1};
      tables_.bindings[binding.name] = binding;
    }
  }

  int pick(int below) { return static_cast<int>(random_.below(static_cast<std::uint64_t>(below))); }
  static std::string name(std::string_view kind, int number) { return fmt::format("{}{}", kind, number); }

  std::string random_role() {
    const auto role = pick(static_cast<int>(kBuiltInRoles.size()) + 4);
    if (role < static_cast<int>(kBuiltInRoles.size())) return std::string(kBuiltInRoles.at(role).name);
    return name("role", role - static_cast<int>(kBuiltInRoles.size()));  // one of them does not exist
  }
  std::string random_scope() {
    switch (pick(4)) {
      case 0: return "site";
      case 1: return "project:" + name("p", pick(4));
      case 2: return "queue:" + name("q", pick(7));
      default: return "cluster:" + name("c", pick(2));
    }
  }

  // Every binding is looked at for every question.
  bool naive(const std::string& principal, Permission permission, const Target& target,
             const std::string& owner) const {
    const auto given = [&](Permission wanted, const Target& where) {
      return std::ranges::any_of(tables_.bindings, [&](const auto& entry) {
        const Binding& binding = entry.second;
        return applies(binding, principal) && gives(binding.role, wanted) && reaches(binding.scope, where);
      });
    };
    if (given(permission, target)) return true;
    const auto of_owner = {jobs_list, jobs_get, jobs_logs, jobs_cancel, jobs_hold, jobs_retry};
    return !owner.empty() && owner == principal && std::ranges::find(of_owner, permission) != of_owner.end() &&
           given(jobs_create, {.project = target.project});
  }

  Tables tables_;

 private:
  bool applies(const Binding& binding, const std::string& principal) const {
    if (binding.expires_at && *binding.expires_at <= kDay) return false;
    if (binding.grantee.kind == Grantee::Kind::principal) return binding.grantee.name == principal;
    const auto row = tables_.principals.find(principal);
    if (row == tables_.principals.end()) return false;
    const auto among = [&](const auto& groups) {
      return std::ranges::find(groups, binding.grantee.name) != groups.end();
    };
    const auto until = row->second.issuer_groups_until;
    return among(row->second.groups) || (until && *until > kDay && among(row->second.issuer_groups));
  }
  bool gives(const std::string& role, Permission wanted) const {
    for (const auto& built_in : kBuiltInRoles)
      if (built_in.name == role) return built_in.permissions.has(wanted);
    const auto own = tables_.roles.find(role);
    return own != tables_.roles.end() &&
           std::ranges::find(own->second.permissions, wanted) != own->second.permissions.end();
  }
  bool reaches(const Scope& scope, const Target& target) const {
    if (scope.kind == ScopeKind::site) return true;
    if (scope.kind == ScopeKind::project) return scope.name == target.project;
    if (scope.kind == ScopeKind::cluster) return scope.name == target.cluster;
    std::string queue(target.queue);
    while (!queue.empty()) {
      if (queue == scope.name) return true;
      const auto row = tables_.queues.find(queue);
      queue = row == tables_.queues.end() ? "" : row->second.parent;
    }
    return false;
  }

  Random random_;
};

TEST(AccessBesideANaiveReading, SaysTheSameInRandomWorlds) {
  int allowed = 0, asked = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    World world(seed);
    const auto rules = std::make_shared<const AccessRules>(world.tables_, AccessMode::by_bindings, kDay);
    for (int i = 0; i < 20; ++i) {
      const auto principal = World::name("u", world.pick(3)), owner = World::name("u", world.pick(4));
      const auto project = World::name("p", world.pick(4)), queue = World::name("q", world.pick(7)),
                 cluster = World::name("c", world.pick(2));
      Target target;
      if (world.pick(2) == 0) target.project = project;
      if (world.pick(2) == 0) target.queue = queue;
      if (world.pick(4) == 0) target.cluster = cluster;
      const auto permission = static_cast<Permission>(world.pick(count_of_values<Permission>()));
      const auto named_owner = world.pick(2) == 0 ? owner : std::string();
      const Access access{.principal = principal,
                          .rules = rules,
                          .rights = std::make_shared<const Rights>(rules->rights_of(principal)),
                          .limits = {}};
      const bool found = allows(access, permission, target, named_owner);
      EXPECT_EQ(found, world.naive(principal, permission, target, named_owner))
          << seed << " " << principal << " " << to_string(permission);
      allowed += found ? 1 : 0;
      asked += 1;
    }
  }
  EXPECT_GT(allowed, asked / 20) << "most worlds give something";
}

// The filter of stores selects the jobs that the caller sees.
TEST(AccessBesideANaiveReading, AFilterSelectsTheJobsThatAreSeen) {
  int seen = 0, hidden = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    World world(seed);
    const auto rules = std::make_shared<const AccessRules>(world.tables_, AccessMode::by_bindings, kDay);
    Access access{.principal = World::name("u", world.pick(3)), .rules = rules, .rights = {}, .limits = {}};
    access.rights = std::make_shared<const Rights>(rules->rights_of(access.principal));
    std::vector<std::string> scopes;
    for (int i = world.pick(4); i > 0; --i)
      scopes.push_back(world.pick(2) == 0 ? world.random_scope() : world.random_role());
    access.limits = limits_of(scopes, *rules);
    const JobFilter filter{.within = visible_jobs(access)};
    for (int i = 0; i < 30; ++i) {
      const int project = world.pick(6);
      const Job job{.id = JobId{1},
                    .project = project == 4   ? ""
                               : project == 5 ? "default"
                                              : World::name("p", project),
                    .owner = World::name("u", world.pick(3)),
                    .queue = World::name("q", world.pick(6))};
      const bool is_seen = sight_of(access, target_of(job), job.owner) != Visibility::hidden;
      ASSERT_EQ(matches(filter, job), is_seen) << seed << " " << job.project << " " << job.queue << " " << job.owner;
      (is_seen ? seen : hidden) += 1;
    }
  }
  EXPECT_GT(seen, 5'000);
  EXPECT_GT(hidden, 5'000);
}

TEST(AccessBesideANaiveReading, AnotherBindingNeverTakesARightAway) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    World world(seed);
    const AccessRules before(world.tables_, AccessMode::by_bindings, kDay);
    const auto more = binding_of(world.random_role(), person("u1"), world.random_scope());
    world.tables_.bindings[more.name] = more;
    const AccessRules after(world.tables_, AccessMode::by_bindings, kDay);
    for (const auto* principal : {"u0", "u1", "u2"})
      EXPECT_TRUE(after.rights_of(principal).include(before.rights_of(principal), before.queues())) << seed;
  }
}

}  // namespace
}  // namespace ym
