#include "model/states.h"

namespace ym {

bool is_terminal(JobState state) { return state >= JobState::succeeded; }
bool is_active(JobState state) { return state >= JobState::starting && state <= JobState::unreachable; }

}  // namespace ym
