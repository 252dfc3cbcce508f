#include "net/lookup.h"

#include <netdb.h>

#include <condition_variable>
#include <cstring>
#include <optional>
#include <system_error>
#include <thread>

#include "net/cancel.h"

namespace ym::net {
namespace {

using Answer = Io<std::vector<Endpoint>>;

Answer ask(const std::string& host, std::uint16_t port, int flags) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags | AI_NUMERICSERV;
  addrinfo* list = nullptr;
  const int failed = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &list);
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(failed ? nullptr : list, &::freeaddrinfo);
  if (failed) return lost(::gai_strerror(failed));
  std::vector<Endpoint> found;
  for (const auto* one = list; one != nullptr; one = one->ai_next) {
    Endpoint endpoint{.address = {}, .length = one->ai_addrlen};
    std::memcpy(&endpoint.address, one->ai_addr, one->ai_addrlen);
    found.push_back(endpoint);
  }
  if (found.empty()) return lost("the name has no address");
  return found;
}

// If a name server does not answer, getaddrinfo blocks for minutes and cannot be interrupted. So it runs on a thread of
// its own. A caller that stops waiting leaves the thread behind, with the data that it needs.
struct Lookup {
  std::mutex mutex;
  std::condition_variable changed;
  std::optional<Answer> answer;

  void finish(Answer value) {
    const std::lock_guard lock(mutex);
    answer = std::move(value);
    changed.notify_all();
  }
};

}  // namespace

Io<std::vector<Endpoint>> look_up(const std::string& host, std::uint16_t port, const WaitLimit& wait_limit) {
  if (auto numeric = ask(host, port, AI_NUMERICHOST)) return numeric;
  const auto lookup = std::make_shared<Lookup>();
  try {
    std::thread([lookup, host, port] { lookup->finish(ask(host, port, 0)); }).detach();
  } catch (const std::system_error& error) {
    return lost(error.what());
  }
  const CancelWatch watch(wait_limit.cancel, [&lookup] {
    // Locks and unlocks: the waiting thread then either has seen the cancellation or waits already.
    {
      const std::lock_guard lock(lookup->mutex);
    }
    lookup->changed.notify_all();
  });
  std::unique_lock lock(lookup->mutex);
  lookup->changed.wait_until(lock, wait_limit.deadline,
                             [&] { return lookup->answer.has_value() || wait_limit.cancel.cancelled(); });
  if (lookup->answer) return std::move(*lookup->answer);
  return wait_limit.cancel.cancelled() ? Answer(cancelled()) : Answer(timed_out());
}

}  // namespace ym::net
