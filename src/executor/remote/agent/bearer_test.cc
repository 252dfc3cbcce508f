#include "executor/remote/agent/bearer.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

namespace ym::remote {
namespace {

std::string shown(const Bearer& bearer) { return bearer.now().reveal(); }

TEST(BearerOfATask, TheNewestIsShownAndTheOtherWhereItIsRefused) {
  Bearer bearer{Secret{"launch"}, ""};
  EXPECT_EQ(shown(bearer), "launch");
  bearer.refused(Secret{"launch"});
  EXPECT_EQ(shown(bearer), "launch") << "there is no other";
  bearer.renew(Secret{"one"});
  EXPECT_EQ(shown(bearer), "one");
  bearer.refused(Secret{"one"});
  EXPECT_EQ(shown(bearer), "launch");
  bearer.refused(Secret{"one"});
  EXPECT_EQ(shown(bearer), "launch") << "another request has heard so before";
  bearer.refused(Secret{"launch"});
  EXPECT_EQ(shown(bearer), "one");
  bearer.refused(Secret{"one"});
  bearer.renew(Secret{"one"});
  EXPECT_EQ(shown(bearer), "launch") << "orders say the same again";
  bearer.renew(Secret{"two"});
  EXPECT_EQ(shown(bearer), "two");
}

TEST(BearerOfATask, AFileIsReadAtEachTurn) {
  std::string name = (std::filesystem::temp_directory_path() / "ym-bearer-XXXXXX").string();
  const std::filesystem::path folder = ::mkdtemp(name.data());
  const auto file = folder / "token";
  std::ofstream(file) << "one\n";
  const Bearer bearer{Secret{}, file};
  EXPECT_EQ(shown(bearer), "one");
  std::ofstream(file) << "two\r\n";
  EXPECT_EQ(shown(bearer), "two");
  std::filesystem::remove_all(folder);
  EXPECT_EQ(shown(bearer), "");
}

}  // namespace
}  // namespace ym::remote
