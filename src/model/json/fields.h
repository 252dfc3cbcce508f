// The fields of each row, listed once. Encoding and decoding both use these lists.
#pragma once

#include "model/event.h"
#include "model/json/field.h"
#include "model/json/spec_fields.h"
#include "model/usage.h"

namespace ym::json {

// --- jobs and attempts
template <>
struct Fields<RetryCounts> {
  static constexpr std::tuple list{field("infra", &RetryCounts::infra), field("error", &RetryCounts::error),
                                   field("preempted", &RetryCounts::preempted), added("launch", &RetryCounts::launch)};
};
template <>
struct Fields<Checkpoint> {
  static constexpr std::tuple list{field("uri", &Checkpoint::uri), field("step", &Checkpoint::step),
                                   field("durable_at", &Checkpoint::durable_at),
                                   field("attempt", &Checkpoint::attempt)};
};
template <>
struct Fields<Progress> {
  static constexpr std::tuple list{field("step", &Progress::step), field("total_steps", &Progress::total_steps),
                                   field("metrics", &Progress::metrics), field("completed", &Progress::completed),
                                   field("at", &Progress::at)};
};
template <>
struct Fields<ProgressReport> {
  static constexpr std::tuple list{
      field("step", &ProgressReport::step), field("total_steps", &ProgressReport::total_steps),
      field("metrics", &ProgressReport::metrics), field("checkpoint", &ProgressReport::checkpoint),
      field("completed", &ProgressReport::completed)};
};
template <>
struct Fields<TaskPlacement> {
  static constexpr std::tuple list{field("task", &TaskPlacement::task), field("node", &TaskPlacement::node),
                                   field("devices", &TaskPlacement::devices)};
};
template <>
struct Fields<NominatedPlacement> {
  static constexpr std::tuple list{
      field("cluster", &NominatedPlacement::cluster), field("flavor", &NominatedPlacement::flavor),
      field("placement", &NominatedPlacement::placement), field("victims", &NominatedPlacement::preempted_jobs),
      field("expires_at", &NominatedPlacement::expires_at)};
};
template <>
struct Fields<PredictedRunTime> {
  static constexpr std::tuple list{field("p10", &PredictedRunTime::p10), field("p50", &PredictedRunTime::p50),
                                   field("p90", &PredictedRunTime::p90), field("samples", &PredictedRunTime::samples),
                                   sparse("of_same_user", &PredictedRunTime::of_same_user)};
};
// All members except `spec`, which is stored once for all jobs that share it.
template <>
struct Fields<Job> {
  static constexpr std::tuple list{
      field("id", &Job::id),
      field("spec_id", &Job::spec_id),
      field("group", &Job::group),
      field("group_index", &Job::group_index),
      field("name", &Job::name),
      field("project", &Job::project),
      field("owner", &Job::owner),
      former("run_as"),
      field("queue", &Job::queue),
      field("priority", &Job::priority),
      field("state", &Job::state),
      field("pending", &Job::pending),
      sparse("message", &Job::message),
      sparse("cancel_requested", &Job::cancel_requested),
      field("submitted_at", &Job::submitted_at),
      added("waits_since", &Job::waits_since),  // in older rows: submitted_at
      added("arrived_at", &Job::arrived_at),    // in older rows: waits_since
      field("started_at", &Job::started_at),
      field("ended_at", &Job::ended_at),
      field("not_before", &Job::not_before),
      sparse("attempts", &Job::attempts),
      sparse("retries", &Job::retries),
      added("hold", &Job::nomination),
      sparse("checkpoints", &Job::checkpoints),
      sparse("preempted_at", &Job::preempted_at),
      sparse("attained_gpu_ms", &Job::attained_gpu_ms),
      sparse("predicted", &Job::predicted),
  };
};
template <>
struct Fields<WorkerFailure> {
  static constexpr std::tuple list{field("rank", &WorkerFailure::rank), field("exit_code", &WorkerFailure::exit_code),
                                   field("signal", &WorkerFailure::signal), sparse("message", &WorkerFailure::message),
                                   field("at", &WorkerFailure::at)};
};
template <>
struct Fields<Culprit> {
  static constexpr std::tuple list{field("task", &Culprit::task), field("rank", &Culprit::rank),
                                   field("sure", &Culprit::sure)};
};
template <>
struct Fields<TaskExit> {
  static constexpr std::tuple list{field("by", &TaskExit::by),
                                   field("exit_code", &TaskExit::exit_code),
                                   field("signal", &TaskExit::signal),
                                   sparse("message", &TaskExit::message),
                                   sparse("permanent", &TaskExit::permanent),
                                   sparse("forced", &TaskExit::forced),
                                   field("at", &TaskExit::at),
                                   sparse("worker", &TaskExit::worker)};
};
template <>
struct Fields<TaskClaim> {
  static constexpr std::tuple list{field("nonce", &TaskClaim::nonce), field("address", &TaskClaim::address),
                                   sparse("port", &TaskClaim::port), field("node", &TaskClaim::node)};
};
template <>
struct Fields<TaskStatus> {
  static constexpr std::tuple list{field("state", &TaskStatus::state), field("exit", &TaskStatus::exit),
                                   sparse("ended_seq", &TaskStatus::ended_seq), sparse("claim", &TaskStatus::claim)};
};
template <>
struct Fields<Attempt> {
  static constexpr std::tuple list{
      field("job", &Attempt::job),
      field("number", &Attempt::number),
      field("epoch", &Attempt::epoch),
      field("state", &Attempt::state),
      field("cluster", &Attempt::cluster),
      field("queue", &Attempt::queue),
      field("flavor", &Attempt::flavor),
      sparse("prices_micros", &Attempt::prices_micros),  // in older rows: unknown
      field("placement", &Attempt::placement),
      field("tasks", &Attempt::tasks),
      field("admitted_at", &Attempt::admitted_at),
      field("started_at", &Attempt::started_at),
      field("ended_at", &Attempt::ended_at),
      field("stop_cause", &Attempt::stop_cause),
      added("stop_by", &Attempt::stop_by),
      sparse("preemption", &Attempt::preemption),  // in older rows: derived (decode.cc)
      added("yields_to", &Attempt::yields_to),
      sparse("lost_gpu_ms", &Attempt::estimated_lost_gpu_ms),  // older rows have only this one
      sparse("ended_lost_gpu_ms", &Attempt::lost_gpu_ms),
      added("resumes_from", &Attempt::resumes_from),
      added("progress", &Attempt::progress),
      field("ended_by", &Attempt::ended_by),
      field("exit_code", &Attempt::exit_code),
      field("signal", &Attempt::signal),
      sparse("message", &Attempt::message),
      sparse("culprit", &Attempt::culprit),
      sparse("adopted", &Attempt::adopted),
  };
};
template <>
struct Fields<AttemptKey> {
  static constexpr std::tuple list{field("job", &AttemptKey::job), field("number", &AttemptKey::number)};
};

}  // namespace ym::json
