#include "spec/scheduling_decoder.h"

#include <fmt/format.h>

#include "model/job.h"

namespace ym::spec {
namespace {

constexpr Duration kLongest = hours(365 * 24);

std::optional<FairShare> read_fair_share(const Field& field) {
  const auto text = read_string(field);
  const auto share = text ? parse_fair_share(*text) : std::nullopt;
  if (text && !share) field.wrong(fmt::format("{} is no way to share; write decayed or instant", quoted(*text)));
  return share;
}

std::string warning_at(const Field& field, std::string_view message) {
  const int line = field.value->line;
  return fmt::format("{}: {}{}", field.pointer, message, line > 0 ? fmt::format(" (line {})", line) : "");
}

std::optional<Scoring> read_scoring(const Field& field, std::vector<std::string>& warnings) {
  const auto text = read_string(field);
  const auto scoring = text ? parse_scoring(*text) : std::nullopt;
  if (text && !scoring)
    field.wrong(fmt::format("{} is no way to choose nodes; write fgd, best-fit, pack or spread", quoted(*text)));
  if (text == kFormerScoring)
    warnings.push_back(warning_at(field, "final-waste is not supported any more; fgd is used. Write fgd"));
  return scoring;
}

std::optional<Consolidation> read_consolidation(const Field& field) {
  const auto text = read_string(field);
  const auto consolidation = text ? parse_consolidation(*text) : std::nullopt;
  if (text && !consolidation) field.wrong(fmt::format("{} is none of off, advice and on", quoted(*text)));
  return consolidation;
}

std::optional<FlavorChoice> read_flavor_choice(const Field& field) {
  const auto text = read_string(field);
  const auto choice = text ? parse_flavor_choice(*text) : std::nullopt;
  if (text && !choice) field.wrong(fmt::format("{} is neither listed nor cheapest", quoted(*text)));
  return choice;
}

std::optional<Resizing> read_resizing(const Field& field) {
  const auto text = read_string(field);
  const auto resizing = text ? parse_resizing(*text) : std::nullopt;
  if (text && !resizing) field.wrong(fmt::format("{} is neither off nor on", quoted(*text)));
  return resizing;
}

}  // namespace

void read_scheduling(const Field& field, PolicySettings& settings, std::vector<std::string>& warnings) {
  MapReader map(field);
  if (auto cap = map.find("age_cap")) settings.age_cap = read_duration(*cap, seconds(1), kLongest);
  if (auto start = map.find("start_allowance"))
    settings.start_allowance = read_duration(*start, Duration{0}, hours(24));
  if (auto share = map.find("fair_share")) settings.fair_share = read_fair_share(*share);
  if (auto placement = map.find("placement")) settings.scoring = read_scoring(*placement, warnings);
  if (auto table = map.find("waste_table"))
    warnings.push_back(warning_at(*table, "is not used any more; leave it out"));
  if (auto flavors = map.find("flavors")) settings.flavor_choice = read_flavor_choice(*flavors);
  if (auto moves = map.find("consolidation")) settings.consolidation = read_consolidation(*moves);
  if (auto resize = map.find("resize")) settings.resizing = read_resizing(*resize);
  if (auto interval = map.find("resize_interval"))
    settings.resize_interval = read_duration(*interval, seconds(1), kLongest);
  if (auto half = map.find("usage_half_life"))
    settings.usage_half_life = read_duration(*half, kUsageSampling, hours(365 * 24));
  map.finish();
}

void read_preemption(const Field& field, PolicySettings& settings) {
  MapReader map(field);
  if (auto cost = map.find("restart_cost")) settings.restart_cost = read_duration(*cost, Duration{0}, hours(24));
  if (auto cap = map.find("reclaim_min_runtime_cap"))
    settings.reclaim_min_runtime_cap = read_duration(*cap, Duration{0}, kLongest);
  if (auto most = map.find("preemptions_per_hour"))
    if (const auto read = read_whole_number(*most, 0, static_cast<std::int64_t>(kKeptPreemptions)))
      settings.preemptions_per_hour = static_cast<std::int32_t>(*read);
  if (auto margin = map.find("hold_margin")) settings.hold_margin = read_duration(*margin, seconds(1), hours(24));
  map.finish();
}

}  // namespace ym::spec
