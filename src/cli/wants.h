// What a job asks for, as the server sends it, for people.
#pragma once

#include <boost/json/value.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace ym::cli {

// How many nodes it may have; the same number twice unless it is elastic.
struct NodeCount {
  std::int64_t fewest = 1, most = 1;
};
NodeCount nodes_of(const boost::json::value& job);
// Of so many of its kind, all nodes together: "16", or "8-32" while an elastic one waits; "-"
// where the server did not send the spec.
std::string gpus_of(const boost::json::value& job, std::size_t jobs = 1);
// Those of which it is, each as if it were a job; none: its tasks are all alike.
std::vector<boost::json::value> groups_of(const boost::json::value& job);
// "2 nodes x 8 h100 GPUs, 96 CPUs, 800GiB" of each node; "1 node, 1 CPU"; "2 to 4 nodes x .."; by group "learners: 2
// nodes x 8 GPUs; actors: 4 nodes".
std::string wants(const boost::json::value& job);

}  // namespace ym::cli
