#include "spec/identity.h"

#include <fmt/format.h>

#include "base/base32.h"
#include "model/ids.h"

namespace ym::spec {
namespace {

// Ids are given out in turn: a hundred years of a million jobs a day come no further than this. What is behind it may
// be a name, unless it is written as ids are: else nothing could be called training, pretrain or resnet50.
constexpr std::uint64_t kLikelyIds = std::uint64_t{1} << 35;

bool looks_like_an_id(const std::string& name) {
  const auto id = parse_job_id(name);
  return id && (id->value < kLikelyIds || to_string(*id) == name);
}

std::optional<std::int32_t> read_members(const Field& field) {
  const auto read = read_whole_number(field, 1, kMostMembers);
  return read ? std::optional(static_cast<std::int32_t>(*read)) : std::nullopt;
}

}  // namespace

void read_identity(MapReader& map, JobSpec& spec) {
  if (auto name = map.find("name")) assign(spec.name, read_name(*name));
  if (auto project = map.find("project")) assign(spec.project, read_name(*project));
  // Which it is then depends on whose the job is, and on what queues there are.
  spec.queue.clear();
  if (auto queue = map.find("queue")) assign(spec.queue, read_name(*queue));
}

// Members of an array are called NAME-INDEX, which is no id: those have no '-'.
void check_name(const Field& job, const JobSpec& spec) {
  if (!looks_like_an_id(spec.name)) return;
  job.problems->add(job.pointer + "/name",
                    fmt::format("{} could be the id of a job, which has {} such characters; write for example job-{}",
                                quoted(spec.name), kIdWidth, spec.name),
                    job.value->line);
}

void read_array(const Field& field, JobSpec& spec) {
  if (field.value->kind != Value::Kind::map) {
    spec.array = read_members(field);
    return;
  }
  MapReader map(field);
  const auto count = map.require("count", "write how many jobs it is, for example {count: 100, parallel: 10}");
  if (count) spec.array = read_members(*count);
  if (const auto parallel = map.find("parallel")) spec.array_parallel = read_members(*parallel);
  map.finish();
}

}  // namespace ym::spec
