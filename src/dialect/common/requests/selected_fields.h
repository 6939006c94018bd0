// The fields of documents that a request selects. Each part of a document is read once, however
// often the request names it.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "value/path.h"

namespace mayfly {

// Whether `path` equals `outer` or leads to a part of its value.
inline bool lies_within(const Path& path, const Path& outer) {
  return outer.steps.size() <= path.steps.size() &&
         std::equal(outer.steps.begin(), outer.steps.end(), path.steps.begin());
}

// Adds one field, so that no selected path lies within another. `path_of` gives the path of a T.
template <class T, class PathOf>
void add_selected(T field, const PathOf& path_of, std::vector<T>& selected) {
  const Path& path = path_of(field);
  const auto is_within_field = [&](const T& other) { return lies_within(path_of(other), path); };
  for (const T& other : selected) {
    if (lies_within(path, path_of(other))) return;
  }
  const auto first = std::find_if(selected.begin(), selected.end(), is_within_field);
  if (first == selected.end()) {
    selected.push_back(std::move(field));
    return;
  }
  selected.erase(std::remove_if(first + 1, selected.end(), is_within_field), selected.end());
  *first = std::move(field);
}

}  // namespace mayfly
