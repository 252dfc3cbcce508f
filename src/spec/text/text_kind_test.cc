#include "spec/text/text_kind.h"

#include "spec/testing/support.h"

namespace ym::spec {
namespace {

TEST(TextKind, ABinaryFileIsNamedAsWhatItIs) {
  using namespace std::string_view_literals;
  // A PNG image, a JPEG image, a program, a ZIP archive, gzip, and UTF-16.
  for (const std::string_view bytes : {"\x89PNG\r\n\x1A\n\0\0"sv, "\xFF\xD8\xFF\xE0\0"sv,
                                       "\x7F"
                                       "ELF\x02\0"sv,
                                       "PK\x03\x04\0"sv, "\x1F\x8B\x08\0"sv, "\xFF\xFEr\0u\0n\0"sv}) {
    expect_refused(job(bytes), ErrorCode::invalid);
    expect_refused(parse_job_json(bytes, kHome), ErrorCode::invalid);
    expect_refused(parse_configuration(bytes), ErrorCode::invalid);
  }
  EXPECT_FALSE(binary_kind("run: [a]\n"));
}

TEST(TextKind, WhatIsNoTextIsSaidWithItsLine) {
  expect_refused(job(std::string_view("run: [a]\nname: \0\n", 17)), ErrorCode::invalid);
  expect_refused(job("run: [a]\n\nname: \xFF\n"), ErrorCode::invalid);
}

TEST(TextKind, AProgramInPlaceOfAJobFileIsNamedWhetherOrNotItIsYaml) {
  for (const auto text : {"import torch\nimport os\n", "# Trains.\nfrom torch import nn\nx = {1: 2}\n",
                          "#!/usr/bin/env python3\nmain()\n", "def f():\n    return 1\n"})
    expect_refused(job(text), ErrorCode::invalid);
  expect_refused(job("#!/bin/bash\nset -e\npython train.py\n"), ErrorCode::invalid);
  expect_refused(job("#!/bin/bash\n#SBATCH --nodes=2\nsrun python train.py\n"), ErrorCode::invalid);
  expect_refused(parse_configuration("import torch\nimport os\n"), ErrorCode::invalid);
  // A root that is wrong is a field, and said once.
  const auto scalar = job("import torch\nimport os\n");
  ASSERT_EQ(scalar.error().fields.size(), 1u);
  expect_refused(scalar, ErrorCode::invalid);
}

TEST(TextKind, AJobFileMayBeginAsAScriptDoes) {
  EXPECT_TRUE(job("#!/usr/bin/env -S ym submit\nrun: [a]\n"));
  EXPECT_TRUE(job("#!/bin/bash\nrun: [a]\n"));
  EXPECT_EQ(program_kind("import: 1\n"), std::nullopt);
  EXPECT_EQ(program_kind("from: 1\n"), std::nullopt);
  EXPECT_EQ(program_kind(""), std::nullopt);
}

TEST(TextKind, ATabInTheIndentationIsNamed) {
  for (const std::string_view text :
       {"run: [a]\nenv:\n\tA: 1\n", "run: [a]\nenv:\n \tA: 1\n", "run: [a]\nenv:\n  A: 1\n\tB: 2\n"})
    expect_refused(job(text), ErrorCode::invalid);
  EXPECT_TRUE(job("run: [a,\n\tb]\n")) << "within brackets a tab indents nothing";
  EXPECT_TRUE(job("run: |\n  a:\n  \tb\n")) << "nor behind the indentation of a block of text";
}

TEST(TextKind, JsonLinesAreNamed) {
  expect_refused(job("{\"run\": [\"a\"]}\n{\"run\": [\"b\"]}\n"), ErrorCode::invalid);
  expect_refused(parse_job_json("{\"run\": [\"a\"]}\n{\"run\": [\"b\"]}\n", kHome), ErrorCode::invalid);
}

TEST(TextKind, AListOfJobsSaysHowToWriteSeveral) {
  const auto refused = job("- run: [a]\n- run: [b]\n");
  expect_refused(refused, ErrorCode::invalid);
  EXPECT_EQ(refused.error().fields.size(), 1u);
}

}  // namespace
}  // namespace ym::spec
