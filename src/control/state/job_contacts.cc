#include "control/state/job_contacts.h"

#include <fmt/format.h>

#include <utility>

namespace ym {

Result<JobContacts> JobContacts::make(std::string api_url, const Secret& key, std::string advertised_url,
                                      std::string ca_file) {
  JobContacts contacts;
  if (api_url.empty() || key.empty()) return contacts;
  auto tokens = JobTokens::with_key(key);
  if (!tokens) return std::unexpected(tokens.error());
  contacts.advertised_url_ = advertised_url.empty() ? api_url : std::move(advertised_url);
  contacts.api_url_ = std::move(api_url);
  contacts.ca_file_ = std::move(ca_file);
  contacts.tokens_ = std::move(*tokens);
  return contacts;
}

std::optional<JobContact> JobContacts::at(const std::string& url, AttemptKey attempt, Secret token) const {
  const auto base = fmt::format("{}/v1/jobs/{}/attempts/{}", url, to_string(attempt.job), attempt.number);
  return JobContact{.progress_url = base + "/progress", .notice_url = base + "/notice", .token = std::move(token)};
}

std::optional<JobContact> JobContacts::of(AttemptKey attempt, Instant now) const {
  if (!any()) return std::nullopt;
  auto contact = at(api_url_, attempt, tokens_->issue(attempt, now));
  contact->ca_file = ca_file_;
  return contact;
}

std::optional<JobContact> JobContacts::of_remote(AttemptKey attempt, Instant now) const {
  if (!any()) return std::nullopt;
  return at(advertised_url_, attempt, tokens_->issue(attempt, now, JobTokens::kRemoteLifetime));
}

Result<AttemptKey> JobContacts::check(const Secret& token, Instant now) const {
  if (!any()) return fail(ErrorCode::unauthenticated, "this server gives its jobs no tokens");
  return tokens_->check(token, now);
}

}  // namespace ym
