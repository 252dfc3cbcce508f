// Values of closed sets in rows: their names (base/enum_names.h). Former names are read, too.
#pragma once

#include <optional>
#include <string_view>

#include "model/cluster.h"
#include "model/job_spec.h"
#include "model/policy_settings.h"
#include "model/queue.h"
#include "model/states.h"

namespace ym::json {

template <NamedEnum E>
std::optional<E> read_enum(std::string_view text) {
  if constexpr (std::is_same_v<E, Scoring>) return parse_scoring(text);
  else return parse_enum<E>(text);
}

}  // namespace ym::json
