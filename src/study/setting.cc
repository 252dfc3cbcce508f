#include "study/setting.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "spec/text/suggest.h"

namespace ym::study {
namespace {

struct QueueKey {
  std::string_view name;
  void (*copy)(const Queue& from, Queue& to);
};

// Keys of a queue's `policy` that can be varied one by one.
constexpr std::array kQueueKeys{
    QueueKey{"order", [](const Queue& from, Queue& to) { to.order = from.order; }},
    QueueKey{"strict", [](const Queue& from, Queue& to) { to.strict = from.strict; }},
    QueueKey{"fair_users", [](const Queue& from, Queue& to) { to.fair_users = from.fair_users; }},
    QueueKey{"reservations", [](const Queue& from, Queue& to) { to.reservations = from.reservations; }},
    QueueKey{"preempt", [](const Queue& from, Queue& to) { to.preempt = from.preempt; }},
    QueueKey{"reclaim", [](const Queue& from, Queue& to) { to.reclaim = from.reclaim; }},
    QueueKey{"age_cap", [](const Queue& from, Queue& to) { to.age_cap = from.age_cap; }},
};

std::vector<std::string> parts_of(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const auto end = std::min(text.find(separator), text.size());
    parts.emplace_back(text.substr(0, end));
    if (end == text.size()) return parts;
    text.remove_prefix(end + 1);
  }
}

std::unexpected<Error> wrong(std::string_view written, std::string_view why) {
  return fail(ErrorCode::invalid, fmt::format("--try {}: {}", written, why));
}

// The text is generated, so its line numbers mean nothing to the user.
std::string without_line(std::string message) {
  if (const auto at = message.rfind(" (line "); at != std::string::npos && message.ends_with(')')) message.resize(at);
  return message;
}

std::string guess(std::string_view word, const std::vector<std::string>& known) {
  const auto near = spec::nearest(word, known);
  return near ? fmt::format("; did you mean '{}'?", *near) : "";
}

Result<PolicyDocument> parse(const Setting& setting, const std::string& yaml, const std::string& value) {
  auto document = parse_policy(yaml);
  if (document) return document;
  const Error& error = document.error();
  return wrong(setting.name() + "=" + value,
               without_line(error.fields.empty() ? error.message : error.fields.front().message));
}

std::unexpected<Error> no_queue(const sim::SiteOptions& site, const Setting& setting) {
  std::vector<std::string> names;
  for (const auto& queue : site.desired.queues) names.push_back(queue.name);
  return wrong(setting.name(),
               fmt::format("there is no queue '{}' in the policy{}", setting.section, guess(setting.section, names)));
}

std::unexpected<Error> no_key(const Setting& setting) {
  std::vector<std::string> keys;
  for (const auto& one : kQueueKeys) keys.emplace_back(one.name);
  return wrong(setting.name(),
               fmt::format("of a queue you can try: {}{}", fmt::join(keys, ", "), guess(setting.key, keys)));
}

}  // namespace

std::string Setting::name() const { return fmt::format("{}{}.{}", of_queue ? "queues." : "", section, key); }

Result<Setting> parse_setting(std::string_view written) {
  const auto equals = written.find('=');
  const auto path = parts_of(written.substr(0, equals), '.');
  if (equals == std::string_view::npos || path.size() < 2)
    return wrong(written, "write SECTION.KEY=VALUE,VALUE, for example scheduling.placement=fgd,best-fit");
  Setting setting{.section = path[path.size() - 2],
                  .of_queue = path.size() == 3 && path[0] == "queues",
                  .key = path.back(),
                  .values = parts_of(written.substr(equals + 1), ',')};
  const bool known = setting.of_queue || (path.size() == 2 && (path[0] == "scheduling" || path[0] == "preemption"));
  if (!known)
    return wrong(written, "its section is not one of scheduling, preemption and queues.NAME" +
                              guess(path.front(), {"scheduling", "preemption", "queues"}));
  if (std::ranges::find(setting.values, "") != setting.values.end()) return wrong(written, "a value is empty");
  return setting;
}

Result<void> set(sim::SiteOptions& site, const Setting& setting, const std::string& value,
                 const OnWarnings& on_warnings) {
  if (!setting.of_queue) {
    auto policy = parse(setting, fmt::format("{}: {{{}: {}}}\n", setting.section, setting.key, value), value);
    if (!policy) return std::unexpected(policy.error());
    return put_on(site, std::move(*policy), "--try " + setting.name(), on_warnings);
  }
  const auto queue = std::ranges::find(site.desired.queues, setting.section, &Queue::name);
  if (queue == site.desired.queues.end()) return no_queue(site, setting);
  const auto key = std::ranges::find(kQueueKeys, setting.key, &QueueKey::name);
  if (key == kQueueKeys.end()) return no_key(setting);
  const auto policy =
      parse(setting, fmt::format("queues: [{{name: x, policy: {{{}: {}}}}}]\n", setting.key, value), value);
  if (!policy) return std::unexpected(policy.error());
  key->copy(policy->queues.queues.front(), *queue);
  return {};
}

}  // namespace ym::study
