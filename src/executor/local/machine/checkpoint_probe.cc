#include "executor/local/machine/checkpoint_probe.h"

#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <mutex>

#include "executor/local/machine/blocking_call.h"

namespace ym::local {
namespace {

constexpr std::string_view kFile = "file:";

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c = static_cast<char>(c | 0x20);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

std::string unescaped(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int high = text[i] == '%' && i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
    const int low = high >= 0 ? hex_digit(text[i + 2]) : -1;
    plain += low >= 0 ? static_cast<char>(high * 16 + low) : text[i];
    if (low >= 0) i += 2;
  }
  return plain;
}

// One letter before a colon is a folder name, not a scheme.
bool has_scheme(std::string_view uri) {
  const auto colon = uri.find(':');
  if (colon == std::string_view::npos || colon < 2) return false;
  return std::ranges::all_of(uri.substr(0, colon),
                             [](unsigned char c) { return std::isalnum(c) != 0 || c == '+' || c == '-' || c == '.'; });
}

bool says_gone() { return errno == ENOENT || errno == ENOTDIR; }

// Whether a link points outside the folder that contains it.
bool leads_outside(const std::string& link) {
  namespace fs = std::filesystem;
  std::error_code no_target, no_folder;
  const auto target = fs::canonical(link, no_target);
  const auto folder = fs::canonical(fs::path(link).parent_path(), no_folder);
  if (no_target || no_folder) return false;
  return std::ranges::mismatch(folder, target).in1 != folder.end();
}

// Shared by the loop and the thread that looks.
struct Probe {
  CheckpointSearch search;
  std::mutex mutex;
  std::size_t gone = 0;  // under mutex: number of missing ones at the front

  void look() {
    for (const auto& candidate : search.candidates) {
      const auto path = local_path(candidate.uri, search.workdir);
      if (!path || !search.is_none(*path)) break;
      const std::lock_guard lock{mutex};
      ++gone;
    }
  }

  Resume result() {
    const std::lock_guard lock{mutex};
    const auto& candidates = search.candidates;
    const auto end = candidates.begin() + static_cast<std::ptrdiff_t>(gone);
    Resume resume{.gone = {candidates.begin(), end}};
    if (end != candidates.end()) resume.from = *end;
    return resume;
  }
};

}  // namespace

std::optional<std::string> local_path(const std::string& uri, const std::string& workdir) {
  std::string path = uri;
  if (uri.starts_with(kFile)) {
    std::string_view rest = std::string_view(uri).substr(kFile.size());
    if (rest.starts_with("//")) {
      const auto host = rest.substr(2, rest.find('/', 2) - 2);
      if (!host.empty() && host != "localhost") return std::nullopt;
      rest.remove_prefix(2 + host.size());
    }
    path = unescaped(rest);
  } else if (has_scheme(uri)) {
    return std::nullopt;
  }
  if (path.empty() || path.starts_with('/')) return path;
  return workdir + "/" + path;
}

bool is_no_checkpoint(const std::string& path) {
  struct stat about{};
  if (::lstat(path.c_str(), &about) != 0) return says_gone();
  if (S_ISLNK(about.st_mode)) {
    if (::stat(path.c_str(), &about) != 0) return says_gone();
    if (leads_outside(path)) return true;
  }
  return !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode);
}

void find_checkpoint(EventLoop& loop, CheckpointSearch search, std::function<void(Resume)> done) {
  if (search.candidates.empty()) return done({});
  if (const auto& newest = search.candidates.front(); !local_path(newest.uri, search.workdir))
    return done({.from = newest, .gone = {}});
  const auto probe = std::make_shared<Probe>();
  probe->search = std::move(search);
  do_blocking(
      loop, probe->search.timeout, [probe] { probe->look(); },
      [probe, done = std::move(done)] { done(probe->result()); });
}

}  // namespace ym::local
