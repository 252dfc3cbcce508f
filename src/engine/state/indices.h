// Indices: places in the engine's arrays, a type for each kind of thing.
//
// An index says where something is in the arrays, never which of two things goes first: every order that decides ends
// in a name or an id. The one exception is the rank, which is an order.
#pragma once

#include <cstdint>

#include "base/strong_index.h"

namespace ym::engine {

// A place in a list that has no type of its own.
using Index = std::uint32_t;

// No index of any type.
struct NoIndexOfAnyType : NoIndex {
  constexpr explicit(false) operator Index() const { return ~Index{0}; }
};
inline constexpr NoIndexOfAnyType kNone;

// A job's place in the order of a cycle: 0 has the first turn.
using Rank = StrongIndex<struct RankTag>;
// A seat of a cycle (pending_entry.h): the jobs of a queue sit together.
using EntryIndex = StrongIndex<struct EntryTag>;

using NodeIndex = StrongIndex<struct NodeTag>;
using ClusterIndex = StrongIndex<struct ClusterTag>;
// A level of the topology (levels.h), and a domain among all of its level.
using LevelIndex = StrongIndex<struct LevelTag>;
using DomainIndex = StrongIndex<struct DomainTag>;
// A profile of slices of GPUs.
using ProfileIndex = StrongIndex<struct ProfileTag>;
using FlavorIndex = StrongIndex<struct FlavorTag>;
using QueueIndex = StrongIndex<struct QueueTag>;
using UserIndex = StrongIndex<struct UserTag>;
// An array of jobs that has a limit (quota/run_limits.h).
using ArrayIndex = StrongIndex<struct ArrayTag>;
// A row of the jobs (job_table.h).
using Slot = StrongIndex<struct SlotTag>;
// What jobs may have in common (job_table.h): their shape, what that asks of the machines, and which nodes it may use.
using ShapeIndex = StrongIndex<struct ShapeTag>;
using NeedIndex = StrongIndex<struct NeedTag>;
using RuleIndex = StrongIndex<struct RuleTag>;

// By node: the first job that keeps it from those behind it; kNone: none does.
using Keepers = IndexedVector<NodeIndex, Rank>;

}  // namespace ym::engine
