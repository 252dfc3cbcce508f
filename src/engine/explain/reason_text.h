// The parts that sentences about a reason are made of: its amounts with their units, and what they are of.
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

// "8 t4 GPUs", "64GiB of t4 memory", "2 MIG 1g.10gb"; the default flavor, and an empty one, are not said.
std::string things(const Amount& amount, const Counted& of, std::string_view flavor = {});

// In which domain of the topology: a level, or a cluster.
std::string one_place(const std::string& place);
std::string of_one(const std::string& place);

// Which nodes are spoken of: " of flavor t4", " that queue a may use".
std::string of_flavor(const std::string& flavor);
std::string of_those(const AskedNodes& nodes);
std::string per_node(const std::optional<Amount>& gpus);  // " with 8 GPUs each"

}  // namespace ym::engine
