// Settings of placement: which of the nodes with room a job gets, and which running jobs are moved or resized.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/enum_names.h"

namespace ym {

// fgd:      the nodes where least free capacity becomes useless to the present jobs (fragmentation gradient descent)
// best_fit: the nodes with the fewest GPUs left free
// pack:     the fullest nodes, relative to their size
// spread:   the emptiest nodes
enum class Scoring : std::uint8_t { fgd, best_fit, pack, spread };
constexpr std::string_view to_string(Scoring value) {
  switch (value) {
    case Scoring::fgd: return "fgd";
    case Scoring::best_fit: return "best-fit";
    case Scoring::pack: return "pack";
    case Scoring::spread: return "spread";
  }
  return {};
}
// A name of earlier versions. It is read as fgd, in files and in stored rows.
inline constexpr std::string_view kFormerScoring = "final-waste";
constexpr std::optional<Scoring> parse_scoring(std::string_view text) {
  return text == kFormerScoring ? Scoring::fgd : parse_enum<Scoring>(text);
}

// Whether running jobs are moved to open a place for a gang, if that costs less than the waiting that it ends.
//   off:     not tried
//   advice:  the moves are only shown
//   on:      moves are made if they save many times their cost, else shown
enum class Consolidation : std::uint8_t { off, advice, on };
constexpr std::string_view to_string(Consolidation value) {
  switch (value) {
    case Consolidation::off: return "off";
    case Consolidation::advice: return "advice";
    case Consolidation::on: return "on";
  }
  return {};
}

// Whether running elastic jobs are restarted on more nodes if these are idle, and if that gains more than it costs.
enum class Resizing : std::uint8_t { off, on };
constexpr std::string_view to_string(Resizing value) {
  switch (value) {
    case Resizing::off: return "off";
    case Resizing::on: return "on";
  }
  return {};
}

// The flavor, and with it the cluster, of a job that has room in several flavors.
//   listed:    the first in the quota of its queue, else in the configuration
//   cheapest:  the one with the lowest price; of equal ones the first
enum class FlavorChoice : std::uint8_t { listed, cheapest };
constexpr std::string_view to_string(FlavorChoice value) {
  switch (value) {
    case FlavorChoice::listed: return "listed";
    case FlavorChoice::cheapest: return "cheapest";
  }
  return {};
}

}  // namespace ym
