// All that a state knows, as text, so that two states can be compared that were built in different ways.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>

#include "engine/state/impl.h"
#include "scenario/language/world.h"

namespace ym::testing {
namespace {

using engine::State;

std::string when(std::optional<Instant> at) { return at ? std::to_string(at->ms) : "-"; }

class Text {
 public:
  explicit Text(const State::Impl& state) : state_(state) {}

  std::string run() {
    for (const auto& [name, node] : state_.inventory.node_names.by_name()) add_node(name, node);
    for (const auto& [name, flavor] : state_.inventory.flavor_rows())
      line("{} wants {} nodes since {}", name, flavor.wanted.nodes, flavor.wanted.since.ms);
    for (const auto& [job, attempt] : state_.live) add(job, attempt);
    for (const auto& [job, place] : state_.holds) add(job, place);
    for (const auto slot : state_.jobs.waiting()) add(state_.jobs[slot]);
    for (const auto& [name, usage] : state_.usage) add(usage);
    return text_;
  }

 private:
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    text_ += '\n';
  }

  void add_node(const std::string& name, engine::NodeIndex node) {
    const auto& inventory = state_.inventory;
    for (const auto* taken : {&inventory.used, &inventory.leaving, &inventory.held}) {
      line("{} {:x} {} {}", name, taken->devices[node], taken->cpus[node], taken->memory[node]);
      for (const engine::DeviceIndex device : taken->parts[node].indices())
        if (const engine::Part part = taken->part(node, device); !part.is_none())
          line("  of {}: {} {}", device.value, part.milli, part.memory);
    }
  }

  void add(const engine::Footprint& place) {
    line("  {} {} {} nodes", state_.queue_names[place.queue], state_.inventory.name_of(place.flavors),
         place.tasks.size());
    for (const auto& task : place.tasks)
      line("  {} {:x} {}", state_.inventory.node_names[task.node], task.bits, task.devices.size());
  }

  void add(JobId job, const engine::LiveAttempt& attempt) {
    const engine::JobRow& row = *state_.jobs.find(job);
    line("{}/{} admitted {} started {} stop {} for {} {}{}{}", to_string(job), attempt.number, attempt.admitted_at.ms,
         when(attempt.started_at), when(attempt.stop_by), to_string(attempt.yields_to), attempt.stopping,
         attempt.unreachable, attempt.leaving);
    line("  durable {} terms {} {} {} {}", when(state_.history.durable_at(job, attempt.number)), row.preemptible,
         row.min_runtime.ms, row.grace.ms, row.cancel_requested);
    for (std::int32_t n = 1; state_.history.nth_last_preemption(job, n); ++n)
      line("  preempted {}", when(state_.history.nth_last_preemption(job, n)));
    add(attempt);
  }

  void add(JobId job, const engine::Nomination& place) {
    line("kept for {} in {} until {}", to_string(job), state_.inventory.cluster_names[place.cluster],
         place.expires_at.ms);
    for (const JobId victim : place.victims) line("  victim {}", to_string(victim));
    add(place);
  }

  void add(const engine::JobRow& job) {
    line("{} waits {} since {} not before {}", to_string(job.id), static_cast<int>(job.waiting), job.waits_since.ms,
         when(job.not_before));
    for (std::int32_t attempt = 1; attempt <= 8; ++attempt)
      if (const auto durable = state_.history.durable_at(job.id, attempt)) line("  durable {}", when(durable));
  }

  void add(const Usage& usage) {
    line("{} has used, as of {}:", usage.name, usage.sampled_at.ms);
    for (const auto& one : usage.flavors)
      line("  {} {} and {}", one.flavor, fmt::join(one.decayed.amounts, " "), fmt::join(one.entered.amounts, " "));
  }

  const State::Impl& state_;
  std::string text_;
};

}  // namespace

std::string text_of(const State& state) { return Text(state.impl()).run(); }

}  // namespace ym::testing
