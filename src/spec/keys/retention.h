// The keys of `retention`: for how long history is kept.
#pragma once

#include "model/history/retention.h"
#include "model/keys/key.h"
#include "model/keys/kinds.h"

namespace ym::keys {

inline constexpr Duration kLongestRetention = hours(3650LL * 24);

template <>
struct Keys<Retention> {
  using R = Retention;
  static constexpr std::tuple list{
      Key{"jobs", &R::jobs, Span{seconds(1), kLongestRetention},
          About{"Ended jobs and events stay in the database for this time. Then they are in segments of the history.",
                "90d"}},
      Key{"audit", &R::audit, Span{seconds(1), kLongestRetention},
          About{"Segments stay for this time. Then they are deleted.", "3650d"}},
  };
};

}  // namespace ym::keys
