#include "api/json/keys.h"

#include <fmt/format.h>

#include "api/json/render.h"

namespace ym::keys {
namespace {

void write_strings(JsonWriter& json, const std::vector<std::string>& texts) {
  json.begin_array();
  for (const auto& text : texts) json.value(text);
  json.end_array();
}

void write_texts(JsonWriter& json, const std::map<std::string, std::string>& texts) {
  json.begin_object();
  for (const auto& [name, text] : texts) json.field(name, text);
  json.end_object();
}

// "h100:8 | a100:8"; without a type only the amount.
std::string with_types(const TaskResources& resources, const std::string& amount) {
  if (resources.gpu_type.empty()) return amount;
  std::string text = resources.gpu_type + ":" + amount;
  for (const auto& type : resources.other_gpu_types) text += fmt::format(" | {}:{}", type, amount);
  return text;
}

void write_gpus(JsonWriter& json, const TaskResources& resources) {
  if (resources.gpu_type.empty()) json.thousandths(resources.gpus);
  else json.value(with_types(resources, format_thousandths(resources.gpus)));
}

void write_limit(JsonWriter& json, std::string_view name, ResourceKind kind, std::optional<std::int64_t> limit) {
  json.key(name);
  if (limit) api::write_amount(json, kind, *limit);
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

}  // namespace

// format_bytes rounds. This function must not.
void write(JsonWriter& json, std::int64_t value, Bytes) {
  constexpr std::array<std::pair<std::int64_t, std::string_view>, 4> kUnits{
      {{kGiB, "GiB"}, {kGiB >> 10, "MiB"}, {kGiB >> 20, "KiB"}, {1, "B"}}};
  for (const auto& [unit, name] : kUnits) {
    if (value < unit || value % unit != 0) continue;
    json.value(fmt::format("{}{}", value / unit, name));
    return;
  }
  json.value(value);
}

void write(JsonWriter& json, const std::map<std::string, std::string>& value, Labels) { write_texts(json, value); }
void write(JsonWriter& json, const std::map<std::string, std::string>& value, Variables) { write_texts(json, value); }
void write(JsonWriter& json, const std::vector<std::string>& value, NodeNames) { write_strings(json, value); }

void write(JsonWriter& json, const Program& value, ProgramText) {
  if (value.form == Program::Form::shell) json.value(value.words.front());
  else write_strings(json, value.words);
}

void write(JsonWriter& json, std::int32_t value, RetryLimit) {
  json.begin_object().key("max");
  if (value == RetryPolicy::kUnlimited) json.value("unlimited");
  else json.value(value);
  json.end_object();
}

void write(JsonWriter& json, std::int32_t value, Reservations) {
  if (value == kAllReserve) json.value("all");
  else json.value(value);
}

void write(JsonWriter& json, std::int32_t value, LowestPriority) {
  json.begin_object().field("max_priority", value).end_object();
}

void write(JsonWriter& json, const std::optional<QuotaList>& value, QuotaByFlavor) {
  if (!value) return void(json.value(nullptr));
  json.begin_object();
  for (const auto& [flavor, quota] : *value) write_flavor_quota(json.key(flavor), quota);
  json.end_object();
}

// In a job with groups each group shows its own.
void write_form(JsonWriter& json, const JobSpec& spec, const Form<NodeCount>& form) {
  if (!spec.groups.empty()) return;
  json.key(form.name);
  if (spec.min_nodes) json.begin_object().field("min", *spec.min_nodes).field("max", spec.nodes).end_object();
  else json.value(spec.nodes);
}

void write_form(JsonWriter& json, const JobSpec& spec, const Form<ByHand<MapOf<TaskResources>>>& form) {
  if (spec.groups.empty()) write(json.key(form.name), spec.resources, form.kind.kind);
}

void write_form(JsonWriter& json, const JobSpec& spec, const Form<ByHand<GroupList>>& form) {
  if (spec.groups.empty()) return;
  json.key(form.name).begin_array();
  for (const TaskGroup& group : spec.groups) write(json, group, MapOf<TaskGroup>{});
  json.end_array();
}

void write_form(JsonWriter& json, const JobSpec& spec, const Form<MemberCount>& form) {
  if (!spec.array) return;
  json.key(form.name);
  if (spec.array_parallel)
    json.begin_object().field("count", *spec.array).field("parallel", *spec.array_parallel).end_object();
  else json.value(*spec.array);
}

void write_form(JsonWriter& json, const TaskResources& resources, const Form<ByHand<GpuCount>>& form) {
  if (resources.profile.empty() && !resources.shares_gpu()) write_gpus(json.key(form.name), resources);
}
void write_form(JsonWriter& json, const TaskResources& resources, const Form<ByHand<GpuShare>>& form) {
  if (resources.shares_gpu()) write_gpus(json.key(form.name), resources);
}
void write_form(JsonWriter& json, const TaskResources& resources, const Form<ByHand<Bytes>>& form) {
  if (resources.shares_gpu()) write(json.key(form.name), resources.gpu_memory_bytes, form.kind.kind);
}
void write_form(JsonWriter& json, const TaskResources& resources, const Form<ByHand<Slices>>& form) {
  if (!resources.profile.empty())
    json.field(form.name, with_types(resources, fmt::format("{}:{}", resources.profile, resources.slices)));
}

void write_form(JsonWriter& json, const Budget& budget, const Form<ByHand<GpuHours>>& form) {
  if (budget.unit == BudgetUnit::gpu_hours) json.key(form.name).thousandths(budget.amount / thousandth_of(budget.unit));
}
void write_form(JsonWriter& json, const Budget& budget, const Form<ByHand<Money>>& form) {
  if (budget.unit == BudgetUnit::money) json.key(form.name).thousandths(budget.amount / thousandth_of(budget.unit));
}

void write_form(JsonWriter& json, const Queue& queue, const Form<RunLimits>& form) {
  json.key(form.name).begin_object();
  write_keys(json, queue.run_limit);
  json.key("per_user").begin_object();
  write_keys(json, queue.user_run_limit);
  json.end_object().end_object();
}

}  // namespace ym::keys
