#include "model/json/codec.h"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/pfr/tuple_size.hpp>

#include "base/testing/sentences.h"
#include "model/json/row_decoder.h"
#include "model/tables.h"
#include "model/testing/random_rows.h"

namespace ym::json {
namespace {

namespace bj = boost::json;

template <class T>
constexpr std::size_t listed_members() {
  std::size_t count = 0;
  for_each_member(Fields<T>::list, [&](const auto&) { ++count; });
  return count;
}
// A member that is not in the list would be lost silently.
template <class T>
constexpr bool lists_all = listed_members<T>() == boost::pfr::tuple_size_v<T>;
static_assert(lists_all<JobSpec> && lists_all<Program> && lists_all<TaskResources> && lists_all<RetryPolicy>);
static_assert(lists_all<PlacementRules> && lists_all<StopRules> && lists_all<CheckpointRules> && lists_all<TaskExit>);
static_assert(lists_all<TaskPlacement> && lists_all<TaskStatus> && lists_all<Attempt> && lists_all<AttemptKey>);
static_assert(lists_all<Device> && lists_all<Node> && lists_all<Cluster> && lists_all<Flavor> && lists_all<Quota>);
static_assert(lists_all<Queue> && lists_all<Usage> && lists_all<FlavorUsage> && lists_all<UsageSampled> &&
              lists_all<TaskEnded> && lists_all<AttemptEnded> && lists_all<RetryCounts>);
static_assert(lists_all<Checkpoint> && lists_all<Progress> && lists_all<ProgressReport> &&
              lists_all<NominatedPlacement>);
static_assert(lists_all<AttemptStopping>);
// Structs with key tables, beside those above.
static_assert(lists_all<PolicySettings> && lists_all<ElasticCapacity> && lists_all<SliceRule> && lists_all<TaskGroup>);
static_assert(lists_all<MinRuntime> && lists_all<AgeBoost> && lists_all<RunLimit> && lists_all<Budget>);
static_assert(lists_all<WaitPromise> && lists_all<DefaultFor>);
static_assert(lists_all<Cost> && lists_all<Scope> && lists_all<Grantee>);
template <class... Rows>
constexpr bool lists_all_of(std::tuple<NamedRows<Rows> Tables::*...>) {
  return (lists_all<Rows> && ...);
}
static_assert(lists_all_of(kNamedTables));
static_assert(listed_members<Job>() + 1 == boost::pfr::tuple_size_v<Job>, "all but the spec");

// Decodes as a store does.
template <class Row>
bj::value stored(const Row& row) {
  bj::parse_options any_bytes;
  any_bytes.allow_invalid_utf8 = true;
  return bj::parse(encode(row), {}, any_bytes);
}

template <class Row, class Make, class Decode>
void expect_round_trips(Make make, Decode decode) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const Row row = make(random);
    const auto decoded = decode(stored(row));
    ASSERT_TRUE(decoded) << decoded.error().message << " in " << encode(row);
    ASSERT_TRUE(*decoded == row) << "seed " << seed << ": " << encode(row);
  }
}

TEST(Codec, SpecsRoundTrip) { expect_round_trips<JobSpec>(testing::random_spec, decode_spec); }
TEST(Codec, AttemptsRoundTrip) { expect_round_trips<Attempt>(testing::random_attempt, decode_attempt); }
TEST(Codec, ClustersRoundTrip) { expect_round_trips<Cluster>(testing::random_cluster, decode_row<Cluster>); }
TEST(Codec, NodesRoundTrip) { expect_round_trips<Node>(testing::random_node, decode_row<Node>); }
TEST(Codec, FlavorsRoundTrip) { expect_round_trips<Flavor>(testing::random_flavor, decode_row<Flavor>); }
TEST(Codec, UsageRoundTrips) { expect_round_trips<Usage>(testing::random_usage, decode_row<Usage>); }
TEST(Codec, SpendingRoundTrips) { expect_round_trips<Spending>(testing::random_spending, decode_row<Spending>); }
TEST(Codec, PoliciesRoundTrip) { expect_round_trips<PolicyRow>(testing::random_policy, decode_row<PolicyRow>); }
TEST(Codec, ReservationsRoundTrip) {
  expect_round_trips<AdvanceReservation>(testing::random_reservation, decode_row<AdvanceReservation>);
}
TEST(Codec, QueuesRoundTrip) { expect_round_trips<Queue>(testing::random_queue, decode_row<Queue>); }

