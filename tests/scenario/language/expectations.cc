// Checks what a cycle of a scenario has decided.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "scenario/language/scenario.h"

namespace ym::testing {
namespace {

std::string text_of(const TaskPlacement& placed) {
  return placed.devices.empty() ? placed.node : fmt::format("{}:{}", placed.node, fmt::join(placed.devices, ","));
}

// GPUs and CPUs as text: 8, 0.5.
std::string text_of(const engine::Number& value) {
  return value.unit == engine::Unit::thousandths ? format_thousandths(value.value) : std::to_string(value.value);
}

std::string text_of(const engine::Reason& reason) {
  std::string numbers;
  for (const auto& value : engine::numbers_of(reason)) numbers += fmt::format(" {}={}", value.name, text_of(value));
  return fmt::format("{}{} resource={} flavor={} queue={}", ym::to_string(reason.code()), numbers,
                     engine::about(reason), engine::text_in(reason, "flavor"), engine::text_in(reason, "queue"));
}

std::string number(const engine::Reason& reason, std::string_view name) {
  const auto numbers = engine::numbers_of(reason);
  const auto it = std::ranges::find(numbers, name, &engine::Number::name);
  return it == numbers.end() ? "none" : text_of(*it);
}

// A time, since the beginning of the scenario.
std::string time_in(const engine::Reason& reason, std::string_view name) {
  const auto numbers = engine::numbers_of(reason);
  const auto it = std::ranges::find(numbers, name, &engine::Number::name);
  return it == numbers.end() ? "none" : ym::to_string(Instant{it->value} - kStart);
}

void same(std::string_view what, const std::string& wanted, const std::string& found) {
  if (wanted != found) throw ScenarioError(fmt::format("{} is '{}', not '{}'", what, found, wanted));
}

}  // namespace

const engine::Verdict* Scenario::verdict(JobId id) const {
  const auto it = std::ranges::find(plan_.verdicts, id, &engine::Verdict::job);
  return it == plan_.verdicts.end() ? nullptr : &*it;
}

void Scenario::expect(Words& words) {
  ++expectations_;
  const std::string what = words.take("what is expected");
  if (what == "usage") return expect_usage(words);
  if (what == "used") return expect_used(words);
  if (what == "fits") return expect_fit(words, true);
  if (what == "misfit") return expect_fit(words, false);
  if (what == "stands") return expect_decision(words, true);
  if (what == "falls") return expect_decision(words, false);
  if (!decided_) throw ScenarioError("nothing was decided yet");
  if (what == "only") expect_only();
  else if (what == "nothing") {
    if (!plan_.decisions.empty() || !plan_.provisions.empty())
      throw ScenarioError("there are decisions:\n" + engine::to_text(plan_));
  } else if (what == "order") expect_order(words);
  else if (what == "admissions") expect_admissions(words);
  else if (what == "preemptions") expect_preemptions(words);
  else if (what == "wake") expect_wake(words);
  else if (what == "diff") expect_diff(words);
  else if (what == "reservations") expect_reservations(words);
  else if (what == "provides") expect_provides(words);
  else expect_job(what, words);
}

// A decision on a job, or what is known of it besides its reason.
const std::map<std::string, void (Scenario::*)(JobId, Words&), std::less<>> Scenario::kOfJobs{
    {"admitted", &Scenario::expect_admitted},   {"preempts", &Scenario::expect_preempts},
    {"preempted", &Scenario::expect_preempted}, {"evicted", &Scenario::expect_evicted},
    {"resizes", &Scenario::expect_resizes},     {"goes-on", &Scenario::expect_goes_on},
    {"released", &Scenario::expect_released},   {"reserves", &Scenario::expect_reserves},
    {"predicted", &Scenario::expect_predicted}, {"sooner", &Scenario::expect_sooner},
    {"verdict", &Scenario::expect_verdict},     {"advised", &Scenario::expect_advised},
    {"between", &Scenario::expect_between}};

void Scenario::expect_job(const std::string& name, Words& words) {
  const JobId id = job(name);
  mentioned_.insert(id);
  const auto* waits = verdict(id);
  const engine::Reason* reason = waits ? &plan_.dominant(*waits) : nullptr;
  const std::string what = words.take("what is expected of the job");
  if (const auto known = kOfJobs.find(what); known != kOfJobs.end()) return (this->*known->second)(id, words);
  if (what == "gone") {
    if (waits || decision<engine::Admission>(id)) throw ScenarioError(name + " is still considered");
    return;
  }
  if (!waits) throw ScenarioError(name + (decision<engine::Admission>(id) ? " is admitted" : " is not considered"));
  const auto* deferral = decision<engine::Deferral>(id);
  if (what == "deferred") {
    if (!deferral) throw ScenarioError(name + " is not deferred anew: " + text_of(*reason));
    if (!(plan_.dominant(*deferral) == *reason) || deferral->code != reason->code())
      throw ScenarioError("deferral and verdict differ");
    expect_reason(reason, words);
  } else if (what == "waits") {
    expect_reason(reason, words);
  } else if (what == "unchanged") {
    if (deferral) throw ScenarioError(name + " is deferred anew: " + text_of(*reason));
  } else if (what == "says") {
    same("the sentence", words.take("a sentence"), engine::describe(*reason));
  } else if (what == "also") {
    expect_also(*waits, words);
  } else {
    throw ScenarioError(fmt::format("'{}' is not understood of a job", what));
  }
}

void Scenario::expect_also(const engine::Verdict& waits, Words& words) const {
  const auto& also = plan_.answer_to(waits).also;
  if (words.skip("nothing")) {
    if (!also.empty()) throw ScenarioError("also " + text_of(plan_.reason(also.front())));
    return;
  }
  const auto code = std::string(words.peek());
  const auto it =
      std::ranges::find_if(also, [&](engine::ReasonIndex i) { return ym::to_string(plan_.reason(i).code()) == code; });
  expect_reason(it == also.end() ? nullptr : &plan_.reason(*it), words);
}

void Scenario::expect_admitted(JobId id, Words& words) {
  const auto* admission = decision<engine::Admission>(id);
  if (!admission) {
    const auto* waits = verdict(id);
    throw ScenarioError("not admitted" + (waits ? ": " + text_of(plan_.dominant(*waits)) : std::string()));
  }
  std::string wanted, found;
  while (!words.done()) {
    const std::string word = words.take("");
    if (word.starts_with("flavor=")) same("the flavor", word.substr(7), admission->flavor);
    else if (word.starts_with("cluster=")) same("the cluster", word.substr(8), admission->cluster);
    else wanted += " " + word;
  }
  for (const auto& placed : admission->placement) found += " " + text_of(placed);
  if (!wanted.empty()) same("the placement", wanted, found);
}

void Scenario::expect_reason(const engine::Reason* reason, Words& words) const {
  const std::string code = words.take("a code");
  if (!reason) throw ScenarioError(code + " is not among the reasons");
  if (code != ym::to_string(reason->code())) throw ScenarioError("the reason is " + text_of(*reason));
  while (!words.done()) {
    const std::string word = words.take("");
    const auto parts = split(word, '=');
    const std::string wanted = parts.size() == 2 ? parts[1] : throw ScenarioError(word + " is not name=value");
    if (parts[0] == "resource") same(parts[0], wanted, engine::about(*reason));
    else if (parts[0] == "flavor" || parts[0] == "queue") same(parts[0], wanted, engine::text_in(*reason, parts[0]));
    else if (parts[0] == "until") same(parts[0], wanted, time_in(*reason, "until_ms"));
    else if (parts[0] == "from") same(parts[0], wanted, time_in(*reason, "from_ms"));
    else if (parts[0] == "blocker") same(parts[0], wanted, name_of(engine::blocker_of(*reason)));
    else if (wanted != number(*reason, parts[0]))
      throw ScenarioError(fmt::format("{} is not so: {}", word, text_of(*reason)));
  }
}

void Scenario::expect_only() const {
  for (const auto& decision : plan_.decisions) {
    const JobId id = std::visit([](const auto& one) { return one.job; }, decision);
    if (!mentioned_.contains(id)) throw ScenarioError(fmt::format("there is a decision on {} too", name_of(id)));
  }
}

void Scenario::expect_order(Words& words) const {
  std::string wanted, found;
  while (!words.done()) wanted += " " + words.take("");
  for (const auto& waits : plan_.verdicts) found += " " + name_of(waits.job);
  same("the order of those that wait", wanted, found);
}

void Scenario::expect_admissions(Words& words) {
  std::string wanted, found;
  while (!words.done()) wanted += " " + words.take("");
  for (const auto& decision : plan_.decisions) {
    const auto* admission = std::get_if<engine::Admission>(&decision);
    if (!admission) continue;
    mentioned_.insert(admission->job);
    found += " " + name_of(admission->job);
  }
  same("what is admitted", wanted, found);
}

void Scenario::expect_wake(Words& words) const {
  const auto text = [](std::optional<Instant> at) { return at ? ym::to_string(*at - kStart) : std::string("never"); };
  const auto wanted = words.skip("never") ? std::nullopt : std::optional(words.time("a time"));
  same("the next wake", text(wanted), text(plan_.next_wake));
}

void Scenario::expect_provides(Words& words) const {
  std::string wanted, found;
  words.skip("nothing");
  while (!words.done()) wanted += " " + words.take("");
  for (const auto& one : plan_.provisions) found += fmt::format(" {} {}", one.flavor, one.nodes);
  same("how many nodes are wanted now, of flavors of which it is another number,", wanted, found);
}

void Scenario::expect_usage(Words& words) {
  const std::string queue = words.take("a queue"), flavor = words.take("a flavor"), kind = words.take("a resource");
  const auto all = engine::queue_usage(world_.state());
  const auto it = std::ranges::find_if(all, [&](const engine::QueueUsage& usage) {
    return usage.queue == queue && usage.flavor == flavor && ym::to_string(usage.kind) == kind;
  });
  if (words.skip("none")) {
    if (it != all.end()) throw ScenarioError("there is such usage");
    return;
  }
  if (it == all.end()) throw ScenarioError("there is no such usage");
  while (!words.done()) {
    const auto parts = split(words.take(""), '=');
    const auto& wanted = parts.at(1);
    if (parts[0] == "used") same("used", wanted, format_amount(it->kind, it->used));
    else if (parts[0] == "borrowed") same("borrowed", wanted, format_amount(it->kind, it->borrowed));
    else if (parts[0] == "nominal")
      same("nominal", wanted, it->nominal ? format_amount(it->kind, *it->nominal) : "unlimited");
    else throw ScenarioError(parts[0] + " is not part of usage");
  }
}

void Scenario::expect_used(Words& words) const {
  const auto row = world_.tables().usage.find(words.take("QUEUE/USER"));
  const std::string flavor = words.take("a flavor");
  const auto kind = parse_enum<ResourceKind>(words.take("a resource"));
  if (!kind) throw ScenarioError("a resource is wanted");
  std::int64_t used = 0;
  if (row != world_.tables().usage.end())
    for (const auto& one : row->second.flavors)
      if (one.flavor == flavor) used = coarse(one.decayed)[*kind];
  same("used", words.take("an amount"), format_amount(*kind, used));
}

void Scenario::expect_fit(Words& words, bool wanted) {
  engine::Admission admission{.job = job(words.take("a job"))};
  if (!words.skip("on")) throw ScenarioError("'on' and nodes are wanted");
  admission.placement = read_placement(words);
  const Node& node = world_.tables().nodes.at(admission.placement.front().node);
  admission.cluster = node.cluster;
  admission.flavor = words.skip("flavor") ? words.take("a flavor") : flavor_of(world_.tables(), node);
  const auto objection = engine::fits(world_.state(), admission, world_.now());
  if (wanted && objection) throw ScenarioError("it does not fit: " + *objection);
  if (!wanted) same("what stands against it", words.take("why not"), objection.value_or("nothing"));
}

}  // namespace ym::testing
