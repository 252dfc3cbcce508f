// What a job spec has to withstand, by the numbers of docs/design/0005-bad-inputs.md.
#include "spec/testing/support.h"

namespace ym::spec {
namespace {

std::string repeat(std::string_view text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

TEST(BadInput, B1EmptyBody) {
  for (const std::string_view text : {"", "\n\n", "# only a comment\n", "---\n---\n", "null"})
    expect_refused(parse_job_yaml(text, kHome), ErrorCode::invalid);
  for (const std::string_view text : {"", " \n", "null"})
    expect_refused(parse_job_json(text, kHome), ErrorCode::invalid);
  expect_refused(job("{}"), ErrorCode::invalid, "/run");
  expect_refused(parse_job_json("{}", kHome), ErrorCode::invalid, "/run");
}

TEST(BadInput, B2InvalidUtf8AndNul) {
  for (const std::string_view bad : {"\xFF", "\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82"})
    expect_refused(job("run: [a" + std::string(bad) + "]"), ErrorCode::invalid);
  expect_refused(job(std::string_view("run: [a\0b]", 10)), ErrorCode::invalid);
  expect_refused(job("run: [\"a\\0b\"]"), ErrorCode::invalid);
  expect_refused(parse_job_json(R"({"run":["a\u0000b"]})", kHome), ErrorCode::invalid);
  expect_refused(parse_job_json("{\"run\":[\"a\xFF\"]}", kHome), ErrorCode::invalid);
}

TEST(BadInput, B3AliasBomb) {
  std::string bomb = "a0: &a0 [x]\n";
  for (int i = 1; i < 10; ++i) bomb += fmt::format("a{}: &a{} [{}]\n", i, i, repeat(fmt::format("*a{},", i - 1), 9));
  expect_refused(job(bomb), ErrorCode::invalid);
  expect_refused(job("run: *x"), ErrorCode::invalid);
  expect_refused(job("run: !!str x"), ErrorCode::invalid);
  expect_refused(job("run: !python/object:os.system [x]"), ErrorCode::invalid);
}

TEST(BadInput, B4Nesting) {
  expect_refused(job(repeat("[", 10'000) + repeat("]", 10'000)), ErrorCode::invalid);
  expect_refused(job(repeat("[", 10'000)), ErrorCode::invalid);
  expect_refused(job(repeat("{a: ", 10'000) + repeat("}", 10'000)), ErrorCode::invalid);
  expect_refused(job(repeat("{a: ", 10'000)), ErrorCode::invalid);
  expect_refused(job(repeat("- ", 10'000)), ErrorCode::invalid);
  expect_refused(job(repeat("? ", 10'000)), ErrorCode::invalid);
  expect_refused(parse_job_json(repeat("[", 10'000), kHome), ErrorCode::invalid);
  expect_refused(parse_job_json(repeat("{\"a\":", 10'000), kHome), ErrorCode::invalid);
}

TEST(BadInput, B5DuplicateKeys) {
  expect_refused(job("run: [a]\nname: x\nname: y\n"), ErrorCode::invalid, "/name");
  expect_refused(parse_job_json(R"({"run":["a"],"run":["b"]})", kHome), ErrorCode::invalid, "/run");
  EXPECT_EQ(pointer(parse_job_json(R"({"run":["a"],"env":{"A":1,"A":2}})", kHome)), "/env/A");
  EXPECT_EQ(pointer(parse_job_yaml("run: [a]\n---\nrun: [b]\nenv: {A/B: 1, A/B: 2}\n", kHome)), "/1/env/A~1B");
  EXPECT_EQ(pointer(parse_job_yaml("{run: [a], run: [b]}\n---\nrun: [b]\n", kHome)), "/0/run");
}

TEST(BadInput, B6UnknownKeys) {
  expect_refused(with("resources: {gpu: 1}"), ErrorCode::invalid, "/resources/gpu");
  expect_refused(with("time-limit: 1h"), ErrorCode::invalid, "/time-limit");
  expect_refused(with("resources: {colour: red}"), ErrorCode::invalid, "/resources/colour");
  expect_refused(with("\"\\e[31mx\\n\": 1"), ErrorCode::invalid, "/?[31mx?");
}

TEST(BadInput, B7Gpus) {
  expect_refused(with("resources: {gpus: -1}"), ErrorCode::invalid, "/resources/gpus");
  expect_refused(with("resources: {gpus: 0.5}"), ErrorCode::invalid, "/resources/gpus");
  expect_refused(with("resources: {gpus: 9223372036854775808}"), ErrorCode::invalid, "/resources/gpus");
  expect_refused(with("resources: {gpus: .nan}"), ErrorCode::invalid, "/resources/gpus");
  expect_refused(with("resources: {gpus: 65}"), ErrorCode::invalid, "/resources/gpus");
  expect_refused(with("resources: {gpus: 010}"), ErrorCode::invalid, "/resources/gpus");
  expect_refused(with("resources: {gpus: NaN}"), ErrorCode::invalid, "/resources/gpus");
  for (const std::string_view bad : {"t4", "t4:", ":2", "t4:0.5", "t4:2x", "'../t4:1'", "24GB+:1", "a:1 | b"})
    expect_refused(with("resources: {gpus: \"" + std::string(bad) + "\"}"), ErrorCode::invalid, "/resources/gpus");
  expect_refused(with("resources: {gpus: 't4:-1'}"), ErrorCode::invalid, "/resources/gpus");
  expect_refused(parse_job_json(R"({"run":["a"],"resources":{"gpus":NaN}})", kHome), ErrorCode::invalid);
  expect_refused(parse_job_json(R"({"run":["a"],"resources":{"gpus":9223372036854775808}})", kHome), ErrorCode::invalid,
                 "/resources/gpus");
}

TEST(BadInput, B8NodesTimesResources) {
  expect_refused(with("nodes: 0"), ErrorCode::invalid, "/nodes");
  expect_refused(with("nodes: 10001"), ErrorCode::invalid, "/nodes");
  expect_refused(with("nodes: {min: 4, max: 2}"), ErrorCode::invalid, "/nodes/min");
  expect_refused(with("nodes: {min: 2}"), ErrorCode::invalid, "/nodes/max");
  expect_refused(with("nodes: {max: 2}"), ErrorCode::invalid, "/nodes/min");
  expect_refused(with("nodes: {min: 0, max: 2}"), ErrorCode::invalid, "/nodes/min");
  expect_refused(with("nodes: {min: 1, max: 10001}"), ErrorCode::invalid, "/nodes/max");
  expect_refused(with("nodes: {min: 1, max: 2, most: 3}"), ErrorCode::invalid, "/nodes/most");
  expect_refused(with("nodes: {min: 1, max: 10000}\nresources: {memory: 1024TiB}"), ErrorCode::invalid);
  EXPECT_EQ(with("nodes: 10000\nresources: {gpus: 64}")->total()[ResourceKind::gpus], 640'000'000);
  expect_refused(with("nodes: 10000\nresources: {memory: 1024TiB}"), ErrorCode::invalid);
  expect_refused(with("resources: {memory: 9999999999TiB}"), ErrorCode::invalid, "/resources/memory");
  expect_refused(with("resources: {cpus: -1}"), ErrorCode::invalid, "/resources/cpus");
}

TEST(BadInput, B10TimeLimit) {
  expect_refused(with("time_limit: 0"), ErrorCode::invalid, "/time_limit");
  expect_refused(with("time_limit: 3650d"), ErrorCode::invalid, "/time_limit");
  expect_refused(with("time_limit: 10 years"), ErrorCode::invalid, "/time_limit");
  expect_refused(with("time_limit: -5"), ErrorCode::invalid, "/time_limit");
}

TEST(BadInput, B15Names) {
  for (const std::string_view bad :
       {"..", "a..b", "a/b", "-rf", ".hidden", "a\\nb", "a\\u202Eb", "", "\\u00e4", " a", "a b"}) {
    const auto refused = with("name: \"" + std::string(bad) + "\"");
    expect_refused(refused, ErrorCode::invalid, "/name");
    EXPECT_EQ(message(refused).find('\n'), std::string::npos);
  }
  EXPECT_TRUE(with("name: " + repeat("a", 63)));
  EXPECT_FALSE(with("name: " + repeat("a", 64)));
  expect_refused(with("name: 5"), ErrorCode::invalid, "/name");
  EXPECT_FALSE(with("queue: a/b"));
  EXPECT_FALSE(with("project: ../x"));
}

TEST(BadInput, B16LineBreaksWithDirectives) {
  const std::pair<std::string, std::string_view> fields[] = {{"name: ", "/name"},
                                                             {"queue: ", "/queue"},
                                                             {"project: ", "/project"},
                                                             {"workdir: ", "/workdir"},
                                                             {"launcher: ", "/launcher"},
                                                             {"env: {A: ", "/env/A"},
                                                             {"placement: {select: {a: ", "/placement/select/a"},
                                                             {"placement: {exclude: [", "/placement/exclude/0"},
                                                             {"preemption: {signal: ", "/preemption/signal"},
                                                             {"resources: {gpus: ", "/resources/gpus"},
                                                             {"resources: {memory: ", "/resources/memory"}};
  for (const auto& [field, at] : fields) {
    std::string text = field + "\"x\\n#SBATCH --uid=0\"";
    for (std::size_t i = field.size(); i-- > 0;)
      if (field[i] == '{') text += "}";
      else if (field[i] == '[') text += "]";
    expect_refused(with(text), ErrorCode::invalid, at);
  }
}

TEST(BadInput, B17ShellCharactersAreText) {
  const auto spec = job("run: [echo, \"$(id)\", '`id`', '; rm -rf /']\nenv: {A: '$(id)'}\n");
  ASSERT_TRUE(spec) << message(spec);
  EXPECT_THAT(spec->run.words, ::testing::ElementsAre("echo", "$(id)", "`id`", "; rm -rf /"));
  EXPECT_EQ(spec->env.at("A"), "$(id)");
}

TEST(BadInput, B18Environment) {
  expect_refused(with("env: {SLURM_JOB_ID: 1}"), ErrorCode::invalid, "/env/SLURM_JOB_ID");
  expect_refused(with("env: {YM_TOKEN: x}"), ErrorCode::invalid, "/env/YM_TOKEN");
  expect_refused(with("env: {A: \"secret\\nB\"}"), ErrorCode::invalid, "/env/A");
  expect_refused(with("env: {A: }"), ErrorCode::invalid, "/env/A");
  expect_refused(with("env: {'A=B': x}"), ErrorCode::invalid, "/env/A=B");
  expect_refused(with("env: {1A: x}"), ErrorCode::invalid, "/env/1A");
  expect_refused(with("env: {A: '" + repeat("x", 131'000) + "', B: '" + repeat("x", 100) + "'}"), ErrorCode::invalid,
                 "/env");
  EXPECT_EQ(with("env: {LD_PRELOAD: /x.so}")->env.at("LD_PRELOAD"), "/x.so");
}

TEST(BadInput, B21Arguments) {
  expect_refused(job("run: [" + repeat("a,", 50'000) + "]"), ErrorCode::invalid, "/run");
  expect_refused(job("run: [" + repeat("a,", 100'000) + "]"), ErrorCode::invalid, "/run");
  expect_refused(job("run: [a, " + repeat("x", 131'072) + "]"), ErrorCode::invalid, "/run/1");
  expect_refused(job("run: [" + repeat(repeat("x", 100'000) + ",", 3) + "]"), ErrorCode::invalid, "/run");
  expect_refused(job("run: [" + repeat("x", 1 << 20) + "]"), ErrorCode::too_large);
  expect_refused(job("run: []"), ErrorCode::invalid, "/run");
  expect_refused(job("run: ['']"), ErrorCode::invalid, "/run/0");
  expect_refused(job("run: ' '"), ErrorCode::invalid, "/run");
  expect_refused(job("run: [a, null]"), ErrorCode::invalid, "/run/1");
}

TEST(BadInput, B22Retries) {
  expect_refused(with("retry: {error: {max: 1000000000}}"), ErrorCode::invalid, "/retry/error/max");
  expect_refused(with("retry: {backoff: 0}"), ErrorCode::invalid, "/retry/backoff");
  expect_refused(with("retry: {backoff: 10s, backoff_max: 5s}"), ErrorCode::invalid, "/retry/backoff_max");
  EXPECT_FALSE(with("retry: {infra: unlimited}"));
  EXPECT_FALSE(with("retry: {preempted: {max: -1}}"));
  EXPECT_EQ(with("retry: {preempted: {max: unlimited}}")->retry.preempted_max, RetryPolicy::kUnlimited);
}

TEST(BadInput, B23CarriageReturnsStayInTheProgram) {
  const auto spec = parse_job_json(R"({"run":"python x.py\r\n"})", kHome);
  ASSERT_TRUE(spec) << message(spec);
  EXPECT_EQ(spec->run.words.at(0), "python x.py\r\n");
}

TEST(BadInput, OtherBounds) {
  EXPECT_FALSE(with("priority: 101"));
  EXPECT_FALSE(with("array: 0"));
  EXPECT_FALSE(with("array: 10001"));
  expect_refused(with("preemption: {signal: SIGKILL}"), ErrorCode::invalid, "/preemption/signal");
  EXPECT_FALSE(with("preemption: {grace: 61m}"));
  expect_refused(with("launcher: mpirun"), ErrorCode::invalid, "/launcher");
  expect_refused(with("resources: 5"), ErrorCode::invalid, "/resources");
  expect_refused(with("resources: {memory: lots}"), ErrorCode::invalid, "/resources/memory");
}

}  // namespace
}  // namespace ym::spec