TEST(Codec, JobsRoundTripWithTheirSpecApart) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const Job job = testing::random_job(random);
    const auto value = stored(job);
    EXPECT_EQ(spec_id_of(value), Result<SpecId>(job.spec_id));
    const auto decoded = decode_job(value, job.spec);
    ASSERT_TRUE(decoded) << decoded.error().message;
    ASSERT_TRUE(*decoded == job) << bj::serialize(value);
    EXPECT_EQ(decoded->spec, job.spec);
  }
}

TEST(Codec, EveryTypeOfEventRoundTrips) {
  for (std::size_t type = 0; type < std::variant_size_v<EventVariant>; ++type) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      Random random(seed);
      const auto payload = testing::random_payload(random, type);
      const auto* submitted = std::get_if<JobSubmitted>(&payload);
      const auto decoded = decode_event(type_name(payload), stored(payload), submitted ? submitted->job.spec : nullptr);
      ASSERT_TRUE(decoded) << type_name(payload) << ": " << decoded.error().message;
      ASSERT_TRUE(*decoded == payload) << type_name(payload) << ": " << encode(payload);
    }
  }
}

TEST(Codec, TextsAreEscapedWhereJsonWantsIt) {
  const Cluster awkward{.name = "a\"b\\c/\b\f\n\r\t\x01\x1f\x7f\xff\xc3\xa9", .executor = ""};
  EXPECT_THAT(encode(awkward), ::testing::StartsWith(R"({"name":"a\"b\\c/\b\f\n\r\t\u0001\u001f)"
                                                     "\x7f\xff\xc3\xa9\",\"executor\":\"\","));
  EXPECT_EQ(*decode_row<Cluster>(stored(awkward)), awkward);
}

// --- strictness

template <class T>
void expect_corrupt(const Result<T>& result, const std::string& pointer) {
  testing::expect_refused(result, ErrorCode::corrupt, pointer);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().fields.size(), 1U);
}

// Calls `damage(place, pointer)` for every value inside, the root included.
template <class Damage>
void for_each_place(bj::value& root, bj::value& place, const std::string& pointer, const Damage& damage) {
  damage(place, pointer.empty() ? "/" : pointer);
  if (place.is_object())
    for (auto& entry : place.get_object())
      for_each_place(root, entry.value(), pointer + "/" + std::string(entry.key()), damage);
  if (place.is_array())
    for (std::size_t i = 0; i < place.get_array().size(); ++i)
      for_each_place(root, place.get_array()[i], pointer + "/" + std::to_string(i), damage);
}

Attempt full_attempt() {
  Attempt attempt{.job = JobId{7}, .number = 1, .epoch = 1, .cluster = "lab", .queue = "a", .flavor = "t4"};
  attempt.placement = {{0, "n1", {"0"}}};
  attempt.tasks = {{TaskState::ended, TaskExit{.exit_code = 1, .signal = 2}}};
  attempt.started_at = attempt.ended_at = Instant{5};
  attempt.stop_cause = StopCause::cancel;
  attempt.ended_by = EndedBy::cancelled;
  attempt.exit_code = attempt.signal = 1;
  return attempt;
}

TEST(Codec, WrongTypeAnywhereIsCorrupt) {
  auto root = stored(full_attempt());
  ASSERT_TRUE(decode_attempt(root));
  int places = 0;
  for_each_place(root, root, "", [&](bj::value& place, const std::string& pointer) {
    const auto good = place;
    for (const bj::value& wrong : std::initializer_list<bj::value>{nullptr, 1.5, bj::parse("[[]]")}) {
      place = wrong;
      const auto decoded = decode_attempt(root);
      ASSERT_FALSE(decoded) << pointer;
      EXPECT_EQ(decoded.error().code, ErrorCode::corrupt);
      EXPECT_THAT(decoded.error().fields.at(0).pointer, ::testing::StartsWith(pointer));
    }
    place = good;
    ++places;
  });
  EXPECT_GT(places, 25);
}

