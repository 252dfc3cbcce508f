#include "spec/progress_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "spec/text/field.h"
#include "spec/text/text_check.h"
#include "spec/text/value.h"

namespace ym {
namespace {

using spec::Field;
using spec::MapReader;
using spec::quoted;
using spec::Value;

// Above this, a double cannot tell steps apart, and most programs count in doubles.
constexpr std::int64_t kMaxStep = std::int64_t{1} << 53;

// A key with a value. Programs write null for unknown values.
std::optional<Field> given(MapReader& map, std::string_view key) {
  auto field = map.find(key);
  if (field && field->value->kind == Value::Kind::null) field.reset();
  return field;
}

std::optional<double> parse_number(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(number)) return std::nullopt;
  return number;
}

std::optional<double> read_finite(const Field& field, bool text_too) {
  const auto kind = field.value->kind;
  const bool readable = kind == Value::Kind::number || (text_too && kind == Value::Kind::string);
  const auto number = readable ? parse_number(field.value->text) : std::nullopt;
  if (number) return number;
  if (field.value->is_scalar())
    field.wrong(fmt::format("{} is not a finite number; write for example 0.25", quoted(field.value->text)));
  else field.wrong("must be a number, for example 0.25");
  return std::nullopt;
}

class MetricsReader {
 public:
  explicit MetricsReader(std::map<std::string, double>& metrics) : metrics_(metrics) {}

  void read(const Field& field) {
    const auto kind = field.value->kind;
    if (kind != Value::Kind::map && kind != Value::Kind::list)
      return field.wrong("must be a map of names and numbers, such as {\"loss\": 0.25}");
    if (field.value->items.size() > kMaxMetrics)
      return field.wrong(fmt::format("has {} metrics; at most {} are allowed", field.value->items.size(), kMaxMetrics));
    if (kind == Value::Kind::list) return read_list(field);
    for (std::size_t i = 0; i < field.value->keys.size(); ++i)
      add(field.value->keys[i], field.child(field.value->keys[i], field.value->items[i]), false);
  }

 private:
  void read_list(const Field& field) {
    for (std::size_t i = 0; i < field.value->items.size(); ++i) {
      const Field item = field.child(std::to_string(i), field.value->items[i]);
      MapReader map(item);
      if (item.value->kind != Value::Kind::map) continue;
      const auto name = map.require("name", "write {\"name\": \"loss\", \"value\": 0.25}");
      const auto value = map.require("value", "write {\"name\": \"loss\", \"value\": 0.25}");
      const auto text = name ? read_string(*name) : std::nullopt;
      if (text && value) add(*text, *value, true);
    }
  }

  void add(const std::string& name, const Field& value, bool text_too) {
    if (value.value->kind == Value::Kind::null) return;
    if (name.empty() || name.size() > kMaxMetricName || spec::has_control_characters(name))
      return value.wrong(fmt::format("{} cannot be the name of a metric; use 1 to {} bytes without control characters",
                                     quoted(name), kMaxMetricName));
    if (const auto number = read_finite(value, text_too)) metrics_[name] = *number;
  }

  std::map<std::string, double>& metrics_;
};

std::optional<std::string> read_uri(const Field& field) {
  auto uri = read_string(field);
  if (!uri) return std::nullopt;
  if (!uri->empty() && uri->size() <= kMaxCheckpointUri && !spec::has_control_characters(*uri)) return uri;
  field.wrong(fmt::format("is not a path or a URL; write 1 to {} bytes without control characters", kMaxCheckpointUri));
  return std::nullopt;
}

Checkpoint read_checkpoint(const Field& field, const ProgressReport& report, Instant now) {
  Checkpoint checkpoint{.uri = {}, .step = report.step.value_or(0), .durable_at = now};
  MapReader map(field);
  if (field.value->kind != Value::Kind::map) return checkpoint;
  if (auto uri = map.require("uri", "write the location of the checkpoint, a path or a URL"))
    checkpoint.uri = read_uri(*uri).value_or("");
  if (auto step = given(map, "step")) checkpoint.step = read_whole_number(*step, 0, kMaxStep).value_or(checkpoint.step);
  // The clock of the other machine may be ahead.
  if (auto time = given(map, "durable_at")) checkpoint.durable_at = std::min(read_time(*time).value_or(now), now);
  return checkpoint;
}

ProgressReport read_report(const Field& field, Instant now) {
  ProgressReport report;
  MapReader map(field);
  if (auto step = given(map, "step")) report.step = read_whole_number(*step, 0, kMaxStep);
  if (auto total = given(map, "total_steps")) report.total_steps = read_whole_number(*total, 0, kMaxStep);
  if (auto metrics = given(map, "metrics")) MetricsReader(report.metrics).read(*metrics);
  if (auto checkpoint = given(map, "checkpoint")) report.checkpoint = read_checkpoint(*checkpoint, report, now);
  if (auto completed = given(map, "completed")) report.completed = read_flag(*completed).value_or(false);
  return report;
}

// Python's json writes these words, but JSON does not have them.
Error not_json(Error error, std::string_view text) {
  const bool has_word = text.find("NaN") != std::string_view::npos || text.find("Infinity") != std::string_view::npos;
  if (error.fields.empty() && has_word) error.message += "; NaN and Infinity are not JSON, leave such numbers out";
  return error;
}

}  // namespace

Result<ProgressReport> parse_progress_report(std::string_view text, Instant now) {
  if (text.size() > kMaxProgressBytes)
    return fail(ErrorCode::too_large,
                fmt::format("the report has {} bytes; at most {} are allowed", text.size(), kMaxProgressBytes));
  const auto value = spec::read_json(text);
  if (!value) return std::unexpected(not_json(value.error(), text));
  spec::Problems problems;
  auto report = read_report({&*value, "", &problems}, now);
  if (!problems.empty()) return std::unexpected(problems.error());
  return report;
}

}  // namespace ym
