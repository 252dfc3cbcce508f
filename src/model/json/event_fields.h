// The stored fields of each event's payload; see fields.h.
#pragma once

#include "model/json/configuration_fields.h"
#include "model/json/fields.h"

namespace ym::json {

template <>
struct Fields<ServerStarted> {
  static constexpr std::tuple list{field("epoch", &ServerStarted::epoch), field("version", &ServerStarted::version),
                                   sparse("ids_passed_over", &ServerStarted::ids_passed_over)};
};

template <>
struct Fields<JobSubmitted> {
  static constexpr std::tuple list{field("job", &JobSubmitted::job)};
};
template <>
struct Fields<JobHeld> {
  static constexpr std::tuple list{field("job", &JobHeld::job)};
};
template <>
struct Fields<JobReleased> {
  static constexpr std::tuple list{field("job", &JobReleased::job)};
};
template <>
struct Fields<JobDeferred> {
  static constexpr std::tuple list{field("job", &JobDeferred::job), field("code", &JobDeferred::code)};
};
template <>
struct Fields<CancelRequested> {
  static constexpr std::tuple list{field("job", &CancelRequested::job)};
};
template <>
struct Fields<JobRequeued> {
  static constexpr std::tuple list{field("job", &JobRequeued::job), field("cause", &JobRequeued::cause),
                                   field("not_before", &JobRequeued::not_before)};
};
template <>
struct Fields<JobFinished> {
  static constexpr std::tuple list{field("job", &JobFinished::job), field("state", &JobFinished::state),
                                   field("message", &JobFinished::message)};
};

template <>
struct Fields<AttemptAdmitted> {
  static constexpr std::tuple list{field("attempt", &AttemptAdmitted::attempt)};
};
template <>
struct Fields<AttemptSubmitted> {
  static constexpr std::tuple list{field("attempt", &AttemptSubmitted::attempt)};
};
template <>
struct Fields<AttemptStarting> {
  static constexpr std::tuple list{field("attempt", &AttemptStarting::attempt)};
};
template <>
struct Fields<StartDelayed> {
  static constexpr std::tuple list{field("attempt", &StartDelayed::attempt), field("message", &StartDelayed::message)};
};
template <>
struct Fields<BarrierOpened> {
  static constexpr std::tuple list{field("attempt", &BarrierOpened::attempt), field("claims", &BarrierOpened::claims)};
};
template <>
struct Fields<TaskStarted> {
  static constexpr std::tuple list{field("attempt", &TaskStarted::attempt), field("task", &TaskStarted::task)};
};
template <>
struct Fields<AttemptStarted> {
  static constexpr std::tuple list{field("attempt", &AttemptStarted::attempt),
                                   field("started_at", &AttemptStarted::started_at)};
};
template <>
struct Fields<AttemptStopping> {
  static constexpr std::tuple list{field("attempt", &AttemptStopping::attempt),
                                   field("cause", &AttemptStopping::cause),
                                   sparse("preemption", &AttemptStopping::preemption),
                                   added("yields_to", &AttemptStopping::yields_to),
                                   added("lost_gpu_ms", &AttemptStopping::estimated_lost_gpu_ms),
                                   added("stop_by", &AttemptStopping::stop_by),
                                   former("moves"),
                                   former("borrowed"),
                                   sparse("resizes_to", &AttemptStopping::resizes_to)};
};
template <>
struct Fields<AttemptProgressed> {
  static constexpr std::tuple list{field("attempt", &AttemptProgressed::attempt),
                                   field("report", &AttemptProgressed::report)};
};
template <>
struct Fields<PlacementNominated> {
  static constexpr std::tuple list{field("job", &PlacementNominated::job),
                                   field("hold", &PlacementNominated::nomination)};
};
template <>
struct Fields<NominationEnded> {
  static constexpr std::tuple list{field("job", &NominationEnded::job)};
};
template <>
struct Fields<FurtherLoss> {
  static constexpr std::tuple list{field("attempt", &FurtherLoss::attempt), field("gpu_ms", &FurtherLoss::gpu_ms)};
};
template <>
struct Fields<CheckpointSkipped> {
  static constexpr std::tuple list{field("job", &CheckpointSkipped::job),
                                   field("checkpoint", &CheckpointSkipped::checkpoint),
                                   sparse("further_losses", &CheckpointSkipped::further_losses)};
};
template <>
struct Fields<RunTimePredicted> {
  static constexpr std::tuple list{field("job", &RunTimePredicted::job),
                                   field("run_time", &RunTimePredicted::run_time)};
};
template <>
struct Fields<TaskEnded> {
  static constexpr std::tuple list{field("attempt", &TaskEnded::attempt), field("task", &TaskEnded::task),
                                   field("exit", &TaskEnded::exit)};
};
template <>
struct Fields<ContactLost> {
  static constexpr std::tuple list{field("attempt", &ContactLost::attempt)};
};
template <>
struct Fields<ContactRegained> {
  static constexpr std::tuple list{field("attempt", &ContactRegained::attempt)};
};
template <>
struct Fields<AttemptEnded> {
  static constexpr std::tuple list{
      field("attempt", &AttemptEnded::attempt),     field("by", &AttemptEnded::by),
      field("exit_code", &AttemptEnded::exit_code), field("signal", &AttemptEnded::signal),
      field("message", &AttemptEnded::message),     sparse("lost_gpu_ms", &AttemptEnded::lost_gpu_ms),
      sparse("culprit", &AttemptEnded::culprit)};
};

template <class Row>
struct Fields<RowSet<Row>> {
  static constexpr std::tuple list{field(Row::kRow, &RowSet<Row>::row)};
};
template <class Row>
struct Fields<RowRemoved<Row>> {
  static constexpr std::tuple list{field("name", &RowRemoved<Row>::name)};
};
template <>
struct Fields<NodesWanted> {
  static constexpr std::tuple list{field("flavor", &NodesWanted::flavor), field("nodes", &NodesWanted::nodes)};
};
template <>
struct Fields<UsageSampled> {
  static constexpr std::tuple list{field("at", &UsageSampled::at), field("kept", &UsageSampled::kept)};
};

template <>
struct Fields<RequestAudited> {
  using E = RequestAudited;
  static constexpr std::tuple list{
      field("verb", &E::verb),    sparse("object", &E::object),  field("outcome", &E::outcome),
      sparse("code", &E::code),   sparse("from", &E::from),      field("count", &E::count),
      sparse("token", &E::token), sparse("behalf", &E::behalf),  sparse("source", &E::source),
      sparse("agent", &E::agent), sparse("request", &E::request)};
};

template <>
struct Fields<LogSealed> {
  static constexpr std::tuple list{field("from", &LogSealed::from), field("to", &LogSealed::to),
                                   field("leaves", &LogSealed::leaves), field("chain", &LogSealed::chain)};
};

}  // namespace ym::json
