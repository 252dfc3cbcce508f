#include "model/scoring.h"

namespace ym {

std::string_view to_string(Scoring scoring) {
  switch (scoring) {
    case Scoring::fgd: return "fgd";
    case Scoring::best_fit: return "best-fit";
    case Scoring::pack: return "pack";
    case Scoring::spread: return "spread";
  }
  return "";
}

std::optional<Scoring> parse_scoring(std::string_view text) {
  for (const auto scoring : {Scoring::fgd, Scoring::best_fit, Scoring::pack, Scoring::spread})
    if (text == to_string(scoring)) return scoring;
  return std::nullopt;
}

}  // namespace ym
