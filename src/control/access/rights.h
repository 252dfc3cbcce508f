// Rights: what one principal may do, and where.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/access/binding.h"
#include "model/access/permission.h"
#include "model/access/project.h"
#include "model/access/scope.h"

namespace ym {

struct Queue;

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};
// Looked up by any text. Its order is never used.
template <class Value>
using ByText = std::unordered_map<std::string, Value, TextHash, std::equal_to<>>;

// The parents of queues. Queues in a cycle, which no command makes, have none: so each way up ends.
class QueueTree {
 public:
  QueueTree() = default;
  explicit QueueTree(const std::map<std::string, Queue>& queues);

  // Empty: a root, or no queue.
  std::string_view parent_of(std::string_view queue) const;

 private:
  ByText<std::string> parents_;
};

// Whether the scope covers the target: a queue's scope covers the queues below it.
bool covers(const Scope& scope, const Target& target, const QueueTree& queues);
// The target that stands for a scope itself: what covers it covers all that is in the scope.
Target target_of(const Scope& scope);

// A right that a binding gives.
struct Grant {
  Permissions permissions;
  Scope scope;
  std::string role;
  std::string binding;  // its id
  std::optional<Instant> expires_at{};
};

// A value. Thread-safe to read.
class Rights {
 public:
  Rights() = default;
  // Everything, by no binding.
  static Rights all();
  void add(const Grant& grant);

  // The grant that gives the permission there. Null: none does.
  const Grant* find(Permission permission, const Target& target, const QueueTree& queues) const;
  // Whether all of another's rights are among these.
  bool include(const Rights& other, const QueueTree& queues) const;
  // Whether all these permissions are held at the scope.
  bool hold(Permissions permissions, const Scope& scope, const QueueTree& queues) const;

  const std::vector<Grant>& grants() const { return grants_; }

 private:
  // The grants of one scope, as indices of `grants_`, and what they give together.
  struct Place {
    Permissions permissions;
    std::vector<std::size_t> grants;
  };
  // The scopes of one kind, and what they give together: most questions end there.
  struct Places {
    ByText<Place> by_name;
    Permissions permissions;
  };
  Place& place_of(const Scope& scope, Permissions gained);
  const Grant* find_in(const Place& place, Permission permission) const;
  const Grant* find_in(const Places& places, std::string_view name, Permission permission) const;

  std::vector<Grant> grants_;
  Place site_;
  Places projects_, queues_, clusters_;
};

}  // namespace ym
