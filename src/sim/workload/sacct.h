// Slurm's accounting as a workload: rows of `sacct -P -o
// JobID,User,Account,Partition,Submit,Start,End,Timelimit,Priority, NNodes,ReqTRES,State` (and more, in any order;
// TimelimitRaw, ElapsedRaw, Elapsed and AllocTRES are taken too).
#pragma once

#include <optional>

#include "sim/workload/row_view.h"
#include "sim/workload/trace_job.h"

namespace ym::sim {

// Steps of jobs, jobs that never began and those that still ran when the table was written are none: of them it is not
// known how long they take. Nor is it of those that end before they begin, if nothing else says it.
std::optional<TraceJob> read_sacct(RowView& row);

}  // namespace ym::sim
