#include "sim/report/embedded.h"

// The assembler includes the files. As text in a source they would take the compiler seconds.
#define YM_EMBED(name, path)                                                                         \
  asm(".section .rodata\n" #name "_begin:\n.incbin \"" path "\"\n" #name "_end:\n.byte 0\n.text\n"); \
  extern "C" const char name##_begin[];                                                              \
  extern "C" const char name##_end[];

YM_EMBED(ym_sim_chart, YM_CHART_JS)
YM_EMBED(ym_sim_page, YM_REPORT_DIR "/page.html")
YM_EMBED(ym_sim_script, YM_REPORT_DIR "/page.js")

namespace ym::sim {

std::string_view chart_library() { return {ym_sim_chart_begin, ym_sim_chart_end}; }
std::string_view page_frame() { return {ym_sim_page_begin, ym_sim_page_end}; }
std::string_view page_script() { return {ym_sim_script_begin, ym_sim_script_end}; }

}  // namespace ym::sim
