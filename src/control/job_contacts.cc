#include "control/job_contacts.h"

#include <fmt/format.h>

#include <utility>

namespace ym {

Result<JobContacts> JobContacts::make(std::string api_url, const Secret& key) {
  JobContacts contacts;
  if (api_url.empty() || key.empty()) return contacts;
  auto tokens = JobTokens::with_key(key);
  if (!tokens) return std::unexpected(tokens.error());
  contacts.api_url_ = std::move(api_url);
  contacts.tokens_ = std::move(*tokens);
  return contacts;
}

std::optional<JobContact> JobContacts::of(AttemptKey attempt, Instant now) const {
  if (!any()) return std::nullopt;
  const auto base = fmt::format("{}/v1/jobs/{}/attempts/{}", api_url_, to_string(attempt.job), attempt.number);
  return JobContact{.progress_url = base + "/progress", .notice_url = base + "/notice", .token = token(attempt, now)};
}

Result<AttemptKey> JobContacts::check(const Secret& token, Instant now) const {
  if (!any()) return fail(ErrorCode::unauthenticated, "this server gives its jobs no tokens");
  return tokens_->check(token, now);
}

}  // namespace ym
