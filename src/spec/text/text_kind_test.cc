#include "spec/text/text_kind.h"

#include "spec/testing/support.h"

namespace ym::spec {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(TextKind, ABinaryFileIsNamedAsWhatItIs) {
  using namespace std::string_view_literals;
  const std::vector<std::pair<std::string_view, std::string>> files{{"\x89PNG\r\n\x1A\n\0\0"sv, "PNG image"},
                                                                    {"\xFF\xD8\xFF\xE0\0"sv, "JPEG image"},
                                                                    {"\x7F"
                                                                     "ELF\x02\0"sv,
                                                                     "program"},
                                                                    {"PK\x03\x04\0"sv, "ZIP archive"},
                                                                    {"\x1F\x8B\x08\0"sv, "gzip"},
                                                                    {"\xFF\xFEr\0u\0n\0"sv, "UTF-16"}};
  for (const auto& [bytes, name] : files) {
    EXPECT_THAT(message(job(bytes)), HasSubstr(name));
    EXPECT_THAT(message(parse_job_json(bytes, kHome)), HasSubstr(name));
    EXPECT_THAT(message(parse_configuration(bytes)), HasSubstr(name));
    EXPECT_EQ(job(bytes).error().code, ErrorCode::invalid);
  }
  EXPECT_FALSE(binary_kind("run: [a]\n"));
}

TEST(TextKind, WhatIsNoTextIsSaidWithItsLine) {
  EXPECT_THAT(message(job(std::string_view("run: [a]\nname: \0\n", 17))), HasSubstr("(line 2)"));
  EXPECT_THAT(message(job("run: [a]\n\nname: \xFF\n")), HasSubstr("(line 3)"));
}

TEST(TextKind, AProgramInPlaceOfAJobFileIsNamedWhetherOrNotItIsYaml) {
  for (const auto text : {"import torch\nimport os\n", "# Trains.\nfrom torch import nn\nx = {1: 2}\n",
                          "#!/usr/bin/env python3\nmain()\n", "def f():\n    return 1\n"})
    EXPECT_THAT(message(job(text)), HasSubstr("a Python program")) << text;
  EXPECT_THAT(message(job("#!/bin/bash\nset -e\npython train.py\n")), HasSubstr("a shell script"));
  EXPECT_THAT(message(job("#!/bin/bash\n#SBATCH --nodes=2\nsrun python train.py\n")), HasSubstr("ym convert"));
  EXPECT_THAT(message(parse_configuration("import torch\nimport os\n")), HasSubstr("a Python program"));
  // A root that is wrong is a field, and said once.
  const auto scalar = job("import torch\nimport os\n");
  ASSERT_EQ(scalar.error().fields.size(), 1u);
  EXPECT_EQ(pointer(scalar), "");
}

TEST(TextKind, AJobFileMayBeginAsAScriptDoes) {
  EXPECT_TRUE(job("#!/usr/bin/env -S ym submit\nrun: [a]\n"));
  EXPECT_TRUE(job("#!/bin/bash\nrun: [a]\n"));
  EXPECT_EQ(program_kind("import: 1\n"), std::nullopt);
  EXPECT_EQ(program_kind("from: 1\n"), std::nullopt);
  EXPECT_EQ(program_kind(""), std::nullopt);
}

TEST(TextKind, ATabInTheIndentationIsNamed) {
  const std::vector<std::pair<std::string_view, std::string>> files{{"run: [a]\nenv:\n\tA: 1\n", "line 3: "},
                                                                    {"run: [a]\nenv:\n \tA: 1\n", "line 3: "},
                                                                    {"run: [a]\nenv:\n  A: 1\n\tB: 2\n", "line 4: "}};
  for (const auto& [text, line] : files) {
    EXPECT_THAT(message(job(text)), StartsWith(line));
    EXPECT_THAT(message(job(text)), HasSubstr("a tab indents"));
  }
  EXPECT_TRUE(job("run: [a,\n\tb]\n")) << "within brackets a tab indents nothing";
  EXPECT_TRUE(job("run: |\n  a:\n  \tb\n")) << "nor behind the indentation of a block of text";
}

TEST(TextKind, JsonLinesAreNamed) {
  const auto said = message(job("{\"run\": [\"a\"]}\n{\"run\": [\"b\"]}\n"));
  EXPECT_THAT(said, StartsWith("line 2: "));
  EXPECT_THAT(said, HasSubstr("JSON lines"));
  EXPECT_THAT(message(parse_job_json("{\"run\": [\"a\"]}\n{\"run\": [\"b\"]}\n", kHome)), HasSubstr("JSON lines"));
}

TEST(TextKind, AListOfJobsSaysHowToWriteSeveral) {
  const auto refused = job("- run: [a]\n- run: [b]\n");
  EXPECT_THAT(message(refused), HasSubstr("---"));
  EXPECT_EQ(refused.error().fields.size(), 1u);
}

}  // namespace
}  // namespace ym::spec
