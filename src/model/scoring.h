// By what the nodes of a gang are chosen among those that have room.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/enum_names.h"

namespace ym {

// fgd:      least of what is free becomes useless to the jobs there are (fragmentation gradient descent)
// best_fit: the fewest GPUs are left free
// pack:     the fullest, as a part of what the node has
// spread:   the emptiest
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
// A name of earlier versions: it is read as fgd, in files and in stored rows.
inline constexpr std::string_view kFormerScoring = "final-waste";
constexpr std::optional<Scoring> parse_scoring(std::string_view text) {
  return text == kFormerScoring ? Scoring::fgd : parse_enum<Scoring>(text);
}

// Whether jobs that run are moved to open a place for a gang, where that costs less than the waiting it ends.
//   off:     it is not looked for
//   advice:  what would be moved is only said
//   on:      it is done where it saves many times what it costs, else said
enum class Consolidation : std::uint8_t { off, advice, on };
constexpr std::string_view to_string(Consolidation value) {
  switch (value) {
    case Consolidation::off: return "off";
    case Consolidation::advice: return "advice";
    case Consolidation::on: return "on";
  }
  return {};
}

// Whether elastic jobs that run are begun again on more nodes when these are idle, where that costs less than it
// brings.
enum class Resizing : std::uint8_t { off, on };
constexpr std::string_view to_string(Resizing value) {
  switch (value) {
    case Resizing::off: return "off";
    case Resizing::on: return "on";
  }
  return {};
}

// In which of several flavors, and with them clusters, a job begins that has room in more than one.
//   listed:    the first, as its queue's quota lists them or else the configuration
//   cheapest:  that with the lowest price; of equal ones the first
enum class FlavorChoice : std::uint8_t { listed, cheapest };
constexpr std::string_view to_string(FlavorChoice value) {
  switch (value) {
    case FlavorChoice::listed: return "listed";
    case FlavorChoice::cheapest: return "cheapest";
  }
  return {};
}

}  // namespace ym
