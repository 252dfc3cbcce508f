// The world of a scenario, and the events in it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "scenario/language/scenario.h"

namespace ym::testing {
namespace {

// "t4:8" -> the type and the devices 0 to 7, or those after existing ones.
void read_gpus(Node& node, const std::string& word) {
  const auto parts = split(word, ':');
  const auto before = std::ranges::count_if(node.devices, [](const Device& one) { return one.profile.empty(); });
  node.gpu_type = parts.at(0);
  for (int i = 0; i < std::stoi(parts.at(1)); ++i) node.devices.push_back({.id = std::to_string(before + i)});
}

// "1g.5gb:7" -> seven slices, m0 and so on.
void read_slices(Node& node, const std::string& word) {
  const auto parts = split(word, ':');
  for (int i = 0; i < std::stoi(parts.at(1)); ++i) {
    const auto before = std::ranges::count_if(node.devices, [](const Device& one) { return !one.profile.empty(); });
    node.devices.push_back({.id = "m" + std::to_string(before), .profile = parts.at(0)});
  }
}

void set_gpu_memory(Node& node, std::int64_t bytes) {
  for (Device& device : node.devices)
    if (device.memory_bytes == 0) device.memory_bytes = bytes;
}

}  // namespace

Scenario::Statement Scenario::statement(std::string_view verb) {
  static constexpr std::array<std::pair<std::string_view, Statement>, 33> kStatements{{
      {"cluster", &Scenario::cluster},    {"nodes", &Scenario::nodes},
      {"flavor", &Scenario::flavor},      {"queue", &Scenario::queue},
      {"drain", &Scenario::drain},        {"undrain", &Scenario::undrain},
      {"break", &Scenario::break_device}, {"repair", &Scenario::repair_device},
      {"remove", &Scenario::remove},      {"submit", &Scenario::submit},
      {"running", &Scenario::running},    {"end", &Scenario::end},
      {"requeue", &Scenario::requeue},    {"lost", &Scenario::lost},
      {"cancel", &Scenario::cancel},      {"hold", &Scenario::hold},
      {"release", &Scenario::release},    {"policy", &Scenario::policy},
      {"decide", &Scenario::decide},      {"dry-run", &Scenario::dry_run},
      {"time", &Scenario::time},          {"expect", &Scenario::expect},
      {"start", &Scenario::start},        {"checkpoint", &Scenario::checkpoint},
      {"stop", &Scenario::stop},          {"skip", &Scenario::skip_checkpoint},
      {"regained", &Scenario::regained},  {"withdraw", &Scenario::withdraw},
      {"sample", &Scenario::sample},      {"forecast", &Scenario::forecast},
      {"compare", &Scenario::compare},    {"reservation", &Scenario::reservation},
  }};
  const auto found = std::ranges::find(kStatements, verb, &std::pair<std::string_view, Statement>::first);
  return found == kStatements.end() ? nullptr : found->second;
}

void Scenario::line(std::string_view text) {
  Words words(text);
  if (words.done()) return;
  const std::string verb = words.take("a statement");
  const Statement run = statement(verb);
  if (!run) throw ScenarioError(fmt::format("'{}' is not a statement", verb));
  (this->*run)(words);
  words.end();
}

void Scenario::cluster(Words& words) {
  Cluster cluster{.name = words.take("a name"), .executor = "simulated"};
  if (words.skip("topology")) cluster.topology = words.list("levels");
  if (words.skip("executor")) cluster.executor = words.take("a kind");
  cluster.available = !words.skip("unavailable");
  world_.apply(ClusterSet{cluster});
}

void Scenario::nodes(Words& words) {
  Node node{.cluster = "lab", .cpus = 64 * kMilli, .memory_bytes = 512 * kGiB};
  const auto names = expand(words.take("names"));
  while (!words.done()) {
    if (words.skip("cpus")) node.cpus = words.thousandths("an amount");
    else if (words.skip("memory")) node.memory_bytes = words.bytes("an amount");
    else if (words.skip("labels")) node.labels = words.labels("key=value");
    else if (words.skip("cluster")) node.cluster = words.take("a cluster");
    else if (words.skip("mig")) read_slices(node, words.take("slices"));
    else if (words.skip("gpu_memory")) set_gpu_memory(node, words.bytes("an amount"));
    else if (words.peek().find(':') != std::string_view::npos) read_gpus(node, words.take("gpus"));
    else words.end();
  }
  for (const auto& name : names) {
    node.name = name;
    world_.apply(NodeSet{node});
  }
}

// The rest of the line: a new node, as `nodes` describes one.
ElasticCapacity Scenario::read_elastic(Words& words, const Flavor& flavor) {
  ElasticCapacity elastic{.max_nodes = words.number("the most nodes"),
                          .node = {.cluster = flavor.cluster, .cpus = 64 * kMilli, .memory_bytes = 512 * kGiB}};
  while (!words.done()) {
    if (words.skip("provisioning")) elastic.provisioning = words.duration("a duration");
    else if (words.skip("cpus")) elastic.node.cpus = words.thousandths("an amount");
    else if (words.skip("memory")) elastic.node.memory_bytes = words.bytes("an amount");
    else if (words.skip("labels")) elastic.node.labels = words.labels("key=value");
    else if (words.skip("mig")) read_slices(elastic.node, words.take("slices"));
    else if (words.skip("gpu_memory")) set_gpu_memory(elastic.node, words.bytes("an amount"));
    else read_gpus(elastic.node, words.take("gpus"));
  }
  return elastic;
}

void Scenario::flavor(Words& words) {
  Flavor flavor{.name = words.take("a name")};
  if (words.skip("rank")) flavor.rank = static_cast<std::int32_t>(words.number("a rank"));
  if (words.skip("price")) flavor.price_micros_per_gpu_hour = words.thousandths("a price") * 1000;
  if (words.skip("gpu")) flavor.gpu_type = words.take("a type");
  if (words.skip("cluster")) flavor.cluster = words.take("a cluster");
  if (words.skip("labels")) flavor.labels = words.labels("key=value");
  flavor.spot = words.skip("spot");
  if (words.skip("elastic")) flavor.elastic = read_elastic(words, flavor);
  world_.apply(FlavorSet{flavor});
}

void Scenario::set_schedulable(Words& words, bool schedulable) {
  for (const auto& name : expand(words.take("names"))) {
    Node node = world_.tables().nodes.at(name);
    node.schedulable = schedulable;
    world_.apply(NodeSet{node});
  }
}

void Scenario::drain(Words& words) { set_schedulable(words, false); }
void Scenario::undrain(Words& words) { set_schedulable(words, true); }

void Scenario::set_healthy(Words& words, bool healthy) {
  for (const auto& placed : read_placement(words)) {
    Node node = world_.tables().nodes.at(placed.node);
    for (auto& device : node.devices)
      if (std::ranges::find(placed.devices, device.id) != placed.devices.end()) device.healthy = healthy;
    world_.apply(NodeSet{node});
  }
}

void Scenario::break_device(Words& words) { set_healthy(words, false); }
void Scenario::repair_device(Words& words) { set_healthy(words, true); }

void Scenario::remove(Words& words) {
  const std::string what = words.take("what to remove");
  const std::string name = words.take("a name");
  if (what == "queue") world_.apply(QueueRemoved{name});
  else if (what == "node") world_.apply(NodeRemoved{name});
  else if (what == "flavor") world_.apply(FlavorRemoved{name});
  else if (what == "reservation") world_.apply(ReservationRemoved{name});
  else if (what == "cluster") world_.apply(ClusterRemoved{name});
  else throw ScenarioError(fmt::format("there is no '{}' to remove", what));
}

void Scenario::policy(Words& words) {
  if (words.skip("age_cap")) policy_.age_cap = words.duration("a duration");
  else if (words.skip("restart_cost")) policy_.restart_cost = words.duration("a duration");
  else if (words.skip("start_allowance")) policy_.start_allowance = words.duration("a duration");
  else if (words.skip("hold_margin")) policy_.hold_margin = words.duration("a duration");
  else if (words.skip("reclaim_min_runtime_cap")) policy_.reclaim_min_runtime_cap = words.duration("a duration");
  else if (words.skip("half_life")) policy_.usage_kept = kept_part(words.duration("a duration"));
  else if (words.skip("instant")) policy_.fair_share = FairShare::instant;
  else if (words.skip("placement")) policy_.scoring = *parse_scoring(words.take("a way to choose nodes"));
  else if (words.skip("consolidation"))
    policy_.consolidation = *parse_enum<Consolidation>(words.take("off, advice or on"));
  else if (words.skip("resize")) policy_.resizing = *parse_enum<Resizing>(words.take("off or on"));
  else if (words.skip("resize_interval")) policy_.resize_interval = words.duration("a duration");
  else if (words.skip("preemptions_per_hour"))
    policy_.preemptions_per_hour = static_cast<std::int32_t>(words.number("a number"));
  else if (words.skip("flavors")) policy_.flavor_choice = parse_enum<FlavorChoice>(words.take("a choice")).value();
  else if (!words.skip("without")) throw ScenarioError("a setting and its value, or without PHASE is wanted");
  else if (words.skip("order")) policy_.order_phase = false;
  else if (words.skip("quota")) policy_.quota_phase = false;
  else if (words.skip("place")) policy_.place_phase = false;
  else if (words.skip("preempt")) policy_.preempt_phase = false;
  else if (words.skip("reserve")) policy_.reserve_phase = false;
  else if (words.skip("provision")) policy_.provision_phase = false;
  else if (words.skip("explain")) policy_.explain_phase = false;
}

void Scenario::run_cycle(Words& words) {
  if (!words.skip("at")) throw ScenarioError("'at' and a time are wanted");
  std::vector<std::string> problems;
  const Instant now = words.time("a time");
  world_.advance(now);
  plan_ = world_.decide(policy_, now, problems);
  decided_ = true;
  mentioned_.clear();
  if (!problems.empty()) throw ScenarioError(problems.front());
}

void Scenario::sample(Words& words) {
  if (!words.skip("at")) throw ScenarioError("'at' and a time are wanted");
  world_.advance(words.time("a time"));
  const Duration half_life = words.skip("half_life") ? words.duration("a duration") : kUsageHalfLife;
  world_.apply(UsageSampled{.at = usage_grid(world_.now()), .kept = kept_part(half_life)});
}

void Scenario::time(Words& words) { world_.advance(words.time("a time")); }

void Scenario::dry_run(Words& words) { run_cycle(words); }

void Scenario::decide(Words& words) {
  run_cycle(words);
  std::vector<std::string> problems;
  const Instant now = world_.now();
  world_.commit(plan_, problems);
  // Nothing has happened since, so nothing may be added.
  const auto next = world_.decide(policy_, now, problems);
  if (!next.decisions.empty()) problems.push_back("the next cycle decides more:\n" + engine::to_text(next));
  if (!problems.empty()) throw ScenarioError(problems.front());
}

}  // namespace ym::testing
