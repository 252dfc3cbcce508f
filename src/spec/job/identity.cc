#include "spec/job/identity.h"

#include <fmt/format.h>

#include "base/base32.h"
#include "model/ids.h"

namespace ym::spec {
namespace {

// Ids are numbers in ascending order: a million jobs a day for a hundred years stay below this bound. A text above
// the bound may be a name, unless it has the form of an id; otherwise training, pretrain or resnet50 would be
// refused.
constexpr std::uint64_t kLikelyIds = std::uint64_t{1} << 35;

bool looks_like_an_id(const std::string& name) {
  const auto id = parse_job_id(name);
  return id && (id->value < kLikelyIds || to_string(*id) == name);
}

}  // namespace

// Members of an array are called NAME-INDEX. That is not an id, because an id has no '-'.
void check_name(const Field& job, const JobSpec& spec) {
  if (!looks_like_an_id(spec.name)) return;
  job.problems->add(job.pointer + "/name",
                    fmt::format("{} could be the id of a job, which has {} such characters; write for example job-{}",
                                quoted(spec.name), kIdWidth, spec.name),
                    job.value->line);
}

}  // namespace ym::spec
