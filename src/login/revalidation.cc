#include "login/revalidation.h"

#include <algorithm>

namespace ym::login {
namespace {

constexpr Duration kPause = minutes(1);  // after a provider did not answer

}  // namespace

void Revalidation::keep(Renewable login, Instant now) {
  const std::lock_guard lock(mutex_);
  std::erase_if(kept_, [&](const Kept& kept) {
    return kept.login.until <= now ||
           (kept.login.issuer->url() == login.issuer->url() && kept.login.subject == login.subject);
  });
  if (kept_.size() >= kMost) return;
  const Instant due = now + login.every;
  kept_.push_back({std::move(login), due});
}

bool Revalidation::is_due(Instant now) {
  const std::lock_guard lock(mutex_);
  return !asking_ && std::ranges::any_of(kept_, [&](const Kept& kept) { return kept.due <= now; });
}

std::optional<Renewable> Revalidation::take_due(Instant now) {
  const std::lock_guard lock(mutex_);
  std::erase_if(kept_, [&](const Kept& kept) { return kept.login.until <= now; });
  const auto due = std::ranges::find_if(kept_, [&](const Kept& kept) { return kept.due <= now; });
  if (due == kept_.end()) return std::nullopt;
  auto login = std::move(due->login);
  kept_.erase(due);
  return login;
}

std::vector<Subject> Revalidation::ask(Instant now) {
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(asking_, true)) return {};
  }
  std::vector<Subject> gone;
  while (auto login = take_due(now)) {
    auto renewed = login->issuer->refresh(login->refresh_token);
    const bool is_gone = !renewed && renewed.error().code == ErrorCode::unauthenticated;
    if (is_gone) {
      gone.push_back({login->issuer->url(), login->subject});
      continue;
    }
    // Providers that do not rotate send no new one.
    if (renewed && !renewed->empty()) login->refresh_token = std::move(*renewed);
    const std::lock_guard lock(mutex_);
    const auto same = [&](const Kept& kept) {
      return kept.login.issuer->url() == login->issuer->url() && kept.login.subject == login->subject;
    };
    const Instant due = now + (renewed ? login->every : kPause);
    if (std::ranges::none_of(kept_, same)) kept_.push_back({std::move(*login), due});
    if (!renewed) break;
  }
  const std::lock_guard lock(mutex_);
  asking_ = false;
  return gone;
}

}  // namespace ym::login
