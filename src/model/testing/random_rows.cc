#include "model/testing/random_rows.h"

#include <array>
#include <concepts>
#include <limits>

#include "model/json/event_fields.h"

namespace ym::testing {
namespace {

// Fills the stored fields of a row, by the lists of fields: no member keeps its default by accident.
class Filler {
 public:
  explicit Filler(Random& random) : random_(random) {}

  void set(bool& out) { out = random_.below(2) == 1; }
  void set(std::int32_t& out) { out = pick<std::int32_t>(); }
  void set(std::int64_t& out) { out = pick<std::int64_t>(); }
  void set(std::uint64_t& out) { out = pick<std::uint64_t>(); }
  void set(double& out) { out = static_cast<double>(pick<std::int64_t>()) / 3; }
  void set(Instant& out) { set(out.ms); }
  void set(Duration& out) { set(out.ms); }
  void set(std::string& out) {
    static const std::array<std::string, 12> kParts{"a",  "train", " ",       "\"",   "\\",   "/",
                                                    "\n", "é",     "\x1b[2J", "\xff", "日本", std::string(1, '\0')};
    out.clear();
    for (auto n = random_.below(5); n > 0; --n) out += kParts[random_.below(kParts.size())];
  }
  template <class Tag>
  void set(StrongId<Tag>& out) {
    out.value = random_.next() >> random_.below(64);
  }
  template <NamedEnum E>
  void set(E& out) {
    out = static_cast<E>(random_.below(count_of_values<E>()));
  }

  template <template <class> class Maybe, class T>
    requires(std::same_as<Maybe<T>, std::optional<T>> || std::same_as<Maybe<T>, BoxedOptional<T>>)
  void set(Maybe<T>& out) {
    out.reset();
    if (random_.below(2) == 1) set(out.emplace());
  }
  template <class T>
  void set(Boxed<T>& out) {
    set(out.edit());
  }
  template <class T>
  void set(std::vector<T>& out) {
    out.resize(random_.below(4));
    for (auto& item : out) set(item);
  }
  template <class T>
  void set(std::map<std::string, T>& out) {
    set_entries(out);
  }
  void set(FlavorQuota& out) {
    for (auto& quota : out) set(quota);
  }
  void set(QuotaList& out) { set_entries(out); }
  template <class Map>
  void set_entries(Map& out) {
    out = {};
    for (auto n = random_.below(4); n > 0; --n) {
      std::string name;
      set(name);
      set(out[name]);
    }
  }
  void set(ResourceVector& out) {
    for (auto& amount : out.amounts) set(amount);
  }

  template <json::Described T>
  void set(T& row) {
    json::for_each_member(json::Fields<T>::list, [&](const auto& field) { set(row.*field.member); });
  }
  // Sets members that are not in the lists, or that depend on each other.
  void set(Job& row) {
    set<Job>(row);
    row.spec = std::make_shared<JobSpec>(random_spec(random_));
  }
  void set(AttemptStopping& row) {
    set<AttemptStopping>(row);
    row.preemption.reset();
    if (row.cause == StopCause::preemption) set(row.preemption.emplace());
  }
  void set(Attempt& row) {
    set<Attempt>(row);
    row.prices_micros.resize(random_.below(2));  // its flavor has one part
    if (row.stop_cause == StopCause::preemption && !row.preemption) row.preemption = PreemptionCause::reclaim;
    row.tasks.resize(row.placement.size());
    for (auto& task : row.tasks) set(task);
  }

 private:
  template <class Integer>
  Integer pick() {
    switch (random_.below(4)) {
      case 0: return std::numeric_limits<Integer>::max();
      case 1: return std::numeric_limits<Integer>::min();
      default: return static_cast<Integer>(random_.next() >> random_.below(64));
    }
  }

  Random& random_;
};

template <class Row>
Row random_row(Random& random) {
  Row row;
  Filler(random).set(row);
  return row;
}
template <std::size_t... I>
EventPayload nth_payload(Random& random, std::size_t n, std::index_sequence<I...>) {
  EventPayload payload;
  ((I == n ? void(payload = random_row<std::variant_alternative_t<I, EventVariant>>(random)) : void()), ...);
  return payload;
}

}  // namespace

JobSpec random_spec(Random& random) { return random_row<JobSpec>(random); }
Job random_job(Random& random) { return random_row<Job>(random); }
Attempt random_attempt(Random& random) { return random_row<Attempt>(random); }
Cluster random_cluster(Random& random) { return random_row<Cluster>(random); }
Node random_node(Random& random) { return random_row<Node>(random); }
Flavor random_flavor(Random& random) { return random_row<Flavor>(random); }
AdvanceReservation random_reservation(Random& random) { return random_row<AdvanceReservation>(random); }
PolicyRow random_policy(Random& random) { return random_row<PolicyRow>(random); }
Spending random_spending(Random& random) { return random_row<Spending>(random); }
Usage random_usage(Random& random) { return random_row<Usage>(random); }
Queue random_queue(Random& random) { return random_row<Queue>(random); }

EventPayload random_payload(Random& random, std::size_t n) {
  constexpr auto kCount = std::variant_size_v<EventVariant>;
  YM_ASSERT(n < kCount);
  return nth_payload(random, n, std::make_index_sequence<kCount>());
}

}  // namespace ym::testing
