// Who may do what, asked very often: 10,000 bindings, 1,000 groups, 2,000 principals in ten groups each. Prints JSON
// for figures/access.py. The peer reads all bindings for each question, as the rule is written.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "base/random.h"
#include "control/access/access_book.h"
#include "control/access/binding_id.h"
#include "model/access/roles.h"

namespace ym {
namespace {

constexpr int kBindings = 10'000, kGroups = 1'000, kPrincipals = 2'000, kGroupsEach = 10;
constexpr int kProjects = 300, kQueues = 200;
constexpr int kQuestions = 1'000'000, kNaiveQuestions = 2'000, kChanges = 50;
constexpr Instant kNow{1'000'000};

std::string name(char kind, std::uint64_t number) { return fmt::format("{}{}", kind, number); }

struct Asked {
  Caller caller;
  Permission permission;
  std::string project, queue;
};

class World {
 public:
  World() {
    for (int i = 0; i < kQueues; ++i)
      tables_.queues[name('q', i)] = {.name = name('q', i), .parent = i < 10 ? "" : name('q', i / 4)};
    for (int i = 0; i < kPrincipals; ++i) add_principal(name('u', i));
    while (tables_.bindings.size() < kBindings) {
      Binding binding = random_binding();
      tables_.bindings[binding.name] = binding;
    }
  }

  void add_principal(const std::string& id) {
    Principal row{.name = id, .handle = id, .issuer_groups_until = kNow + hours(1)};
    for (int g = 0; g < kGroupsEach; ++g) row.issuer_groups.push_back(name('g', random_.below(kGroups)));
    tables_.principals[id] = std::move(row);
  }

  Binding random_binding() {
    Binding binding{.role = std::string(kBuiltInRoles.at(random_.below(kBuiltInRoles.size() - 1)).name),
                    .grantee = random_.below(10) == 0
                                   ? Grantee{Grantee::Kind::principal, name('u', random_.below(kPrincipals))}
                                   : Grantee{Grantee::Kind::group, name('g', random_.below(kGroups))},
                    .scope = random_.below(2) == 0 ? Scope{ScopeKind::project, name('p', random_.below(kProjects))}
                                                   : Scope{ScopeKind::queue, name('q', random_.below(kQueues))}};
    binding.name = binding_id(binding);
    return binding;
  }

  std::vector<Asked> questions() {
    std::vector<Caller> callers;
    for (int i = 0; i < kPrincipals; ++i) callers.push_back({.principal = name('u', i)});
    std::vector<Asked> asked;
    for (int i = 0; i < 10'000; ++i)
      asked.push_back({callers[random_.below(kPrincipals)],
                       static_cast<Permission>(random_.below(count_of_values<Permission>())),
                       name('p', random_.below(kProjects)), name('q', random_.below(kQueues))});
    return asked;
  }

  // Every binding, for each question.
  bool naive(const Asked& asked) const {
    const auto& groups = tables_.principals.at(asked.caller.principal).issuer_groups;
    return std::ranges::any_of(tables_.bindings, [&](const auto& entry) {
      const Binding& binding = entry.second;
      const bool mine = binding.grantee.kind == Grantee::Kind::principal
                            ? binding.grantee.name == asked.caller.principal
                            : std::ranges::find(groups, binding.grantee.name) != groups.end();
      return mine && find_built_in_role(binding.role)->permissions.has(asked.permission) &&
             reaches(binding.scope, asked);
    });
  }

  Tables tables_;

 private:
  bool reaches(const Scope& scope, const Asked& asked) const {
    if (scope.kind == ScopeKind::project) return scope.name == asked.project;
    for (auto queue = asked.queue; !queue.empty(); queue = tables_.queues.at(queue).parent)
      if (queue == scope.name) return true;
    return false;
  }

  Random random_{7};
};

double seconds_of(const auto& act) {
  const auto begin = std::chrono::steady_clock::now();
  act();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace
}  // namespace ym

int main() {
  using namespace ym;
  World world;
  const auto asked = world.questions();
  AccessBook book;
  book.reset(world.tables_, AccessMode::by_bindings);
  std::size_t allowed = 0, allowed_naive = 0, allowed_same = 0;
  const auto ask = [&](const Asked& one) {
    return allows(book.access_of(one.caller, kNow), one.permission, {.project = one.project, .queue = one.queue});
  };
  for (const auto& one : asked) allowed += ask(one) ? 1 : 0;  // compiles the rights of each caller
  const double took = seconds_of([&] {
    for (int i = 0; i < kQuestions; ++i) allowed += ask(asked[static_cast<std::size_t>(i) % asked.size()]) ? 1 : 0;
  });
  const double naive = seconds_of([&] {
    for (int i = 0; i < kNaiveQuestions; ++i) allowed_naive += world.naive(asked[static_cast<std::size_t>(i)]) ? 1 : 0;
  });
  for (int i = 0; i < kNaiveQuestions; ++i) allowed_same += ask(asked[static_cast<std::size_t>(i)]) ? 1 : 0;
  const double changes = seconds_of([&] {
    for (int i = 0; i < kChanges; ++i) {
      book.follow({{.payload = BindingSet{world.random_binding()}}});
      allowed += ask(asked.front()) ? 1 : 0;
    }
  });
  fmt::print(R"({{"checks": {}, "seconds": {:.6f}, "naive_checks": {}, "naive_seconds": {:.6f}, "agree": {}, )"
             R"("changes": {}, "change_seconds": {:.6f}, "allowed": {}}})"
             "\n",
             kQuestions, took, kNaiveQuestions, naive, allowed_naive == allowed_same, kChanges, changes, allowed);
  return 0;
}
