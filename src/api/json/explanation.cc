#include <fmt/format.h>

#include "api/json/render.h"

namespace ym::api {
namespace {

std::string sentence_of(const Explanation& explanation, const engine::Reason& reason) {
  const auto blocker = explanation.names.find(engine::blocker_of(reason));
  return engine::describe(reason, blocker == explanation.names.end() ? std::string_view() : blocker->second);
}

void write_reason(JsonWriter& json, const Explanation& explanation, const engine::Reason& reason,
                  bool code_only = false) {
  json.begin_object();
  json.field("code", to_string(reason.code()));
  json.field("message", code_only ? fmt::format("{} (this server does not schedule; the leader knows the numbers)",
                                                to_string(reason.code()))
                                  : sentence_of(explanation, reason));
  json.key("numbers").begin_object();
  for (const auto& number : engine::numbers_of(reason)) {
    json.key(number.name);
    if (number.unit == engine::Unit::thousandths) json.thousandths(number.value);
    else json.value(number.value);
  }
  json.end_object().end_object();
}

void write_ahead(JsonWriter& json, const Job& job) {
  json.begin_object();
  json.field("id", to_string(job.id));
  json.field("name", job.name);
  json.field("user", job.owner);
  json.key("gpus").thousandths(job.spec->total(job.spec->smallest())[ResourceKind::gpus]);
  json.end_object();
}

// Null, or the value as `write` renders it.
template <class Maybe, class Write>
void write_optional(JsonWriter& json, std::string_view key, const Maybe& maybe, Write write) {
  json.key(key);
  if (maybe) write(json, *maybe);
  else json.value(nullptr);
}

void write_backfill_reservation(JsonWriter& json, const engine::Reservation& reservation) {
  json.begin_object();
  json.field("from", reservation.from).field("until", reservation.until);
  json.field("cluster", reservation.cluster);
  json.field("flavor", reservation.flavor);
  json.key("nodes").begin_array();
  for (const auto& node : reservation.nodes) json.value(node);
  json.end_array().end_object();
}

void write_forecast(JsonWriter& json, const Explanation::Forecast& forecast) {
  json.begin_object();
  json.field("as_of", forecast.as_of).field("until", forecast.until);
  json.end_object();
}

void write_start(JsonWriter& json, const engine::PredictedStart& start) {
  json.begin_object();
  json.field("median", start.median).field("low", start.low).field("high", start.high);
  json.end_object();
}

void write_change(JsonWriter& json, const engine::SoonerChange& change) {
  json.begin_object();
  json.field("key", change.key).field("value", change.value);
  json.field("message", fmt::format("with {}: {} it would start now", change.key, change.value));
  json.end_object();
}

void write_advice(JsonWriter& json, const engine::MoveAdvice& advice) {
  json.begin_object().field("saves", to_string(advice.saves));
  json.key("moves").begin_array();
  for (const auto& move : advice.moves) {
    json.begin_object().field("job", to_string(move.job));
    json.key("lost_gpu_seconds").thousandths(move.lost_gpu_ms).end_object();
  }
  json.end_array().end_object();
}

void write_verdict(JsonWriter& json, const engine::DeadlineVerdict& verdict) {
  json.begin_object();
  json.field("verdict", to_string(verdict.outcome)).field("at", verdict.deadline);
  json.field("needed", verdict.needed ? std::optional(to_string(*verdict.needed)) : std::nullopt);
  json.field("latest_start", verdict.latest_start).field("start", verdict.start);
  json.key("yields").begin_array();
  for (const JobId job : verdict.yields) json.value(to_string(job));
  json.end_array().end_object();
}

}  // namespace

void write_explanation(JsonWriter& json, const Explanation& explanation) {
  json.begin_object();
  json.field("state", to_string(explanation.state));
  json.field("message", explanation.message);
  json.key("because").begin_array();
  for (const auto& reason : explanation.because) json.value(reason);
  json.end_array();
  write_optional(json, "dominant", explanation.dominant, [&](JsonWriter& out, const engine::Reason& reason) {
    write_reason(out, explanation, reason, explanation.code_only);
  });
  json.key("also").begin_array();
  for (const auto& reason : explanation.also) write_reason(json, explanation, reason);
  json.end_array();
  write_optional(json, "promise", explanation.promise, [](JsonWriter& out, const Explanation::Promise& promise) {
    out.begin_object().field("within", to_string(promise.within)).field("by", promise.by).end_object();
  });
  json.key("ahead").begin_array();
  for (const auto& job : explanation.ahead) write_ahead(json, job);
  json.end_array();
  json.field("ahead_total", explanation.ahead_total);
  write_optional(json, "reservation", explanation.reservation, write_backfill_reservation);
  write_optional(json, "consolidation", explanation.advice, write_advice);
  write_optional(json, "forecast", explanation.forecast, write_forecast);
  write_optional(json, "predicted_start", explanation.predicted_start, write_start);
  write_optional(json, "no_estimate", explanation.no_estimate,
                 [](JsonWriter& out, engine::NoStart cause) { out.value(to_string(cause)); });
  write_optional(json, "deadline", explanation.deadline, write_verdict);
  json.key("sooner").begin_array();
  for (const auto& change : explanation.sooner) write_change(json, change);
  json.end_array();
  json.end_object();
}

}  // namespace ym::api
