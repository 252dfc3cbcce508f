#include "spec/interruption.h"

#include <fmt/format.h>

#include <array>

#include "spec/text_check.h"

namespace ym::spec {
namespace {

constexpr Duration kLongest = hours(365 * 24);
constexpr std::size_t kMaxDir = 4'095;

std::optional<std::string> read_signal(const Field& field) {
  constexpr std::array<std::string_view, 5> kSignals{"SIGTERM", "SIGINT", "SIGHUP", "SIGUSR1", "SIGUSR2"};
  const auto text = read_string(field);
  if (!text) return std::nullopt;
  for (const auto signal : kSignals)
    if (*text == signal || *text == signal.substr(3)) return std::string(signal);
  field.wrong(fmt::format("{} cannot be used; write one of {}", quoted(*text), fmt::join(kSignals, ", ")));
  return std::nullopt;
}

// A path or a URL; who reads and writes there is the job.
std::optional<std::string> read_place(const Field& field) {
  auto place = read_string(field);
  if (!place) return std::nullopt;
  if (!place->empty() && place->size() <= kMaxDir && !has_control_characters(*place)) return place;
  field.wrong("is not a place; write a path or a URL, 1 to 4095 bytes without control characters");
  return std::nullopt;
}

}  // namespace

void read_stop_rules(const Field& field, StopRules& stop) {
  MapReader map(field);
  if (auto allow = map.find("allow")) stop.preemptible = read_flag(*allow).value_or(stop.preemptible);
  if (auto signal = map.find("signal")) stop.signal = read_signal(*signal).value_or(stop.signal);
  if (auto grace = map.find("grace")) stop.grace = read_duration(*grace, Duration{0}, hours(1)).value_or(stop.grace);
  if (auto least = map.find("min_runtime"))
    stop.min_runtime = read_duration(*least, Duration{0}, kLongest).value_or(stop.min_runtime);
  map.finish();
}

void read_checkpoint_rules(const Field& field, CheckpointRules& checkpoint) {
  MapReader map(field);
  if (auto dir = map.find("dir")) checkpoint.dir = read_place(*dir).value_or("");
  if (auto every = map.find("every")) checkpoint.every = read_duration(*every, seconds(1), kLongest);
  if (auto save = map.find("expect_save")) checkpoint.expect_save = read_duration(*save, Duration{0}, hours(24));
  map.finish();
}

}  // namespace ym::spec
