// The keys of a flavor.
#pragma once

#include "model/cluster.h"
#include "model/keys/key.h"
#include "model/keys/kinds.h"

namespace ym::keys {

inline constexpr Duration kLongestStart = hours(7 * 24);

template <>
struct Keys<ElasticCapacity> {
  using R = ElasticCapacity;
  static constexpr std::tuple list{
      Key{"max", &R::max_nodes, Whole{1, 100'000, "nodes"},
          About{"Most nodes of the flavor, existing ones included.", "16"},
          Traits{.stored = "max_nodes",
                 .in_rows = InRows::always,
                 .required = "write how many nodes of the flavor there may be"}},
      Key{"node", &R::node, NewNodes{},
          About{"What a new node has: keys as under [nodes](#nodes), without `names`. It has the labels of `match` "
                "anyway. For jobs that need a topology level, write the labels of that level and of all outer levels.",
                "{gpus: \"a100:8\", cpus: 96, memory: 1TiB}"},
          Traits{.in_rows = InRows::always,
                 .required = "write what a new node has: {gpus: \"h100:8\", cpus: 96, memory: 1TiB}"}},
      Key{"provisioning", &R::provisioning, Span{seconds(1), kLongestStart},
          About{"Time until a new node can be used.", "8m"},
          Traits{.stored = "provisioning_ms", .in_rows = InRows::always}},
      Key{"idle", &R::idle, Span{{}, kLongestStart},
          About{"On a `simulated` cluster: time after which an idle node goes.", "10m"},
          Traits{.stored = "idle_ms", .in_rows = InRows::always}},
  };
};

template <>
struct Keys<Flavor> {
  using R = Flavor;
  static constexpr std::tuple list{
      Key{"name", &R::name, Name{}, About{"Unique.", "t4"},
          Traits{.in_rows = InRows::always, .required = "give the flavor a name"}},
      section("match", "Which nodes are of the flavor.",
              Key{"gpu", &R::gpu_type, GpuType{}, About{"Type of the node's GPUs.", "t4", "any"},
                  Traits{.stored = "gpu_type", .in_rows = InRows::always}},
              Key{"cluster", &R::cluster, Name{}, About{"Cluster of the node.", "lab", "any"},
                  Traits{.in_rows = InRows::always}},
              Key{"labels", &R::labels, Labels{}, About{"Each label must have this value.", "{pool: spot}", "any"},
                  Traits{.in_rows = InRows::always}}),
      Key{"price_per_gpu_hour", &R::price_micros_per_gpu_hour, Price{}, About{"Price, in your currency.", "0.35"},
          Traits{.stored = "price_micros_per_gpu_hour", .in_rows = InRows::always}},
      Key{"spot", &R::spot, Flag{},
          About{"Machines may be taken away at any time. No job has its "
                "[anchor](job-file.md#spot-machines-and-the-anchor) there.",
                "true"}},
      Key{"elastic", &R::elastic, ByHand{MapOf<ElasticCapacity>{}}, About{"Nodes that do not exist yet. See below."}},
      Kept{"rank", &R::rank, InRows::later},
      Kept{"wanted", &R::wanted},
      Kept{"managed_by", &R::managed_by, InRows::always},
  };
};

}  // namespace ym::keys
