// What the renderers of both versions write in the same way. Private to the folder.
#pragma once

#include <string_view>

#include "dialect/kuzzle/generations/generation.h"
#include "dialect/kuzzle/generations/outcomes.h"
#include "dialect/kuzzle/realtime/notification.h"
#include "value/json/writer.h"

namespace mayfly::kuzzle {

// The member `_shards`: there is one, and it never fails.
inline constexpr std::string_view one_shard = R"({"total":1,"successful":1,"failed":0})";

// Members: `result`, `created` and `status` of one of several written documents.
void render_write_result(const WrittenItem& item, JsonWriter& json);
// Members: `_source` and `_meta` of a hit.
void render_hit_source(const FoundHit& found, const Generation& generation, JsonWriter& json);
// The members after the hits: aggregations, and the scroll's id.
void render_search_rest(const FoundHits& found, const Generation& generation, JsonWriter& json);
// A score, or null.
void render_score(const std::optional<double>& score, JsonWriter& json);
// The member `_updatedFields` of a notification, if it has one.
void add_changed_fields(const realtime::NotifiedDocument& notified, const Generation& generation,
                        Object& result);

}  // namespace mayfly::kuzzle
