#include "store/sqlite/files/acknowledged.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <string_view>

#include "store/sqlite/files/files.h"
#include "store/sqlite/row_sum.h"

namespace ym::sqlite {
namespace {

// One line of fixed width, so that it can be overwritten in place: the number and its checksum.
std::string line(std::uint64_t seq) {
  RowSum sum("acknowledged");
  sum.add(static_cast<std::int64_t>(seq));
  return fmt::format("{:020} {:016x}\n", seq, static_cast<std::uint64_t>(sum.value()));
}

}  // namespace

Result<Acknowledged> Acknowledged::open(const std::filesystem::path& file) {
  Descriptor fd(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!fd) return std::unexpected(os_error("open", file));
  return Acknowledged(std::move(fd));
}

std::optional<std::uint64_t> Acknowledged::last_seq() const {
  std::array<char, 38> text{};
  if (::pread(file_.get(), text.data(), text.size(), 0) != std::ssize(text)) return std::nullopt;
  std::uint64_t seq = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + 20, seq);
  const bool good = error == std::errc{} && end == text.data() + 20;
  if (!good || line(seq) != std::string_view(text.data(), text.size())) return std::nullopt;
  return seq;
}

void Acknowledged::note(std::uint64_t seq) const {
  const auto text = line(seq);
  [[maybe_unused]] const auto written = ::pwrite(file_.get(), text.data(), text.size(), 0);
}

Result<void> Acknowledged::forget() const {
  if (::ftruncate(file_.get(), 0) != 0 || ::fsync(file_.get()) != 0)
    return std::unexpected(os_error("empty", "acknowledged"));
  return {};
}

}  // namespace ym::sqlite
