// Reasons: the reason of an event for which the code that staged it gave none.
//
// Every event has a reason. It is the audit record, and a transition without a reason is half of one.
#pragma once

#include <string>
#include <string_view>

#include "model/event.h"

namespace ym {

// Never empty. `actor`: the event's.
std::string plain_reason(std::string_view actor, const EventPayload& payload);

// "exit code 3", "killed by signal 9", or the executor's message.
std::string describe(const TaskExit& exit);
// The same, never the executor's message.
std::string describe_end(const TaskExit& exit);
// "rank 5 failed first: killed by signal 9"
std::string describe(const WorkerFailure& worker);

// "preempted for job 00000007 (urgent) of queue prod: its priority is 80, this job's 50". Precondition: a cause with a
// preempting job.
std::string why_preempted(const Job& preempting_job, const Job& preempted_job, PreemptionCause cause);

// "the checkpoint /ck/2 (step 200) is not there any more; resumes from /ck/1 (step 100)".
std::string why_skipped(const Checkpoint& gone, const Checkpoint* instead);

}  // namespace ym
