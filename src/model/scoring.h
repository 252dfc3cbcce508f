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
// A way of earlier versions. It is read as fgd.
inline constexpr std::string_view kFormerScoring = "final-waste";

// Whether jobs that run are moved to open a place for a gang, where that costs less than the waiting it ends.
//   off:     it is not looked for
//   advice:  what would be moved is only said
//   on:      it is done where it saves many times what it costs, else said
enum class Consolidation : std::uint8_t { off, advice, on };

// Whether elastic jobs that run are begun again on more nodes when these are idle, where that costs less than it
// brings.
enum class Resizing : std::uint8_t { off, on };

// In which of several flavors, and with them clusters, a job begins that has room in more than one.
//   listed:    the first, as its queue's quota lists them or else the configuration
//   cheapest:  that with the lowest price; of equal ones the first
enum class FlavorChoice : std::uint8_t { listed, cheapest };

std::string_view to_string(FlavorChoice choice);  // "cheapest"
std::optional<FlavorChoice> parse_flavor_choice(std::string_view text);

std::string_view to_string(Consolidation consolidation);  // "advice"
std::optional<Consolidation> parse_consolidation(std::string_view text);

std::string_view to_string(Resizing resizing);  // "on"
std::optional<Resizing> parse_resizing(std::string_view text);

std::string_view to_string(Scoring scoring);  // "best-fit"
std::optional<Scoring> parse_scoring(std::string_view text);

}  // namespace ym
