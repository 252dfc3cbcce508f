// Indices: positions in the engine's arrays, with a type for each kind of thing.
//
// An index never decides which of two things goes first: every order that decides ends in a name or an id. The
// exception is the rank, which is an order.
#pragma once

#include "base/strong_index.h"

namespace ym::engine {

// No index, for any type.
inline constexpr NoIndex kNone;

// A job's position in the dequeue order of a cycle; 0 is first.
using Rank = StrongIndex<struct RankTag>;
// A pending entry of a cycle (pending_entry.h). The entries of a queue are consecutive.
using EntryIndex = StrongIndex<struct EntryTag>;

using NodeIndex = StrongIndex<struct NodeTag>;
using ClusterIndex = StrongIndex<struct ClusterTag>;
// A level of the topology (levels.h), and a domain among all domains of its level.
using LevelIndex = StrongIndex<struct LevelTag>;
using DomainIndex = StrongIndex<struct DomainTag>;
// A task of a gang, and a part of a gang (nodes/node_need.h).
using TaskIndex = StrongIndex<struct TaskTag>;
using PartIndex = StrongIndex<struct PartTag>;
// A device of a node, in the order of the node's inventory.
using DeviceIndex = StrongIndex<struct DeviceTag>;
// A profile of slices of GPUs.
using ProfileIndex = StrongIndex<struct ProfileTag>;
using FlavorIndex = StrongIndex<struct FlavorTag>;
// A pool among those of its flavor: the clusters, or the domains of one level (inventory.h).
using PoolIndex = StrongIndex<struct PoolTag>;
// A node among those of its pool.
using PlaceInPool = StrongIndex<struct PlaceInPoolTag>;
using QueueIndex = StrongIndex<struct QueueTag>;
using UserIndex = StrongIndex<struct UserTag>;
// A job array that has a limit (quota/run_limits.h).
using ArrayIndex = StrongIndex<struct ArrayTag>;
// A row of the jobs (job_table.h).
using Slot = StrongIndex<struct SlotTag>;
// What jobs may have in common (job_table.h): their shape, its need of machines, and the rule for its nodes.
using ShapeIndex = StrongIndex<struct ShapeTag>;
using NeedIndex = StrongIndex<struct NeedTag>;
using RuleIndex = StrongIndex<struct RuleTag>;

// By node: the first job that keeps it from jobs behind it; kNone: no job does.
using Keepers = IndexedVector<NodeIndex, Rank>;

}  // namespace ym::engine
