// By what the nodes of a gang are chosen among those that have room.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ym {

// fgd:      least of what is free becomes useless to the jobs there are (fragmentation gradient descent)
// best_fit: the fewest GPUs are left free
// pack:     the fullest, as a part of what the node has
// spread:   the emptiest
enum class Scoring : std::uint8_t { fgd, best_fit, pack, spread };

std::string_view to_string(Scoring scoring);  // "best-fit"
std::optional<Scoring> parse_scoring(std::string_view text);

}  // namespace ym
