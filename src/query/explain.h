// EXPLAIN: a plan as text for people.
#pragma once

#include <string>

#include "query/plan.h"

namespace mayfly::query {

// The plan as indented text (render). Below each access path, it says why the path was chosen.
std::string explain(const Plan& plan);

}  // namespace mayfly::query
