#include "study/setting.h"

#include <gtest/gtest.h>

#include "base/testing/sentences.h"
#include "study/testing/small_site.h"

namespace ym::study {
namespace {

using Values = std::vector<std::string>;

void ignore(const std::string&, const Values&) {}

sim::SiteOptions small_site() {
  SmallSite files;
  return candidates_of(files.options(), files.listener())->front().site;
}

Setting setting(std::string_view written) { return *parse_setting(written); }

TEST(Setting, HasASectionAKeyAndValues) {
  const auto whole = setting("scheduling.placement=fgd,best-fit");
  EXPECT_EQ(whole.name(), "scheduling.placement");
  EXPECT_EQ(whole.values, (Values{"fgd", "best-fit"}));
  const auto queue = setting("queues.research.order=fifo");
  EXPECT_TRUE(queue.of_queue);
  EXPECT_EQ(queue.section, "research");
  EXPECT_EQ(queue.name(), "queues.research.order");
}

TEST(Setting, OfAnotherFormIsRefused) {
  for (const auto* written :
       {"order", "order=fifo", "weather.rain=1", "scheduling.age_cap=,1h", "queues.a.b.c=1", "scheduling.x.y=1"})
    testing::expect_refused(parse_setting(written), ErrorCode::invalid);
}

TEST(Setting, ChangesTheSiteAlone) {
  auto site = small_site();
  ASSERT_TRUE(set(site, setting("scheduling.age_cap=1h"), "1h", ignore));
  EXPECT_EQ(site.settings.age_cap, hours(1));
  ASSERT_TRUE(set(site, setting("queues.research.strict=true"), "true", ignore));
  EXPECT_TRUE(site.desired.queues.front().strict);
  ASSERT_TRUE(site.desired.queues.front().quota);  // what the key does not name stays
}

// A value of an earlier version is taken, with a warning that names the setting.
TEST(Setting, OfAnEarlierVersionWarns) {
  auto site = small_site();
  Values warned;
  const auto note = [&](const std::string& name, const Values& warnings) {
    EXPECT_EQ(name, "--try scheduling.placement");
    warned.insert(warned.end(), warnings.begin(), warnings.end());
  };
  ASSERT_TRUE(set(site, setting("scheduling.placement=final-waste"), "final-waste", note));
  EXPECT_EQ(warned.size(), 1U);
}

TEST(Setting, OfAnUnknownQueueKeyOrValueIsRefused) {
  auto site = small_site();
  EXPECT_FALSE(set(site, setting("queues.b.order=fifo"), "fifo", ignore));
  EXPECT_FALSE(set(site, setting("queues.research.colour=red"), "red", ignore));
  const auto fog = set(site, setting("scheduling.placement=fog"), "fog", ignore);
  ASSERT_FALSE(fog);
  EXPECT_FALSE(fog.error().message.contains("(line "));  // the user wrote no lines
}

}  // namespace
}  // namespace ym::study
