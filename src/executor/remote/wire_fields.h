// The fields of the protocol's messages, listed once for encoding and decoding. Private to this library.
#pragma once

#include "executor/remote/wire.h"
#include "model/json/enum_text.h"
#include "model/json/fields.h"

namespace ym::json {

template <>
struct Fields<remote::RawProgress> {
  using T = remote::RawProgress;
  static constexpr std::tuple list{field("number", &T::number), field("at", &T::at), field("text", &T::text)};
};
template <>
struct Fields<remote::TaskReport> {
  using T = remote::TaskReport;
  static constexpr std::tuple list{field("token", &T::token),
                                   field("nonce", &T::nonce),
                                   field("state", &T::state),
                                   field("claim", &T::claim),
                                   sparse("progress", &T::progress),
                                   field("exit", &T::exit),
                                   sparse("log_bytes", &T::log_bytes),
                                   sparse("log_dropped", &T::log_dropped),
                                   sparse("checkpoints_gone", &T::checkpoints_gone)};
};
template <>
struct Fields<remote::TaskLaunch> {
  using T = remote::TaskLaunch;
  static constexpr std::tuple list{sparse("shell", &T::shell),
                                   field("argv", &T::argv),
                                   field("env", &T::env),
                                   sparse("workdir", &T::workdir),
                                   field("stop_signal", &T::stop_signal),
                                   field("stop_grace", &T::stop_grace),
                                   field("time_limit", &T::time_limit),
                                   field("start_timeout", &T::start_timeout),
                                   field("log_cap", &T::log_cap),
                                   sparse("memory_bytes", &T::memory_bytes),
                                   sparse("port", &T::port),
                                   sparse("checkpoints", &T::checkpoints)};
};
template <>
struct Fields<StopRequest> {
  static constexpr std::tuple list{field("cause", &StopRequest::cause), field("signal", &StopRequest::signal),
                                   field("grace", &StopRequest::grace)};
};
template <>
struct Fields<remote::TaskOrders> {
  using T = remote::TaskOrders;
  static constexpr std::tuple list{field("version", &T::version),
                                   field("gate", &T::barrier),
                                   field("cause", &T::cause),
                                   field("launch", &T::launch),
                                   field("stop", &T::stop),
                                   sparse("job_token", &T::job_token),
                                   sparse("progress_heard", &T::progress_heard),
                                   sparse("end_stored", &T::end_stored)};
};

}  // namespace ym::json
