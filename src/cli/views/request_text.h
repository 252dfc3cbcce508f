// The request of a job as text, from the server's JSON.
#pragma once

#include <boost/json/value.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace ym::cli {

// Fewest and most nodes. Both are equal unless the job is elastic.
struct NodeCount {
  std::int64_t fewest = 1, most = 1;
};
NodeCount nodes_of(const boost::json::value& job);
// GPUs of all nodes of `jobs` such jobs: "16", or "8-32" while an elastic job waits; "-": the server did not send the
// spec.
std::string gpus_of(const boost::json::value& job, std::size_t jobs = 1);
// The groups of the job, each in the form of a job. None: all its tasks are alike.
std::vector<boost::json::value> groups_of(const boost::json::value& job);
// "2 nodes x 8 h100 GPUs, 96 CPUs, 800GiB" of each node; "1 node, 1 CPU"; "2 to 4 nodes x .."; by group "learners: 2
// nodes x 8 GPUs; actors: 4 nodes".
std::string request_text(const boost::json::value& job);

}  // namespace ym::cli
