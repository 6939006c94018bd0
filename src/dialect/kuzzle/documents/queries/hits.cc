#include "dialect/kuzzle/documents/queries/hits.h"

#include "dialect/kuzzle/generations/renderer.h"

namespace mayfly::kuzzle {

Result<void> render_hit(const KuzzleCall& call, const HitOrigin& origin,
                        const search::Search& parsed_search, const search::Hit& hit, Meter& meter,
                        JsonWriter& json) {
  FoundHit found{.place = {origin.index, origin.collection},
                 .is_one_of_many = origin.is_one_of_many,
                 .hit = hit,
                 .shows_source = parsed_search.source.shows};
  if (found.shows_source && !parsed_search.source.shows_all()) {
    found.filtered_source = TRY(parsed_search.source.of(hit.document.body.unpack(), meter));
  }
  json.begin_object();
  call.renderer().hit(found, json);
  if (!hit.sort.empty()) json.member("sort", Value(hit.sort));
  if (!hit.highlight.is_missing()) json.member("highlight", hit.highlight);
  json.end_object();
  return {};
}

}  // namespace mayfly::kuzzle
