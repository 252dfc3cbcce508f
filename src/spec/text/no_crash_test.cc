// No text, however broken, does anything but give a value or an error.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>

#include "base/random.h"
#include "spec/progress_report.h"
#include "spec/reservation_decoder.h"
#include "spec/testing/support.h"
#include "spec/text/text_check.h"

namespace ym::spec {
namespace {

constexpr std::array<std::string_view, 4> kSeeds{
    "name: a\nrun: [python, 'x y', \"\\n\"]\nresources: {gpus: \"t4:2\", cpus: 0.5}\nenv: {A: 1e-5}\n---\nrun: |\n  "
    "x\n",
    R"({"name":"a","run":["x","\u00e4"],"retry":{"error":{"max":3},"backoff":"5s"},"nodes":2,"array":4})",
    R"({"step":1,"metrics":{"a":0.5},"checkpoint":{"uri":"/c","durable_at":"2026-01-01T12:00:00Z"},"completed":true})",
    "clusters:\n- {name: l, nodes: [{names: 'n[1-3]', gpus: 4}]}\nqueues:\n- name: a\n  quota: {default: {gpus: 3}}\n"};
constexpr std::string_view kTokens = "{}[],:-?&*!|>'\"%@`#~ \n\t\r\\0129eE.+_aYm\x80\xFF\xEF\xBB\xBF";

// What every reader must hold: an error has a message, its fields have pointers.
template <class T>
void check(const Result<T>& result) {
  if (result) return;
  ASSERT_FALSE(result.error().message.empty());
  for (const auto& field : result.error().fields) {
    ASSERT_TRUE(field.pointer.empty() || field.pointer.front() == '/') << field.pointer;
    ASSERT_FALSE(field.message.empty());
    ASSERT_FALSE(has_control_characters(field.message)) << field.message;
  }
}

void check_all(const std::string& text) {
  check(parse_job_yaml(text, kHome));
  check(parse_job_json(text, kHome));
  check(parse_configuration(text));
  check(parse_queues(text));
  check(expand_names(text));
  check(parse_progress_report(text, Instant{1'767'268'800'000}));
  check(parse_reservation(text, Instant{1'767'268'800'000}));
}

std::string mutated(std::string text, Random& random) {
  for (std::uint64_t n = 1 + random.below(6); n > 0; --n) {
    const auto at = static_cast<std::size_t>(random.below(text.size() + 1));
    const char token = kTokens[static_cast<std::size_t>(random.below(kTokens.size()))];
    switch (random.below(4)) {
      case 0: text.insert(at, 1, token); break;
      case 1: text.erase(at, static_cast<std::size_t>(random.below(8))); break;
      case 2: text.insert(at, text.substr(0, static_cast<std::size_t>(random.below(40)))); break;
      default:
        if (at < text.size()) text[at] = token;
    }
    if (text.empty()) text = "x";
  }
  return text;
}

TEST(NoCrash, MutatedDocuments) {
  Random random(20261121);
  for (int i = 0; i < 6'000; ++i)
    check_all(mutated(std::string(kSeeds[static_cast<std::size_t>(random.below(kSeeds.size()))]), random));
}

TEST(NoCrash, RandomText) {
  Random random(7);
  for (int i = 0; i < 6'000; ++i) {
    std::string text;
    for (auto n = random.below(60); n > 0; --n) text += kTokens[static_cast<std::size_t>(random.below(kTokens.size()))];
    check_all(text);
  }
}

TEST(NoCrash, AnyBytes) {
  EXPECT_TRUE(rc::check("any bytes", [](const std::string& text) { check_all(text); }));
}

TEST(NoCrash, Utf8IsToldFromOtherBytes) {
  EXPECT_FALSE(check_text("a\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80"));
  for (const std::string_view bad : {"\x80", "\xC3", "\xC1\xBF", "\xE0\x9F\xBF", "\xF8\x88\x80\x80\x80"})
    EXPECT_TRUE(check_text(bad));
}

}  // namespace
}  // namespace ym::spec
