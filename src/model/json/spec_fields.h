// The stored fields of a job's spec: those of its key tables (model/keys/job.h), and of the types that they use.
#pragma once

#include "model/job_spec.h"
#include "model/json/field.h"
#include "model/keys/job.h"

namespace ym::json {

template <>
struct Fields<Program> {
  static constexpr std::tuple list{field("form", &Program::form), field("words", &Program::words)};
};

}  // namespace ym::json
