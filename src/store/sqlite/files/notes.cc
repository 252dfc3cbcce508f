#include "store/sqlite/files/notes.h"

#include <fmt/format.h>

#include "store/sqlite/files/state_marker.h"
#include "store/sqlite/row_sum.h"

namespace ym::sqlite {
namespace {

std::string name_of(std::int64_t first_event) {
  RowSum sum("acknowledged");
  sum.add(first_event);
  sum.add(machine_id());
  return fmt::format("{:016x}.acknowledged", static_cast<std::uint64_t>(sum.value()));
}

}  // namespace

std::optional<std::int64_t> first_event(Database& database) {
  const auto sum = database.integer("SELECT coalesce(max(sum), 0) FROM events WHERE seq = 1");
  return sum && *sum != 0 ? std::optional(*sum) : std::nullopt;
}

Result<Notes> Notes::open(const std::filesystem::path& dir, const std::filesystem::path& receipts) {
  auto inside = Acknowledged::open(dir / "acknowledged");
  if (!inside) return std::unexpected(inside.error());
  return Notes(std::move(*inside), receipts);
}

bool Notes::tell_of_loss(Database& database, std::uint64_t last_seq) {
  if (last_seq == 0) return false;
  if (!inside_.last_seq()) return true;
  const auto& outside = this->outside(database);
  return outside && outside->last_seq().value_or(0) > last_seq;
}

void Notes::note(Database& database, std::uint64_t last_seq) {
  inside_.note(last_seq);
  if (const auto& outside = this->outside(database)) outside->note(last_seq);
}

// Looked for once, after the first event: the note is named by that event.
const std::optional<Acknowledged>& Notes::outside(Database& database) {
  if (looked_for_ || receipts_.empty()) return outside_;
  const auto first = first_event(database);
  if (!first) return outside_;
  looked_for_ = true;
  if (auto opened = Acknowledged::open(receipts_ / name_of(*first))) outside_ = std::move(*opened);
  return outside_;
}

}  // namespace ym::sqlite
