#include "dialect/fauna/export/export_request.h"

#include <fmt/format.h>

#include <charconv>

#include "base/crypto/crypto.h"
#include "dialect/fauna/documents/reading.h"
#include "dialect/fauna/errors.h"
#include "dialect/fauna/export/export_line.h"
#include "dialect/fauna/limits.h"
#include "dialect/fauna/schema/apply.h"
#include "dialect/fauna/values/text/times.h"
#include "value/json/json.h"

namespace mayfly::fauna {
namespace {

// The parsed parameters.
struct PageRequest {
  std::string collection;
  Instant at;
  Bytes from;  // an encoded key; empty: the first page
};

Result<PageRequest> parse_page_request(const net::Request& request) {
  PageRequest page_request;
  const std::string* const collection = request.parameter("collection");
  if (collection == nullptr) return fail(Code::invalid, "collection is missing");
  page_request.collection = *collection;
  const std::string* const at = request.parameter("at");
  const std::string micros = at == nullptr ? std::string() : *at;
  const char* const end = micros.data() + micros.size();
  const auto read = std::from_chars(micros.data(), end, page_request.at.micros);
  if (micros.empty() || read.ec != std::errc() || read.ptr != end) {
    return fail(Code::invalid, "at must be microseconds since 1970");
  }
  if (const std::string* const after = request.parameter("after")) {
    auto from = decode_base64url(*after);
    if (!from) return fail(Code::invalid, "after is the token of no page");
    page_request.from = *std::move(from);
  }
  return page_request;
}

struct ExportPage {
  Array documents;
  Array left_out;
  std::size_t bytes = 0;
  std::optional<Bytes> next;

  void add(std::string_view collection, const Document& document) {
    auto line = export_line(collection, document);
    if (line) {
      bytes += line->size();
      documents.push_back(Value(*std::move(line)));
      return;
    }
    Object one{{"id", Value(std::string(document.id))}, {"reason", Value(line.error().message)}};
    left_out.push_back(Value(std::move(one)));
  }
};

// The error if the instant is before the kept history.
Error no_longer_kept(const FqlCollection& of, Instant at) {
  const std::int64_t days = of.definition->history_days;
  const std::string kept =
      days == 0 ? std::string("15 minutes") : fmt::format("{} days and 15 minutes", days);
  return {Code::invalid,
          fmt::format("the export is of {}, and {} keeps {} of history: no further documents of "
                      "that instant can be read. Give the collection more, as by "
                      "{}.definition.update({{ history_days: {} }}), or export while the server "
                      "has less to do",
                      render_time(FqlTime::of(at)), of.name, kept, of.name, days + 1)};
}

Result<ExportPage> read_export_page(View& view, const FqlCollection& of, const Lens& lens,
                                    Bytes from) {
  ExportPage page;
  for (int scans = 0; scans < limits::exported_page_scans_max; ++scans) {
    const DocumentPage scanned = TRY(view.scan(*of.core, {.from = std::move(from)}, lens));
    for (const Document& document : scanned.documents) {
      if (page.bytes >= limits::exported_page_bytes_max) {
        page.next = Bytes(document.key);
        return page;
      }
      page.add(of.name, document);
    }
    page.next = scanned.next;
    if (!page.next) return page;
    from = *page.next;
  }
  return page;
}

Result<ExportPage> exported_page(const net::Request& request, const SharedServices& shared,
                                 const Principal& principal) {
  PageRequest page_request = TRY(parse_page_request(request));
  Database& database = shared.services.database;
  const DatabaseInfoPtr info = TRY(database_of(database, principal.database_path));
  TRY(ensure_schema_applied(database, info->id));
  View view = database.view();
  Reading reading(view, info->id);
  const FqlCollectionPtr of = TRY(reading.collection(page_request.collection));
  if (!of || of->system != nullptr) {
    return fail(Code::invalid,
                fmt::format("{} is no collection of users' documents", page_request.collection));
  }
  if (page_request.at > view.now()) return fail(Code::invalid, "at lies in the future");
  if (!of->core) return ExportPage();
  const auto lens = reading.lens(*of, page_request.at);
  if (lens) return read_export_page(view, *of, *lens, std::move(page_request.from));
  if (lens.error().field != "as_of") return tl::unexpected(lens.error());
  return tl::unexpected(no_longer_kept(*of, page_request.at));
}

}  // namespace

net::Response answer_export(const net::Request& request, const SharedServices& shared,
                            const Principal& principal) {
  auto page = exported_page(request, shared, principal);
  if (!page) return render(protocol_error(page.error()));
  Object body{{"documents", Value(std::move(page->documents))},
              {"left_out", Value(std::move(page->left_out))}};
  if (page->next) body.set("after", Value(encode_base64url(*page->next)));
  return {.content_type = "application/json;charset=utf-8",
          .body = render_json(Value(std::move(body)))};
}

}  // namespace mayfly::fauna
