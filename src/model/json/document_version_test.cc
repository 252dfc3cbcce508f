#include "model/json/document_version.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "model/json/event_fields.h"
#include "model/tables.h"

namespace ym::json {
namespace {

// All that documents may have, one line for each field: its path, its type, and whether it may be missing.
class StoredNames {
 public:
  template <class T>
  void add(const std::string& place, const T& value = {}) {
    describe(place, value);
  }

  const std::set<std::string>& lines() const { return lines_; }

  std::uint64_t fingerprint() const {
    std::uint64_t hash = 0xCBF29CE484222325ULL;
    for (const auto& line : lines_)
      for (const char c : line + "\n") hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
    return hash;
  }

 private:
  void line(const std::string& place, std::string_view what) { lines_.insert(fmt::format("{} {}", place, what)); }

  void describe(const std::string& place, bool) { line(place, "flag"); }
  void describe(const std::string& place, const std::string&) { line(place, "text"); }
  void describe(const std::string& place, std::int32_t) { line(place, "number of 32 bits"); }
  void describe(const std::string& place, std::int64_t) { line(place, "number of 64 bits"); }
  void describe(const std::string& place, std::uint64_t) { line(place, "number from 0"); }
  void describe(const std::string& place, double) { line(place, "number as text"); }
  void describe(const std::string& place, Instant) { line(place, "instant"); }
  void describe(const std::string& place, Duration) { line(place, "duration"); }
  template <class Tag>
  void describe(const std::string& place, StrongId<Tag>) {
    line(place, "id");
  }
  template <NamedEnum E>
  void describe(const std::string& place, E) {
    for (const auto name : names_of_values<E>()) line(place, fmt::format("'{}'", name));
  }
  void describe(const std::string& place, const ResourceVector&) { by_kind(place, std::int64_t{}); }
  void describe(const std::string& place, const FlavorQuota&) { by_kind(place, Quota{}); }
  void describe(const std::string& place, const QuotaList&) {
    describe(place + "[]/flavor", std::string());
    describe(place + "[]/kinds", FlavorQuota{});
  }
  template <class T>
  void by_kind(const std::string& place, const T& amount) {
    for (const auto kind : names_of_values<ResourceKind>()) describe(fmt::format("{}/{}", place, kind), amount);
  }
  template <class T>
  void describe(const std::string& place, const std::vector<T>&) {
    describe(place + "[]", T{});
  }
  template <class T>
  void describe(const std::string& place, const std::map<std::string, T>&) {
    describe(place + "{}", T{});
  }
  template <class T>
  void describe(const std::string& place, const std::optional<T>&) {
    describe(optional(place), T{});
  }
  template <class T>
  void describe(const std::string& place, const BoxedOptional<T>&) {
    describe(optional(place), T{});
  }
  template <class T>
  void describe(const std::string& place, const Boxed<T>&) {
    describe(place, T{});
  }
  static std::string optional(const std::string& place) { return place.ends_with('?') ? place : place + "?"; }
  template <Described T>
  void describe(const std::string& place, const T& row) {
    for_each_member(Fields<T>::list, [&](const auto& f) {
      const bool may_be_missing = f.in_rows == InRows::unless_empty;
      describe(fmt::format("{}/{}{}", place, f.name, may_be_missing ? "?" : ""), row.*f.member);
    });
  }

  std::set<std::string> lines_;
};

template <std::size_t... I>
void add_events(StoredNames& names, std::index_sequence<I...>) {
  (names.add<std::variant_alternative_t<I, EventVariant>>(
       "event " + std::string(std::variant_alternative_t<I, EventVariant>::kType)),
   ...);
}

StoredNames stored_names() {
  StoredNames names;
  names.add<JobSpec>("spec");
  names.add<Job>("job");
  names.add<Attempt>("attempt");
  const Tables tables;
  each_named(tables, [&]<class Row>(const NamedRows<Row>&) { names.add<Row>(std::string(Row::kRow)); });
  add_events(names, std::make_index_sequence<std::variant_size_v<EventVariant>>());
  return names;
}

TEST(DocumentVersion, GrowsWithWhatIsStored) {
  const auto found = stored_names().fingerprint();
  EXPECT_EQ(found, kDocumentFingerprint) << fmt::format(
      "What is stored has changed: a field, a kind of event, or a name of a closed set.\n"
      "Servers of the last release cannot read that. In src/model/json/document_version.h\n"
      "  - raise kDocumentVersion by one, unless it was raised since the last release,\n"
      "  - write kDocumentFingerprint = {:#018x}.",
      found);
}

TEST(DocumentVersion, EveryFieldCounts) {
  const auto lines = stored_names().lines();
  for (const auto* line : {"spec/time_limit_ms? duration", "job/checkpoints?[]/uri text", "job/state 'HELD'",
                           "attempt/placement[]/devices[] text", "queue/quota?[]/kinds/gpus/nominal number of 64 bits",
                           "event job.held/job id", "event queue.set/queue/name text"})
    EXPECT_TRUE(lines.contains(line)) << line;
}

}  // namespace
}  // namespace ym::json
