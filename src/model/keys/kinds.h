// Kinds of values that keys have. A kind says which values are valid, not how they are read or shown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/enum_names.h"
#include "base/time.h"

namespace ym::keys {

// --- for any struct
struct Flag {};  // true, false
struct Whole {   // a whole number
  std::int64_t least = 0, most = 0;
  std::string_view unit{};  // "nodes"
};
inline constexpr Whole kPriority{0, 100};
struct Span {  // "1h30m"
  Duration least, most;
};
struct Moment {};           // an RFC 3339 time with a zone
struct Amount {             // in thousandths: 4, 0.5, "500m"
  std::string_view unit{};  // "GPUs"
};
struct Bytes {               // "64GiB"
  bool unit_wanted = false;  // 4096 is refused: Slurm takes it for MiB, others for bytes
  std::int64_t least = 0;
};
struct Name {};  // of a job, queue, project, cluster or flavor
struct Text {
  std::optional<std::size_t> most{};  // bytes; with it, no control characters
};
struct Path {};  // absolute
template <NamedEnum E>
struct OneOf {};
struct Labels {};     // a map of labels
struct LabelKey {};   // the key of a label: a level of a topology
struct NodeNames {};  // a list of node names and patterns
template <class Kind>
struct ListOf {
  Kind item;
  std::string_view what;  // "budgets"
  std::size_t most = 0;   // 0: no limit
};
template <class T>
struct MapOf {  // a struct with keys of its own
};

// --- for jobs
struct ProgramText {};  // a list of words, or a line for the shell
struct Workdir {};      // a path, also relative
struct Image {};        // of a container
struct Variables {};    // environment variables
struct RetryLimit {     // 3, or {max: 3}
  bool may_be_unlimited = false;
};
struct Signal {};       // the signal that asks a program to stop
struct Place {};        // a path or a URL
struct NodeCount {};    // 4, or {min: 2, max: 4}
struct MemberCount {};  // 100, or {count: 100, parallel: 10}
struct GroupList {};    // of tasks
struct GpuCount {};     // 2, "t4:2", "h100:8 | a100:8"
struct GpuShare {};     // 0.5, "500m", "t4:500m"
struct Slices {};       // "1g.10gb:2"

// --- for queues and flavors
struct QuotaByFlavor {};
struct ChildQueues {};
struct Reservations {};    // a number, or "all"
struct LowestPriority {};  // {max_priority: 30}
struct RunLimits {};       // {jobs, gpus}
struct GpuHours {};
struct Money {};
struct Price {};  // of a GPU-hour
struct GpuType {};
struct NewNodes {};  // the node of an elastic flavor

// --- for clusters and nodes
struct ExecutorName {};
struct NodePattern {};  // "gpu[08-10],login"
struct NodeGpus {};     // 4, "t4:4"
struct NodeSlices {};   // "1g.5gb:4", or a list of them

// --- for rights
struct ScopeText {};     // "site", "project:vision"
struct GranteeText {};   // "ann", "group:vision"
struct WebAddress {};    // of an issuer of tokens
struct ClaimPointer {};  // "/realm_access/roles"
struct Claims {};        // what claims must be: {ref: refs/heads/main}

}  // namespace ym::keys
