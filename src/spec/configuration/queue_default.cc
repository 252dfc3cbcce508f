#include "spec/configuration/queue_default.h"

#include <fmt/format.h>

#include "spec/text/text_check.h"

namespace ym::spec {
namespace {

constexpr std::size_t kMostNames = 1'000;
constexpr std::size_t kLongestUser = 255;

}  // namespace

std::optional<std::string> DefaultsReader::read_user(const Field& field) {
  auto user = read_string(field);
  if (!user) return std::nullopt;
  if (!user->empty() && user->size() <= kLongestUser && !has_control_characters(*user)) return user;
  field.wrong(fmt::format("{} is not a user; write a name as `ym ps -A` shows it", quoted(*user)));
  return std::nullopt;
}

std::vector<std::string> DefaultsReader::names(const Field& field, const std::string& queue, Kind& kind) {
  std::vector<std::string> names;
  const auto items = read_list(field, kind.many);
  for (const auto& item : items.value_or(std::vector<Field>())) {
    auto name = kind.read(item);
    if (!name) continue;
    const auto [known, is_new] = kind.queue_of.try_emplace(*name, queue);
    if (is_new) names.push_back(std::move(*name));
    else
      item.wrong(fmt::format("queue '{}' is already the default of {} {}; leave it out in one of the two",
                             known->second, kind.one, quoted(*name)));
  }
  if (names.size() > kMostNames) field.wrong(fmt::format("more than {} {}", kMostNames, kind.many));
  return names;
}

void DefaultsReader::read(const Field& field, Queue& queue, bool is_cohort) {
  MapReader map(field);
  if (is_cohort) field.wrong("is for queues that take jobs; write it at one of the queues below this one");
  if (auto users = map.find("users")) queue.default_for.users = names(*users, queue.name, users_);
  if (auto projects = map.find("projects")) queue.default_for.projects = names(*projects, queue.name, projects_);
  map.finish();
}

}  // namespace ym::spec
