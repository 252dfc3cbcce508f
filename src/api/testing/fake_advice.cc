// FakeBackend: explanations, and comparisons of settings.
#include "api/testing/fake_backend.h"

namespace ym::testing {

void FakeBackend::set_explanation(Explanation explanation) {
  const std::lock_guard lock(mutex_);
  explanation_ = std::move(explanation);
}

Result<Explanation> FakeBackend::why(const Caller& caller, JobId id) {
  const auto view = reads_.job(caller, id);
  if (!view) return std::unexpected(view.error());
  const std::lock_guard lock(mutex_);
  Explanation explanation = view->job->pending ? explanation_.value_or(Explanation{}) : Explanation{};
  explanation.state = view->job->state;
  explanation.message = view->job->message;
  return explanation;
}

// Every waiting job would start after any change.
void FakeBackend::compare(const Caller&, engine::PolicyChange change, CompareReply reply) {
  engine::PolicyDiff diff{.as_of = clock_.now()};
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, job] : tables_.jobs)
      if (job.state == JobState::queued) diff.starts.push_back(id);
  }
  diff.waiting = diff.starts.size();
  if (change.queues.empty() && !change.settings) diff.starts.clear();
  reply(std::move(diff));
}

}  // namespace ym::testing
