// AccessRules: who may do what, made of the rows of roles, bindings, principals, projects and queues.
//
// It is a value of one moment: nothing in it changes, so any thread may ask. It is additive, as Kubernetes' RBAC: a
// binding gives, and none denies.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/enum_names.h"
#include "base/time.h"
#include "control/access/rights.h"
#include "model/access/auth_settings.h"

namespace ym {

struct Binding;
struct Principal;
struct Project;
struct ProvisionedGroup;
struct Queue;
struct Role;
struct Tables;

// Whether AccessRules are made of rows of this type.
template <class Row>
inline constexpr bool kMakesRules =
    std::is_same_v<Row, Role> || std::is_same_v<Row, Binding> || std::is_same_v<Row, Principal> ||
    std::is_same_v<Row, Project> || std::is_same_v<Row, ProvisionedGroup> || std::is_same_v<Row, Queue>;

// What decides.
//   everything:   each principal may do everything; for one person on one machine, without a section `auth`
//   trial:        the same, and what bindings would refuse is noted
//   by_bindings:  bindings
enum class AccessMode : std::uint8_t { everything, trial, by_bindings };
constexpr std::string_view to_string(AccessMode value) {
  switch (value) {
    case AccessMode::everything: return "everything";
    case AccessMode::trial: return "trial";
    case AccessMode::by_bindings: return "by_bindings";
  }
  return {};
}
AccessMode mode_of(const std::optional<AuthSettings>& settings);

// The project of jobs that name none (JobSpec::project). It is there without a row, too.
inline constexpr std::string_view kDefaultProject = "default";

class AccessRules {
 public:
  AccessRules() = default;
  // What the tables say at `now`: bindings that have expired give nothing.
  AccessRules(const Tables& tables, AccessMode mode, Instant now);

  // The rights of a principal: by its own bindings, and by those of its groups. These are the groups that this server
  // keeps, those of its identity provider as long as they count, and those into which the provider puts it by SCIM.
  Rights rights_of(std::string_view principal) const;
  // The same where bindings decide, whether or not they do.
  Rights bound_rights_of(std::string_view principal) const;
  // The rights that a group gives.
  Rights rights_of_group(std::string_view group) const;

  // The permissions of a role, built in or not. Nothing: there is no such role.
  std::optional<Permissions> permissions_of(std::string_view role) const;
  // Jobs of a project that was removed are hidden.
  Visibility visibility_of(std::string_view project) const;
  // The projects that there are, and the projects in which a binding gives a role.
  const std::vector<std::string>& projects() const { return projects_; }
  const std::vector<std::string>& queue_names() const { return queue_names_; }
  const QueueTree& queues() const { return queues_; }
  // When the first of its bindings expires, or the first groups count no more. Nothing: never.
  std::optional<Instant> next_expiry() const { return next_expiry_; }

 private:
  void add(Rights& rights, const Grantee& grantee) const;
  void add_groups(const Principal& principal, const Tables& tables, Instant now);
  void expire_at(Instant end);

  AccessMode mode_ = AccessMode::by_bindings;
  std::map<Grantee, std::vector<Grant>> grants_;
  std::map<std::string, Permissions, std::less<>> roles_;
  std::map<std::string, std::set<std::string>, std::less<>> groups_;  // by principal
  std::map<std::string, Visibility, std::less<>> visibility_;
  QueueTree queues_;
  std::vector<std::string> projects_, queue_names_;
  std::optional<Instant> next_expiry_;
};

}  // namespace ym
