#include "login/revalidation.h"

#include <algorithm>

namespace ym::login {
namespace {

constexpr Duration kPause = minutes(1);
constexpr int kTold = 3;

bool is_same_user(const Renewable& a, const Renewable& b) {
  return a.issuer->url() == b.issuer->url() && a.subject == b.subject;
}

}  // namespace

void Revalidation::keep(Renewable login, Instant now) {
  const std::lock_guard lock(mutex_);
  std::erase_if(kept_, [&](const Kept& kept) { return kept.login.until <= now || is_same_user(kept.login, login); });
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

void Revalidation::put_back(Renewable login, Instant due) {
  const std::lock_guard lock(mutex_);
  const auto same = [&](const Kept& kept) { return is_same_user(kept.login, login); };
  if (std::ranges::none_of(kept_, same)) kept_.push_back({std::move(login), due});
}

void Revalidation::postpone(const std::string& issuer, Instant to) {
  const std::lock_guard lock(mutex_);
  for (Kept& kept : kept_)
    if (kept.login.issuer->url() == issuer) kept.due = std::max(kept.due, to);
}

void Revalidation::ask(Instant now, const std::function<void(const Subject&)>& gone) {
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(asking_, true)) return;
  }
  while (auto login = take_due(now)) {
    const auto renewed = login->refused > 0 ? Result<Secret>(fail(ErrorCode::unauthenticated, "it was refused"))
                                            : login->issuer->refresh(login->refresh_token);
    if (renewed) {
      // Providers that do not rotate send no new one.
      if (!renewed->empty()) login->refresh_token = *renewed;
      const Instant due = now + login->every;
      put_back(std::move(*login), due);
    } else if (renewed.error().code == ErrorCode::unauthenticated) {
      gone({login->issuer->url(), login->subject});
      if (++login->refused < kTold) put_back(std::move(*login), now + kPause);
    } else {
      const auto issuer = login->issuer->url();
      put_back(std::move(*login), now);
      postpone(issuer, now + kPause);
    }
  }
  const std::lock_guard lock(mutex_);
  asking_ = false;
}

}  // namespace ym::login
