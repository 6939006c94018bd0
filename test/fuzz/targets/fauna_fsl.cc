// FSL of the Fauna dialect: an accepted schema is printed, and the printed text is accepted and
// prints the same. A refusal has positions within the text and can be rendered.
#include "dialect/fauna/fsl/parser.h"
#include "dialect/fauna/fsl/print.h"
#include "dialect/fauna/limits.h"
#include "fuzz.h"
#include "value/json/tokens.h"

namespace mayfly::fuzz {
namespace {

using namespace fauna;

void check_places(const Source& source, const Diagnostics& diagnostics) {
  CHECK(!diagnostics.empty() && diagnostics.size() <= limits::fql_errors_max);
  for (const Diagnostic& diagnostic : diagnostics) {
    CHECK(diagnostic.span.source == &source);
    CHECK(diagnostic.span.begin <= diagnostic.span.end);
    CHECK(diagnostic.span.end <= source.text.size() + 1);
  }
  CHECK(render(diagnostics).starts_with("error: "));
}

std::string print(const fsl::File& file) {
  std::string out;
  for (const fsl::Item& item : file.items) out += fsl::render_item(item) + "\n";
  return out;
}

}  // namespace

void run(BytesView input) {
  if (!is_utf8(input)) return;  // which no request lets through
  const SourcePtr source = make_source("main.fsl", std::string(input));
  const auto file = fsl::parse_file(source);
  if (!file) return check_places(*source, file.error());
  const std::string once = print(*file);
  const SourcePtr again = make_source("main.fsl", once);
  const auto second = fsl::parse_file(again);
  CHECK(second.has_value());
  CHECK(print(*second) == once);
}

}  // namespace mayfly::fuzz
