#include "login/device_codes.h"

#include <algorithm>
#include <utility>

#include "oidc/digest.h"

namespace ym::login {
namespace {

// Consonants that look different: no code is a word.
constexpr std::string_view kLetters = "BCDFGHJKLMNPQRSTVWXZ";
constexpr std::size_t kLength = 8;

// The letters of the code alone, as they are kept.
std::string plain(std::string_view typed) {
  std::string code;
  for (char c : typed) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    if (kLetters.contains(c)) code += c;
  }
  return code;
}

// Each letter is equally likely: what is beyond a multiple of their number is drawn again.
std::string random_code() {
  std::string code;
  while (code.size() < kLength)
    for (const char byte : oidc::random_bytes()) {
      const auto value = static_cast<unsigned char>(byte);
      if (code.size() < kLength && value < 256 / kLetters.size() * kLetters.size())
        code += kLetters[value % kLetters.size()];
    }
  return code;
}

std::string with_hyphen(const std::string& code) {
  return code.substr(0, kLength / 2) + "-" + code.substr(kLength / 2);
}

}  // namespace

std::string host_name_of(std::string_view said) {
  constexpr std::size_t kLongest = 63;
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
  };
  return said.size() <= kLongest && std::ranges::all_of(said, fits) ? std::string(said) : std::string();
}

std::string network_of(std::string_view address) {
  constexpr int kParts = 4;
  if (!address.contains(':')) return std::string(address);
  // Written in full or not, the first four parts tell networks apart well enough.
  std::size_t end = 0;
  for (int part = 0; part < kParts && end != std::string_view::npos; ++part)
    end = address.find(':', part == 0 ? 0 : end + 1);
  return std::string(address.substr(0, end));
}

std::optional<DeviceCodes::Codes> DeviceCodes::begin(Device device, Instant now) {
  const auto network = network_of(device.address);
  const auto same = [&](const Waiting& other) { return other.network == network; };
  if (waiting_.count_if(same, now) >= kMostOfANetwork) return std::nullopt;
  auto code = random_code();
  while (waiting(code, now) != nullptr) code = random_code();
  auto device_code = oidc::random_text();
  device.code = with_hyphen(code);
  device.since = now;
  if (!waiting_.put(device_code, {.device = std::move(device), .network = network, .user_code = code}, now))
    return std::nullopt;
  return Codes{.device_code = std::move(device_code), .user_code = with_hyphen(code)};
}

std::variant<DevicePoll, DeviceGrant> DeviceCodes::poll(const std::string& device_code, Instant now) {
  Waiting* found = waiting_.find(device_code, now);
  if (found == nullptr) return DevicePoll::expired;
  if (found->grant && !std::exchange(found->is_given, true)) return *found->grant;
  if (found->denied) {
    (void)waiting_.take(device_code, now);
    return DevicePoll::denied;
  }
  const auto before = std::exchange(found->polled_at, now);
  // A tenth less: a client that keeps the interval may be a little early.
  if (!before || now - *before >= Duration{found->interval.ms * 9 / 10}) return DevicePoll::pending;
  found->interval = found->interval + kPollInterval;
  return DevicePoll::slow_down;
}

void DeviceCodes::end(const std::string& device_code, Instant now) { (void)waiting_.take(device_code, now); }

void DeviceCodes::give_back(const std::string& device_code, Instant now) {
  if (Waiting* found = waiting_.find(device_code, now)) found->is_given = false;
}

DeviceCodes::Waiting* DeviceCodes::waiting(std::string_view user_code, Instant now) {
  const auto code = plain(user_code);
  return waiting_.find_if([&](const Waiting& one) { return one.user_code == code && !one.denied && !one.grant; }, now);
}

const Device* DeviceCodes::find(std::string_view user_code, const std::string& user, Instant now) {
  int* wrong = wrong_.find(user, now);
  if (wrong != nullptr && *wrong >= kWrongTries) return nullptr;
  if (const Waiting* found = waiting(user_code, now)) return &found->device;
  if (wrong != nullptr) *wrong += 1;
  else wrong_.put(user, 1, now);
  return nullptr;
}

bool DeviceCodes::decide(std::string_view user_code, std::optional<DeviceGrant> grant, Instant now) {
  Waiting* found = waiting(user_code, now);
  if (found == nullptr) return false;
  found->denied = !grant;
  found->grant = std::move(grant);
  return true;
}

}  // namespace ym::login
