// FakeService: tokens.
#include "api/testing/fake_service.h"

namespace ym::testing {

void FakeService::change_tokens(TokenCommand command, TokenAnswer answer) {
  std::unique_lock lock(mutex_);
  auto change = change_of(command, tokens_, now());
  if (!change) {
    lock.unlock();
    return answer(std::unexpected(change.error()));
  }
  replace_records(tokens_, std::move(change->records));
  lock.unlock();
  answer(std::move(change->reply));
}

std::vector<TokenView> FakeService::tokens() {
  const std::lock_guard lock(mutex_);
  std::vector<TokenView> views;
  for (const auto& record : tokens_)
    if (record.role != kRevoked) views.push_back(view_of(record));
  return views;
}

}  // namespace ym::testing
