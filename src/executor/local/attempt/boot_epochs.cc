#include "executor/local/attempt/boot_epochs.h"

#include <unistd.h>

#include <optional>

#include "executor/local/attempt/checksum.h"
#include "executor/local/attempt/files.h"
#include "executor/local/attempt/layout.h"

namespace ym::local {
namespace {

constexpr std::size_t kMaxBootFile = 4096;

// "<boot id> <16 hex digits>\n". It is not a Record, because builds of any later version must be able to read it.
std::string encode(const std::string& boot) { return boot + " " + hex(checksum(boot)) + "\n"; }

std::optional<std::string> decode(const std::string& text) {
  auto boot = text.substr(0, text.rfind(' '));
  return !boot.empty() && text == encode(boot) ? std::optional(std::move(boot)) : std::nullopt;
}

}  // namespace

Result<void> BootEpochs::open(int attempts_folder) {
  auto folder = make_folder_durably(attempts_folder, kBootEpochsFolder);
  if (!folder) return std::unexpected(folder.error());
  const std::lock_guard lock{mutex_};
  folder_ = std::make_shared<const Fd>(std::move(*folder));
  marked_.clear();
  return {};
}

std::shared_ptr<const Fd> BootEpochs::folder() const {
  const std::lock_guard lock{mutex_};
  return folder_;
}

bool BootEpochs::is_marked(std::uint64_t epoch) const {
  const std::lock_guard lock{mutex_};
  return marked_.contains(epoch);
}

Result<void> BootEpochs::mark(std::uint64_t epoch) {
  if (is_marked(epoch)) return {};
  const auto made = create_durably(folder()->get(), std::to_string(epoch).c_str(), encode(boot_));
  if (!made) return std::unexpected(made.error());
  const auto now = launched(epoch);
  if (!now) return std::unexpected(now.error());
  if (*now != Launched::this_boot)
    return fail(ErrorCode::conflict, "attempts of this epoch were launched before the machine was restarted");
  // The process that made it may have died before the file was on the disk.
  if (!*made && ::fsync(folder()->get()) != 0) return std::unexpected(os_error("fsync of a folder"));
  const std::lock_guard lock{mutex_};
  marked_.insert(epoch);
  return {};
}

Result<Launched> BootEpochs::launched(std::uint64_t epoch) const {
  if (is_marked(epoch)) return Launched::this_boot;
  const auto text = read_file(folder()->get(), std::to_string(epoch).c_str(), kMaxBootFile);
  if (!text && text.error().code == ErrorCode::not_found) return Launched::never;
  if (!text && text.error().code == ErrorCode::io) return std::unexpected(text.error());
  const auto boot = text ? decode(*text) : std::nullopt;
  if (!boot) return Launched::unclear;
  return *boot == boot_ ? Launched::this_boot : Launched::earlier_boot;
}

}  // namespace ym::local
