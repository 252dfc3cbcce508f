// The parts of sentences about a reason: amounts with their units, and what they are amounts of.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/reason.h"

namespace ym::engine {

std::string nodes(std::int64_t count);  // "1 node"
std::string jobs(std::int64_t count);
std::string text(const Amount& amount);  // "8", "0.5", "64GiB"

// "8 t4 GPUs", "64GiB of t4 memory", "2 MIG 1g.10gb". It omits the default flavor and an empty one.
std::string things(const Amount& amount, const Counted& of, std::string_view flavor = {});

// The name of a domain's kind: a level, or cluster.
std::string one_place(const std::string& place);
std::string of_one(const std::string& place);

// Which nodes: " of flavor t4", " that queue a may use".
std::string of_flavor(const std::string& flavor);
std::string of_those(const AskedNodes& nodes);
std::string per_node(const std::optional<Amount>& gpus);  // " with 8 GPUs each"

}  // namespace ym::engine
