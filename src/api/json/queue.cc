#include "api/json/keys.h"
#include "api/json/render.h"

namespace ym::api {
namespace {

void write_limit(JsonWriter& json, std::string_view name, ResourceKind kind, std::optional<std::int64_t> limit) {
  json.key(name);
  if (limit) write_amount(json, kind, *limit);
  else json.value(nullptr);
}

// Decayed usage of a resource kind; 0 if the flavor has none.
std::int64_t decayed_usage(const QueueView& view, const engine::QueueUsage& usage) {
  const auto it = view.decayed_usage.find(usage.flavor);
  return it == view.decayed_usage.end() ? 0 : it->second[usage.kind];
}

void write_usage(JsonWriter& json, const QueueView& view, const engine::QueueUsage& usage) {
  json.begin_object();
  json.field("flavor", usage.flavor);
  json.field("resource", to_string(usage.kind));
  write_limit(json, "nominal", usage.kind, usage.nominal);
  write_limit(json, "used", usage.kind, usage.used);
  write_limit(json, "borrowed", usage.kind, usage.borrowed);
  write_limit(json, "lately", usage.kind, decayed_usage(view, usage));
  json.end_object();
}

void write_users(JsonWriter& json, const QueueView& view) {
  json.key("users").begin_array();
  for (const UserUsage& one : view.users) {
    json.begin_object().field("user", one.user).field("flavor", one.flavor);
    json.key("lately").begin_object();
    for (std::size_t i = 0; i < kResourceKinds; ++i)
      write_limit(json, to_string(resource_kind(i)), resource_kind(i), one.decayed_usage[resource_kind(i)]);
    json.end_object().end_object();
  }
  json.end_array();
}

// `used`: null if it is unknown.
void write_budgets(JsonWriter& json, const Queue& queue, const std::vector<std::int64_t>& used) {
  json.key("budgets").begin_array();
  for (std::size_t i = 0; i < queue.budgets.size(); ++i) {
    const ym::Budget& budget = queue.budgets[i];
    json.begin_object();
    keys::write_keys(json, budget);
    json.key("used");
    if (i < used.size()) json.thousandths(used[i] / thousandth_of(budget.unit));
    else json.value(nullptr);
    json.end_object();
  }
  json.end_array();
}

void write_members(JsonWriter& json, const Queue& queue, const std::vector<std::int64_t>& budgets_used) {
  json.field("name", queue.name);
  json.key("parent");
  if (queue.parent.empty()) json.value(nullptr);
  else json.value(queue.parent);
  write(json.key("quota"), queue.quota, keys::QuotaByFlavor{});
  json.key("policy").begin_object();
  keys::write_section(json, queue, "policy");
  write_budgets(json, queue, budgets_used);
  json.end_object();
  write(json.key("default_for"), queue.default_for, keys::MapOf<DefaultFor>{});
  json.field("accepts_jobs", queue.accepts_jobs);
  json.field("managed_by", to_string(queue.managed_by));
  write(json.key("age_cap"), queue.age_cap, keys::Span{});
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
