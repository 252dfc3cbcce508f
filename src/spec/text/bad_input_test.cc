// What a job spec has to withstand, by the numbers of docs/design/0005-bad-inputs.md.
#include "spec/testing/support.h"

namespace ym::spec {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string repeat(std::string_view text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

TEST(BadInput, B1EmptyBody) {
  const std::string empty = "there is no job in this text; write at least `run: [program, argument]`";
  for (const std::string_view text : {"", "\n\n", "# only a comment\n", "---\n---\n", "null"})
    EXPECT_EQ(message(parse_job_yaml(text, kHome)), empty) << text;
  for (const std::string_view text : {"", " \n", "null"}) EXPECT_EQ(message(parse_job_json(text, kHome)), empty);
  EXPECT_EQ(message(job("{}")), "/run: is missing; write what to run, for example [python, train.py] (line 1)");
  EXPECT_EQ(message(parse_job_json("{}", kHome)),
            "/run: is missing; write what to run, for example [python, train.py]");
}

TEST(BadInput, B2InvalidUtf8AndNul) {
  for (const std::string_view bad : {"\xFF", "\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82"})
    EXPECT_EQ(message(job("run: [a" + std::string(bad) + "]")), "the text is not valid UTF-8");
  EXPECT_EQ(message(job(std::string_view("run: [a\0b]", 10))), "the text has a NUL byte; write plain UTF-8 text");
  EXPECT_EQ(message(job("run: [\"a\\0b\"]")), "line 1: a text has a NUL character");
  EXPECT_EQ(message(parse_job_json(R"({"run":["a\u0000b"]})", kHome)), "a text has a NUL character");
  EXPECT_EQ(message(parse_job_json("{\"run\":[\"a\xFF\"]}", kHome)), "the text is not valid UTF-8");
}

TEST(BadInput, B3AliasBomb) {
  std::string bomb = "a0: &a0 [x]\n";
  for (int i = 1; i < 10; ++i) bomb += fmt::format("a{}: &a{} [{}]\n", i, i, repeat(fmt::format("*a{},", i - 1), 9));
  EXPECT_EQ(message(job(bomb)), "line 1: YAML anchors (&name) are not allowed");
  EXPECT_EQ(message(job("run: *x")), "line 1: not valid YAML: the referenced anchor is not defined");
  EXPECT_EQ(message(job("run: !!str x")), "line 1: YAML tags (!name) are not allowed");
  EXPECT_EQ(message(job("run: !python/object:os.system [x]")), "line 1: YAML tags (!name) are not allowed");
}

TEST(BadInput, B4Nesting) {
  EXPECT_THAT(message(job(repeat("[", 10'000) + repeat("]", 10'000))), HasSubstr("nested deeper than 64 levels"));
  EXPECT_THAT(message(job(repeat("[", 10'000))), StartsWith("line 1: "));
  EXPECT_THAT(message(job(repeat("{a: ", 10'000) + repeat("}", 10'000))), HasSubstr("nested deeper than 64 levels"));
  EXPECT_THAT(message(job(repeat("{a: ", 10'000))), StartsWith("line 1: "));
  EXPECT_THAT(message(job(repeat("- ", 10'000))), HasSubstr("nested deeper than 64 levels"));
  EXPECT_THAT(message(job(repeat("? ", 10'000))), StartsWith("line "));
  EXPECT_THAT(message(parse_job_json(repeat("[", 10'000), kHome)), HasSubstr("nested deeper than 64 levels"));
  EXPECT_THAT(message(parse_job_json(repeat("{\"a\":", 10'000), kHome)), HasSubstr("nested deeper than 64 levels"));
}

TEST(BadInput, B5DuplicateKeys) {
  EXPECT_EQ(message(job("run: [a]\nname: x\nname: y\n")), "/name: the key 'name' is given twice (line 3)");
  EXPECT_EQ(pointer(job("run: [a]\nname: x\nname: y\n")), "/name");
  EXPECT_EQ(message(parse_job_json(R"({"run":["a"],"run":["b"]})", kHome)), "/run: the key 'run' is given twice");
  EXPECT_EQ(pointer(parse_job_json(R"({"run":["a"],"env":{"A":1,"A":2}})", kHome)), "/env/A");
  EXPECT_EQ(pointer(parse_job_yaml("run: [a]\n---\nrun: [b]\nenv: {A/B: 1, A/B: 2}\n", kHome)), "/1/env/A~1B");
  EXPECT_EQ(pointer(parse_job_yaml("{run: [a], run: [b]}\n---\nrun: [b]\n", kHome)), "/0/run");
}

TEST(BadInput, B6UnknownKeys) {
  EXPECT_EQ(message(with("resources: {gpu: 1}")), "/resources/gpu: unknown key 'gpu'; did you mean 'gpus'? (line 2)");
  EXPECT_EQ(message(with("time-limit: 1h")),
            "/time-limit: unknown key 'time-limit'; did you mean 'time_limit'? (line 2)");
  EXPECT_EQ(
      message(with("resources: {colour: red}")),
      "/resources/colour: unknown key 'colour'; known: gpus, gpu_share, mig, gpu_memory, cpus, memory, shm (line 2)");
  EXPECT_EQ(message(with("\"\\e[31mx\\n\": 1")).substr(0, 34), "/?[31mx?: unknown key '\\x1b[31mx\\x");
}

TEST(BadInput, B7Gpus) {
  const std::string range = "; write a whole number from 0 to 64 (line 2)";
  EXPECT_EQ(message(with("resources: {gpus: -1}")), "/resources/gpus: -1 is out of range" + range);
  EXPECT_EQ(message(with("resources: {gpus: 0.5}")), "/resources/gpus: 0.5 is not a whole number" + range);
  EXPECT_EQ(message(with("resources: {gpus: 9223372036854775808}")),
            "/resources/gpus: 9223372036854775808 is out of range" + range);
  EXPECT_EQ(message(with("resources: {gpus: .nan}")), "/resources/gpus: .nan is not a whole number" + range);
  EXPECT_EQ(message(with("resources: {gpus: 65}")), "/resources/gpus: 65 is out of range" + range);
  EXPECT_EQ(message(with("resources: {gpus: 010}")),
            "/resources/gpus: 010 is not a number without leading zeros" + range);
  EXPECT_EQ(
      message(with("resources: {gpus: NaN}")),
      "/resources/gpus: 'NaN' is not a number of GPUs; write a whole number such as 2, or a type and a number such "
      "as \"t4:2\" (line 2)");
  for (const std::string_view bad : {"t4", "t4:", ":2", "t4:0.5", "t4:2x", "'../t4:1'", "24GB+:1", "a:1 | b"})
    EXPECT_THAT(message(with("resources: {gpus: \"" + std::string(bad) + "\"}")), HasSubstr("is not a number of GPUs"));
  EXPECT_EQ(message(with("resources: {gpus: 't4:-1'}")), "/resources/gpus: -1 is out of range" + range);
  EXPECT_THAT(message(parse_job_json(R"({"run":["a"],"resources":{"gpus":NaN}})", kHome)),
              StartsWith("not valid JSON"));
  EXPECT_EQ(message(parse_job_json(R"({"run":["a"],"resources":{"gpus":9223372036854775808}})", kHome)),
            "/resources/gpus: 9223372036854775808 is out of range; write a whole number from 0 to 64");
}

TEST(BadInput, B8NodesTimesResources) {
  EXPECT_EQ(message(with("nodes: 0")), "/nodes: 0 is out of range; write a whole number from 1 to 10000 (line 2)");
  EXPECT_EQ(message(with("nodes: 10001")),
            "/nodes: 10001 is out of range; write a whole number from 1 to 10000 (line 2)");
  EXPECT_EQ(message(with("nodes: {min: 4, max: 2}")), "/nodes/min: 4 is more than max, which is 2 (line 2)");
  EXPECT_EQ(message(with("nodes: {min: 2}")),
            "/nodes/max: is missing; write the largest number of nodes, for example {min: 2, max: 4} (line 2)");
  EXPECT_EQ(message(with("nodes: {max: 2}")),
            "/nodes/min: is missing; write the smallest number of nodes, for example {min: 2, max: 4} (line 2)");
  EXPECT_EQ(message(with("nodes: {min: 0, max: 2}")),
            "/nodes/min: 0 is out of range; write a whole number from 1 to 10000 (line 2)");
  EXPECT_EQ(message(with("nodes: {min: 1, max: 10001}")),
            "/nodes/max: 10001 is out of range; write a whole number from 1 to 10000 (line 2)");
  EXPECT_EQ(message(with("nodes: {min: 1, max: 2, most: 3}")),
            "/nodes/most: unknown key 'most'; known: min, max (line 2)");
  EXPECT_THAT(message(with("nodes: {min: 1, max: 10000}\nresources: {memory: 1024TiB}")),
              HasSubstr("than can be counted (at most 8PiB"));
  EXPECT_EQ(with("nodes: 10000\nresources: {gpus: 64}")->total()[ResourceKind::gpus], 640'000'000);
  EXPECT_THAT(message(with("nodes: 10000\nresources: {memory: 1024TiB}")),
              HasSubstr("than can be counted (at most 8PiB"));
  EXPECT_THAT(message(with("resources: {memory: 9999999999TiB}")), HasSubstr("is not a size"));
  EXPECT_THAT(message(with("resources: {cpus: -1}")),
              StartsWith("/resources/cpus: '-1' is not an amount; write for example 4, 0.5 or 500m"));
}

TEST(BadInput, B10TimeLimit) {
  const std::string range = " is out of range; write 1ms to 365d (line 2)";
  EXPECT_EQ(message(with("time_limit: 0")), "/time_limit: '0'" + range);
  EXPECT_EQ(message(with("time_limit: 3650d")), "/time_limit: '3650d'" + range);
  EXPECT_EQ(message(with("time_limit: 10 years")),
            "/time_limit: '10 years' is not a duration; write for example 90s, 15m, 1h30m or 2d (line 2)");
  EXPECT_THAT(message(with("time_limit: -5")), HasSubstr("'-5' is not a duration"));
}

TEST(BadInput, B15Names) {
  for (const std::string_view bad :
       {"..", "a..b", "a/b", "-rf", ".hidden", "a\\nb", "a\\u202Eb", "", "\\u00e4", " a", "a b"}) {
    const auto text = message(with("name: \"" + std::string(bad) + "\""));
    EXPECT_THAT(text, HasSubstr("is not a name; use 1 to 63 letters, digits, '.', '_' or '-'")) << bad;
    EXPECT_EQ(text.find('\n'), std::string::npos);
  }
  EXPECT_TRUE(with("name: " + repeat("a", 63)));
  EXPECT_FALSE(with("name: " + repeat("a", 64)));
  EXPECT_THAT(message(with("name: 5")), StartsWith("/name: must be text, not a number; put it in quotes"));
  EXPECT_FALSE(with("queue: a/b"));
  EXPECT_FALSE(with("project: ../x"));
}

TEST(BadInput, B16LineBreaksWithDirectives) {
  const std::string shown = R"('x\x0a#SBATCH --uid=0')";
  const std::string no_name = shown +
                              " is not a name; use 1 to 63 letters, digits, '.', '_' or '-', beginning with a "
                              "letter or digit, without '..'";
  const std::pair<std::string, std::string> fields[] = {
      {"name: ", "/name: " + no_name},
      {"queue: ", "/queue: " + no_name},
      {"project: ", "/project: " + no_name},
      {"workdir: ", "/workdir: is not a path; write 1 to 4095 bytes without control characters"},
      {"launcher: ", "/launcher: " + shown + " is not known here; write none or torchrun"},
      {"env: {A: ", "/env/A: has a line break; the value of a variable is one line"},
      {"placement: {select: {a: ",
       "/placement/select/a: is not a label; keys and values have letters, digits and ._-/ (at most 253)"},
      {"placement: {exclude: [", "/placement/exclude/0: " + shown +
                                     " does not name nodes; write for example n1, n[1-5] or gpu[08-10],login (at most "
                                     "100000 names of letters, digits, '.', '_' and '-')"},
      {"preemption: {signal: ",
       "/preemption/signal: " + shown + " cannot be used; write one of SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2"},
      {"resources: {gpus: ", "/resources/gpus: " + shown +
                                 " is not a number of GPUs; write a whole number such as 2, or a type and a number "
                                 "such as \"t4:2\""},
      {"resources: {memory: ",
       "/resources/memory: " + shown + " is not a size; write for example 512MiB, 64GiB or 800GB"}};
  for (const auto& [field, said] : fields) {
    std::string text = field + "\"x\\n#SBATCH --uid=0\"";
    for (std::size_t i = field.size(); i-- > 0;)
      if (field[i] == '{') text += "}";
      else if (field[i] == '[') text += "]";
    EXPECT_EQ(message(with(text)), said + " (line 2)") << text;
  }
}

TEST(BadInput, B17ShellCharactersAreText) {
  const auto spec = job("run: [echo, \"$(id)\", '`id`', '; rm -rf /']\nenv: {A: '$(id)'}\n");
  ASSERT_TRUE(spec) << message(spec);
  EXPECT_THAT(spec->run.words, testing::ElementsAre("echo", "$(id)", "`id`", "; rm -rf /"));
  EXPECT_EQ(spec->env.at("A"), "$(id)");
}

TEST(BadInput, B18Environment) {
  EXPECT_EQ(message(with("env: {SLURM_JOB_ID: 1}")),
            "/env/SLURM_JOB_ID: SLURM_ variables cannot be set: programs would take them for variables of a Slurm job "
            "(line 2)");
  EXPECT_EQ(message(with("env: {YM_TOKEN: x}")),
            "/env/YM_TOKEN: YM_ variables cannot be set: Yardmaster sets them (line 2)");
  EXPECT_EQ(message(with("env: {A: \"secret\\nB\"}")),
            "/env/A: has a line break; the value of a variable is one line (line 2)");
  EXPECT_EQ(message(with("env: {A: }")),
            "/env/A: has no value; taking variables from the submitter's environment is not offered yet, write the "
            "value (line 2)");
  EXPECT_THAT(message(with("env: {'A=B': x}")), HasSubstr("'A=B' is not the name of a variable"));
  EXPECT_THAT(message(with("env: {1A: x}")), HasSubstr("'1A' is not the name of a variable"));
  EXPECT_THAT(message(with("env: {A: '" + repeat("x", 131'000) + "', B: '" + repeat("x", 100) + "'}")),
              HasSubstr("at most 131072 are allowed"));
  EXPECT_EQ(with("env: {LD_PRELOAD: /x.so}")->env.at("LD_PRELOAD"), "/x.so");
}

TEST(BadInput, B21Arguments) {
  EXPECT_THAT(message(job("run: [" + repeat("a,", 50'000) + "]")),
              StartsWith("/run: has 50000 words; at most 4096 are allowed"));
  EXPECT_EQ(message(job("run: [" + repeat("a,", 100'000) + "]")), "/run: more than 100000 values in one text (line 1)");
  EXPECT_EQ(pointer(job("run: [" + repeat("a,", 100'000) + "]")), "/run");
  EXPECT_THAT(message(job("run: [a, " + repeat("x", 131'072) + "]")),
              StartsWith("/run/1: is 131072 bytes long; one argument may have at most 131071"));
  EXPECT_THAT(message(job("run: [" + repeat(repeat("x", 100'000) + ",", 3) + "]")),
              StartsWith("/run: has 300000 bytes; at most 262144 are allowed"));
  EXPECT_EQ(message(job("run: [" + repeat("x", 1 << 20) + "]")), "the text is longer than 1 MiB (1048576 bytes)");
  EXPECT_EQ(job("run: [" + repeat("x", 1 << 20) + "]").error().code, ErrorCode::too_large);
  EXPECT_EQ(message(job("run: []")), "/run: is empty; write the program and its arguments (line 1)");
  EXPECT_EQ(message(job("run: ['']")), "/run/0: is empty; the first word is the program (line 1)");
  EXPECT_EQ(message(job("run: ' '")), "/run: is empty; write what to run (line 1)");
  EXPECT_EQ(message(job("run: [a, null]")), "/run/1: must be text or a number, not nothing (line 1)");
}

TEST(BadInput, B22Retries) {
  EXPECT_EQ(message(with("retry: {error: {max: 1000000000}}")),
            "/retry/error/max: 1000000000 is out of range; write a whole number from 0 to 1000 (line 2)");
  EXPECT_EQ(message(with("retry: {backoff: 0}")), "/retry/backoff: '0' is out of range; write 100ms to 1h (line 2)");
  EXPECT_EQ(message(with("retry: {backoff: 10s, backoff_max: 5s}")),
            "/retry/backoff_max: is less than backoff, which is 10s (line 2)");
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
  EXPECT_EQ(message(with("preemption: {signal: SIGKILL}")),
            "/preemption/signal: 'SIGKILL' cannot be used; write one of SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2 "
            "(line 2)");
  EXPECT_FALSE(with("preemption: {grace: 61m}"));
  EXPECT_EQ(message(with("launcher: mpirun")),
            "/launcher: 'mpirun' is not known here; write none or torchrun (line 2)");
  EXPECT_EQ(message(with("resources: 5")), "/resources: must be a map of keys and values, not a number (line 2)");
  EXPECT_THAT(message(with("resources: {memory: lots}")), StartsWith("/resources/memory: 'lots' is not a size"));
}

}  // namespace
}  // namespace ym::spec
