#include "api/json/render.h"

namespace ym::api {
namespace {

void write_limit(JsonWriter& json, std::string_view name, ResourceKind kind, std::optional<std::int64_t> limit) {
  json.key(name);
  if (limit) write_amount(json, kind, *limit);
  else json.value(nullptr);
}

void write_flavor_quota(JsonWriter& json, const FlavorQuota& quota) {
  json.begin_object();
  for (std::size_t i = 0; i < kResourceKinds; ++i) {
    if (!quota.at(i)) continue;
    const ResourceKind kind = resource_kind(i);
    json.key(to_string(kind)).begin_object();
    write_limit(json, "nominal", kind, quota.at(i)->nominal);
    write_limit(json, "borrow", kind, quota.at(i)->borrowing_limit);
    write_limit(json, "lend", kind, quota.at(i)->lending_limit);
    json.end_object();
  }
  json.end_object();
}

void write_quota(JsonWriter& json, const Queue& queue) {
  json.key("quota");
  if (!queue.quota) {
    json.value(nullptr);
    return;
  }
  json.begin_object();
  for (const auto& [flavor, quota] : *queue.quota) write_flavor_quota(json.key(flavor), quota);
  json.end_object();
}

// A kind of what was used lately; nothing of the flavor: none.
std::int64_t lately(const QueueView& view, const engine::QueueUsage& usage) {
  const auto it = view.lately.find(usage.flavor);
  return it == view.lately.end() ? 0 : it->second[usage.kind];
}

void write_usage(JsonWriter& json, const QueueView& view, const engine::QueueUsage& usage) {
  json.begin_object();
  json.field("flavor", usage.flavor);
  json.field("resource", to_string(usage.kind));
  write_limit(json, "nominal", usage.kind, usage.nominal);
  write_limit(json, "used", usage.kind, usage.used);
  write_limit(json, "borrowed", usage.kind, usage.borrowed);
  write_limit(json, "lately", usage.kind, lately(view, usage));
  json.end_object();
}

void write_users(JsonWriter& json, const QueueView& view) {
  json.key("users").begin_array();
  for (const UserUsage& one : view.users) {
    json.begin_object().field("user", one.user).field("flavor", one.flavor);
    json.key("lately").begin_object();
    for (std::size_t i = 0; i < kResourceKinds; ++i)
      write_limit(json, to_string(resource_kind(i)), resource_kind(i), one.lately[resource_kind(i)]);
    json.end_object().end_object();
  }
  json.end_array();
}

void write_run_limit(JsonWriter& json, const RunLimit& limit) {
  json.key("jobs");
  if (limit.jobs) json.value(*limit.jobs);
  else json.value(nullptr);
  json.key("gpus");
  if (limit.gpus_milli) json.thousandths(*limit.gpus_milli);
  else json.value(nullptr);
}

void write_limits(JsonWriter& json, const Queue& queue) {
  json.key("limits").begin_object();
  write_run_limit(json, queue.run_limit);
  json.key("per_user").begin_object();
  write_run_limit(json, queue.user_run_limit);
  json.end_object().end_object();
}

// `used`: null where it is not known.
void write_budgets(JsonWriter& json, const Queue& queue, const std::vector<std::int64_t>& used) {
  json.key("budgets").begin_array();
  for (std::size_t i = 0; i < queue.budgets.size(); ++i) {
    const Budget& budget = queue.budgets[i];
    const bool money = budget.unit == BudgetUnit::money;
    const std::int64_t thousandth = money ? 1'000 : 3'600;
    json.begin_object().key(money ? "money" : "gpu_hours").thousandths(budget.amount / thousandth);
    json.field("per", to_string(budget.per)).key("used");
    if (i < used.size()) json.thousandths(used[i] / thousandth);
    else json.value(nullptr);
    json.end_object();
  }
  json.end_array();
}

void write_promises(JsonWriter& json, const Queue& queue) {
  json.key("shrink_after");
  if (queue.shrink_after) json.value(to_string(*queue.shrink_after));
  else json.value(nullptr);
  json.key("wait_promises").begin_array();
  for (const WaitPromise& promise : queue.wait_promises)
    json.begin_object().field("priority", promise.priority).field("within", to_string(promise.within)).end_object();
  json.end_array();
}

void write_order_rules(JsonWriter& json, const Queue& queue) {
  json.key("service_levels").begin_array();
  for (const Duration level : queue.service_levels) json.value(to_string(level));
  json.end_array();
  json.key("age_boost");
  if (queue.age_boost.most == 0) json.value(nullptr);
  else
    json.begin_object()
        .field("every", to_string(queue.age_boost.every))
        .field("most", queue.age_boost.most)
        .end_object();
  json.field("fair_users", queue.fair_users).field("strict", queue.strict).field("stop", to_string(queue.stop));
  json.key("reservations");
  if (queue.reservations == kAllReserve) json.value("all");
  else json.value(queue.reservations);
  write_limits(json, queue);
}

void write_names(JsonWriter& json, std::string_view key, const std::vector<std::string>& names) {
  json.key(key).begin_array();
  for (const auto& name : names) json.value(name);
  json.end_array();
}

void write_default_for(JsonWriter& json, const DefaultFor& whose) {
  json.key("default_for").begin_object();
  write_names(json, "users", whose.users);
  write_names(json, "projects", whose.projects);
  json.end_object();
}

void write_members(JsonWriter& json, const Queue& queue, const std::vector<std::int64_t>& budgets_used) {
  json.field("name", queue.name);
  json.key("parent");
  if (queue.parent.empty()) json.value(nullptr);
  else json.value(queue.parent);
  write_quota(json, queue);
  json.key("policy").begin_object();
  json.field("order", to_string(queue.order))
      .field("preempt", to_string(queue.preempt))
      .field("reclaim", to_string(queue.reclaim));
  json.key("preempt_to_borrow");
  if (queue.preempt_to_borrow) json.begin_object().field("max_priority", *queue.preempt_to_borrow).end_object();
  else json.value(nullptr);
  json.key("min_runtime").begin_object();
  json.field("priority", to_string(queue.min_runtime.priority));
  json.field("reclaim", to_string(queue.min_runtime.reclaim));
  json.end_object();
  json.field("fence", queue.fence);
  json.key("weight").thousandths(queue.weight_milli);
  json.field("when_can_borrow", to_string(queue.when_can_borrow));
  json.field("when_can_preempt", to_string(queue.when_can_preempt));
  write_order_rules(json, queue);
  write_budgets(json, queue, budgets_used);
  write_promises(json, queue);
  json.end_object();
  write_default_for(json, queue.default_for);
  json.field("accepts_jobs", queue.accepts_jobs);
  json.field("managed_by", queue.managed_by == ManagedBy::file ? "file" : "api");
  json.key("age_cap");
  if (queue.age_cap_ms) json.value(to_string(Duration{*queue.age_cap_ms}));
  else json.value(nullptr);
}

}  // namespace

void write_amount(JsonWriter& json, ResourceKind kind, std::int64_t amount) {
  if (kind == ResourceKind::memory) json.value(amount);
  else json.thousandths(amount);
}

void write_queue_object(JsonWriter& json, const Queue& queue) {
  json.begin_object();
  write_members(json, queue, {});
  json.end_object();
}

void write_queue(JsonWriter& json, const QueueView& view) {
  json.begin_object();
  write_members(json, view.queue, view.budgets_used);
  json.key("usage").begin_array();
  for (const auto& usage : view.usage) write_usage(json, view, usage);
  json.end_array();
  write_users(json, view);
  json.key("counts").begin_object();
  json.field("queued", view.queued).field("held", view.held).field("active", view.active);
  json.end_object().end_object();
}

}  // namespace ym::api
