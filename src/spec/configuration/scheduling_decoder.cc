#include "spec/configuration/scheduling_decoder.h"

#include <fmt/format.h>

#include "model/keys/policy.h"
#include "spec/keys/read.h"

namespace ym::spec {
namespace {

std::string warning_at(const Field& field, std::string_view message) {
  const int line = field.value->line;
  return fmt::format("{}: {}{}", field.pointer, message, line > 0 ? fmt::format(" (line {})", line) : "");
}

// Words and keys of earlier versions. They get a warning.
void read_former(const Field& scheduling, PolicySettings& settings, std::vector<std::string>& warnings) {
  if (scheduling.value->kind != Value::Kind::map) return;
  MapReader map(scheduling);
  const auto placement = map.find("placement");
  const bool is_former = placement && placement->value->text == kFormerScoring;
  if (placement && !is_former) keys::read_into(*placement, settings.scoring, keys::OneOf<Scoring>{});
  if (is_former) {
    settings.scoring = parse_scoring(kFormerScoring);
    warnings.push_back(warning_at(*placement, "final-waste is not supported any more; fgd is used. Write fgd"));
  }
  if (const auto table = map.find("waste_table"))
    warnings.push_back(warning_at(*table, "is not used any more; leave it out"));
}

}  // namespace

void read_settings(MapReader& map, PolicySettings& settings, std::vector<std::string>& warnings) {
  keys::read_keys(map, settings);
  if (const auto scheduling = map.find("scheduling")) read_former(*scheduling, settings, warnings);
}

}  // namespace ym::spec
