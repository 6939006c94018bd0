#include "dialect/kuzzle/documents/queries/hits.h"

#include "dialect/kuzzle/documents/metadata.h"
#include "value/json/json.h"

namespace mayfly::kuzzle {

std::string render_score(const std::optional<double>& score) {
  return score ? render_json(search::number_of_score(*score)) : "null";
}

Result<void> render_hit(const Call& call, const HitOrigin& origin,
                        const search::Search& parsed_search, const search::Hit& hit, Meter& meter,
                        std::string& out) {
  out += '{';
  if (!call.is_v2()) {
    render_collection_name(origin.index, origin.collection, out);
    out += ',';
  }
  if (origin.is_one_of_many && call.is_v2()) {
    out += R"("index":)";
    render_json_text(origin.index, out);
    out += R"(,"collection":)";
    render_json_text(origin.collection, out);
    out += ',';
  }
  render_id_and_version(hit.document, out);
  out += R"(,"_score":)" + render_score(hit.score);
  if (parsed_search.source.shows) out += ',';
  if (parsed_search.source.shows_all()) {
    render_source(hit.document, call.shape(), out);
  } else if (parsed_search.source.shows) {
    const Value shown = TRY(parsed_search.source.of(hit.document.body.unpack(), meter));
    render_source(shown, hit.document, call.shape(), out);
  }
  render_meta(hit.document, call.shape(), out);
  if (!hit.sort.empty()) out += R"(,"sort":)" + render_json(hit.sort);
  if (!hit.highlight.is_missing()) out += R"(,"highlight":)" + render_json(hit.highlight);
  out += '}';
  return {};
}

}  // namespace mayfly::kuzzle
