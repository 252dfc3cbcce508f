// Files that are part of the program.
#pragma once

#include <string_view>

namespace ym::sim {

std::string_view chart_library();  // Chart.js, minified
std::string_view page_frame();     // page.html
std::string_view page_script();    // page.js

}  // namespace ym::sim
