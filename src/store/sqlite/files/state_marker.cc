#include "store/sqlite/files/state_marker.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <optional>

#include "store/sqlite/files/files.h"
#include "store/sqlite/row_sum.h"

namespace ym::sqlite {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kForPeople = "This folder holds the state of a Yardmaster server.\n";
constexpr std::string_view kSum = "sum ";

// Distinguishes a file from its copies. There is no device number: it depends on the order in which disks are found.
struct Identity {
  std::string inode;
  std::string born;  // empty: the file system does not know
};

std::optional<Identity> identity_of(int folder, const char* path, int flags) {
  struct statx status{};
  if (::statx(folder, path, flags, STATX_INO | STATX_BTIME, &status) != 0) return std::nullopt;
  Identity found{.inode = fmt::format("{}", status.stx_ino), .born = {}};
  if ((status.stx_mask & STATX_BTIME) != 0)
    found.born = fmt::format("{}.{:09}", status.stx_btime.tv_sec, status.stx_btime.tv_nsec);
  return found;
}

// A path on one line, with any bytes escaped that would break it.
std::string escaped(std::string_view path) {
  std::string line;
  for (const char c : path) {
    const bool plain = static_cast<unsigned char>(c) >= ' ' && c != '%';
    line += plain ? std::string(1, c) : fmt::format("%{:02x}", static_cast<unsigned char>(c));
  }
  return line;
}

std::string unescaped(std::string_view line) {
  std::string path;
  for (std::size_t i = 0; i < line.size(); ++i) {
    unsigned code = 0;
    const bool is_code = line[i] == '%' && i + 2 < line.size() &&
                         std::from_chars(line.data() + i + 1, line.data() + i + 3, code, 16).ec == std::errc{};
    path += is_code ? static_cast<char>(code) : line[i];
    if (is_code) i += 2;
  }
  return path;
}

std::string sum_line(std::string_view above) {
  RowSum sum("state marker");
  sum.add(above);
  return fmt::format("{}{:016x}\n", kSum, static_cast<std::uint64_t>(sum.value()));
}

using Keys = std::map<std::string, std::string, std::less<>>;

// Nothing: the text is damaged.
std::optional<Keys> read_keys(std::string_view text) {
  const auto end = text.rfind(kSum);
  if (end == std::string_view::npos || sum_line(text.substr(0, end)) != text.substr(end)) return std::nullopt;
  if (!text.starts_with(kForPeople)) return std::nullopt;
  Keys keys;
  for (auto rest = text.substr(kForPeople.size(), end - kForPeople.size()); !rest.empty();) {
    const auto line = rest.substr(0, rest.find('\n'));
    const auto space = std::min(line.find(' '), line.size());
    keys.emplace(line.substr(0, space), line.substr(std::min(space + 1, line.size())));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  }
  return keys;
}

bool differ(std::string_view said, std::string_view found) { return !said.empty() && !found.empty() && said != found; }

// Whether there is a marker at `there` that is another file than ours. If it cannot be read, it counts as one.
bool is_another(const fs::path& there, const fs::path& ours) {
  std::error_code failed;
  const auto type = fs::status(there, failed).type();
  if (type == fs::file_type::not_found) return false;
  const bool same = fs::equivalent(there, ours, failed);
  return failed || !same;
}

}  // namespace

Marking read_marking(const fs::path& dir, std::string_view machine) {
  using Kind = Marking::Kind;
  const auto file = dir / kMarker;
  const auto found = identity_of(AT_FDCWD, file.c_str(), AT_SYMLINK_NOFOLLOW);
  if (!found) return {.kind = Kind::none};
  const auto text = read_small(file);
  if (text == kForPeople) return {.kind = Kind::to_renew};
  auto keys = read_keys(text.value_or(""));
  if (!keys) return {.kind = Kind::copy};
  const Origin origin{.directory = unescaped((*keys)["directory"]), .machine = (*keys)["machine"]};
  if ((*keys)["inode"] != found->inode || differ((*keys)["born"], found->born) || differ(origin.machine, machine))
    return {.kind = Kind::copy, .origin = origin};
  if (origin.directory == dir) return {.kind = Kind::right};
  if (is_another(origin.directory / kMarker, file)) return {.kind = Kind::copy, .origin = origin};
  return {.kind = Kind::to_renew};
}

Result<void> write_marking(const fs::path& dir, std::string_view machine) {
  const auto file = dir / kMarker;
  const auto temporary = fs::path(file).concat(".new");
  {
    const auto fd = create_anew(temporary);
    if (!fd) return std::unexpected(fd.error());
    // A rename changes neither the inode nor the time of birth.
    const auto own = identity_of(fd->get(), "", AT_EMPTY_PATH);
    if (!own) return std::unexpected(os_error("look at", temporary));
    auto text = fmt::format("{}directory {}\n", kForPeople, escaped(dir.native()));
    if (!machine.empty()) text += fmt::format("machine {}\n", machine);
    text += fmt::format("inode {}\n", own->inode);
    if (!own->born.empty()) text += fmt::format("born {}\n", own->born);
    text += sum_line(text);
    if (::write(fd->get(), text.data(), text.size()) != std::ssize(text) || ::fsync(fd->get()) != 0)
      return std::unexpected(os_error("write", temporary));
  }
  return rename_durably(temporary, file);
}

std::string machine_id(const fs::path& file) {
  std::ifstream stream(file);
  std::string id;
  std::getline(stream, id);
  const bool known = id.size() == 32 && id.find_first_not_of("0123456789abcdef") == std::string::npos;
  return known ? id : std::string();
}

}  // namespace ym::sqlite
