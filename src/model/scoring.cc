#include "model/scoring.h"

#include <array>

#include "model/parse_name.h"

namespace ym {
namespace {

constexpr std::array<std::string_view, 4> kScorings{"fgd", "best-fit", "pack", "spread"};
constexpr std::array<std::string_view, 3> kConsolidations{"off", "advice", "on"};
constexpr std::array<std::string_view, 2> kResizings{"off", "on"};
constexpr std::array<std::string_view, 2> kFlavorChoices{"listed", "cheapest"};

}  // namespace

std::string_view to_string(Scoring scoring) { return name_of(kScorings, scoring); }

std::optional<Scoring> parse_scoring(std::string_view text) {
  return text == kFormerScoring ? Scoring::fgd : parse_name<Scoring>(kScorings, text);
}

std::string_view to_string(Consolidation consolidation) { return name_of(kConsolidations, consolidation); }

std::optional<Consolidation> parse_consolidation(std::string_view text) {
  return parse_name<Consolidation>(kConsolidations, text);
}

std::string_view to_string(FlavorChoice choice) { return name_of(kFlavorChoices, choice); }

std::optional<FlavorChoice> parse_flavor_choice(std::string_view text) {
  return parse_name<FlavorChoice>(kFlavorChoices, text);
}

std::string_view to_string(Resizing resizing) { return resizing == Resizing::on ? "on" : "off"; }

std::optional<Resizing> parse_resizing(std::string_view text) { return parse_name<Resizing>(kResizings, text); }

}  // namespace ym