TEST(Codec, MissingFieldIsCorrupt) {
  const auto good = stored(full_attempt());
  for (const auto& entry : good.get_object()) {
    auto value = good;
    value.get_object().erase(entry.key());
    const bool optional =
        std::set<std::string_view>{"started_at", "ended_at", "stop_cause", "ended_by", "exit_code", "signal"}.contains(
            entry.key());
    if (optional) EXPECT_TRUE(decode_attempt(value)) << entry.key();
    else if (entry.key() != "placement" && entry.key() != "tasks")
      expect_corrupt(decode_attempt(value), "/" + std::string(entry.key()));
    else EXPECT_FALSE(decode_attempt(value));
  }
}

TEST(Codec, UnknownFieldIsCorruptAtAnyDepth) {
  auto root = stored(full_attempt());
  for_each_place(root, root, "", [&](bj::value& place, const std::string& pointer) {
    if (!place.is_object()) return;
    place.get_object().emplace("stranger", 1);
    expect_corrupt(decode_attempt(root), (pointer == "/" ? "" : pointer) + "/stranger");
    place.get_object().erase("stranger");
  });
}

template <class Decode>
void expect_refused(const char* text, Decode decode, const std::string& pointer) {
  expect_corrupt(decode(bj::parse(text)), pointer);
}

TEST(Codec, NumbersOutOfRangeAreCorrupt) {
  const auto key = [](const bj::value& value) { return RowDecoder::decode<AttemptKey>("key", value); };
  EXPECT_TRUE(key(bj::parse(R"({"job":18446744073709551615,"number":2147483647})")));
  expect_refused(R"({"job":-1,"number":1})", key, "/job");
  expect_refused(R"({"job":1,"number":2147483648})", key, "/number");
  expect_refused(R"({"job":1,"number":-2147483649})", key, "/number");
  expect_refused(R"({"job":1,"number":18446744073709551615})", key, "/number");
  expect_refused(R"({"job":1.0,"number":1})", key, "/job");
  expect_refused(R"({"job":"1","number":1})", key, "/job");
}

TEST(Codec, UnknownNamesAreCorrupt) {
  const auto replaced = [](bj::value value, std::string_view field, const char* text) {
    value.get_object()[field] = text;
    return value;
  };
  Random random(1);
  const auto job = testing::random_job(random);
  expect_corrupt(decode_job(replaced(stored(job), "state", "running"), job.spec), "/state");
  expect_corrupt(decode_job(replaced(stored(job), "pending", "Bored"), job.spec), "/pending");
  expect_corrupt(decode_spec(replaced(stored(*job.spec), "launcher", "mpi")), "/launcher");
  expect_corrupt(decode_row<Cluster>(replaced(stored(Cluster{}), "managed_by", "FILE")), "/managed_by");
  expect_corrupt(decode_row<Queue>(bj::parse(R"({"name":"a","parent":"","quota":{"t4":{"tpus":{"nominal":1}}},
                                           "accepts_jobs":true,"managed_by":"api"})")),
                 "/quota/t4/tpus");
}

TEST(Codec, UnknownEventTypeIsCorrupt) {
  testing::expect_refused(decode_event("job.exploded", bj::object{}, nullptr), ErrorCode::corrupt);
}

TEST(Codec, AttemptNeedsOneStatusForEachPlacement) {
  auto attempt = full_attempt();
  attempt.tasks.emplace_back();
  expect_corrupt(decode_attempt(stored(attempt)), "/tasks");
}

TEST(Codec, SpecIdOfWhatIsNoJob) {
  expect_refused("[]", spec_id_of, "/spec_id");
  expect_refused("{}", spec_id_of, "/spec_id");
  expect_refused(R"({"spec_id":-4})", spec_id_of, "/spec_id");
}

}  // namespace

// A struct with a member that was added after rows of it had been stored.
struct Grown {
  std::int32_t first = 0;
  std::int32_t later = 7;
};
template <>
struct Fields<Grown> {
  static constexpr std::tuple list{field("first", &Grown::first), added("later", &Grown::later)};
};

namespace {

TEST(Codec, FieldAddedLaterHasItsDefaultInOldRows) {
  const auto old = RowDecoder::decode<Grown>("grown", bj::parse(R"({"first":1})"));
  ASSERT_TRUE(old);
  EXPECT_EQ(old->later, 7);
  EXPECT_EQ(RowDecoder::decode<Grown>("grown", bj::parse(R"({"first":1,"later":2})"))->later, 2);
  expect_corrupt(RowDecoder::decode<Grown>("grown", bj::parse(R"({"later":2})")), "/first");
}

}  // namespace
}  // namespace ym::json
