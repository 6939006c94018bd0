// FQL of the Fauna dialect: an accepted query has spans that nest and slots within their frames. A
// refusal has positions within the text and can be rendered.
//
// A `$` in the input stands for a value that was sent with the query.
#include "dialect/fauna/limits.h"
#include "dialect/fauna/syntax/parser.h"
#include "fuzz.h"
#include "value/json/tokens.h"

namespace mayfly::fuzz {
namespace {

using namespace fauna;

void check_refusal(const Source& source, const Diagnostics& diagnostics) {
  CHECK(!diagnostics.empty() && diagnostics.size() <= limits::fql_errors_max);
  for (const Diagnostic& diagnostic : diagnostics) {
    const mayfly::fauna::Span span = diagnostic.span;
    CHECK(span.source == &source && span.begin <= span.end);
    CHECK(span.begin <= source.text.size() && span.end <= source.text.size() + 1);
    CHECK(!diagnostic.message.empty());
  }
  CHECK(render(diagnostics).starts_with("error: "));
}

// A frame has this many slots; a tree lies within this span.
struct Within {
  mayfly::fauna::Span span;
  std::uint32_t frame_size;

  void check(const ExpressionPtr& tree) const {
    if (!tree) return;
    CHECK(span.begin <= tree->span.begin && tree->span.end <= span.end);
    CHECK(tree->height <= limits::fql_depth_max);
    std::visit(Within{tree->span, frame_size}, tree->node);
  }
  void check(const ExpressionList& trees) const {
    for (const ExpressionPtr& tree : trees) check(tree);
  }
  void operator()(const Literal&) const {}
  void operator()(const Variable& variable) const {
    CHECK(!variable.slot || *variable.slot < frame_size);
    CHECK(variable.slot || variable.name != hidden_parameter);
  }
  void operator()(const TextTemplate& text) const {
    for (const auto& part : text.parts) {
      if (const auto* const tree = std::get_if<ExpressionPtr>(&part)) check(*tree);
    }
  }
  void operator()(const ObjectOf& object) const {
    for (const ObjectField& field : object.fields) check(field.value);
  }
  void operator()(const ArrayOf& array) const { check(array.items); }
  void operator()(const Block& block) const {
    for (const auto& statement : block.statements) {
      const auto* const let = std::get_if<Let>(&statement);
      CHECK(let == nullptr || let->slot < frame_size);
      check(let == nullptr ? std::get<ExpressionPtr>(statement) : let->value);
    }
    CHECK(std::holds_alternative<ExpressionPtr>(block.statements.back()));
  }
  void operator()(const If& whole) const {
    check(whole.condition);
    check(whole.yes);
    check(whole.no);
  }
  void operator()(const At& whole) const {
    check(whole.time);
    check(whole.body);
  }
  void operator()(const Lambda& lambda) const {
    CHECK(lambda.frame_size >= lambda.parameters.size() + lambda.captures.size());
    for (const Capture& capture : lambda.captures) {
      CHECK(capture.from < frame_size && capture.to < lambda.frame_size);
    }
    Within{span, lambda.frame_size}.check(lambda.body);
  }
  void operator()(const Chain& chain) const {
    check(chain.receiver);
    for (const Step& step : chain.steps) {
      CHECK(span.begin <= step.span.begin && step.span.end <= span.end);
      if (const auto* const index = std::get_if<IndexStep>(&step.what)) check(index->arguments);
      if (const auto* const call = std::get_if<CallStep>(&step.what)) check(call->arguments);
      if (const auto* const method = std::get_if<MethodStep>(&step.what)) check(method->arguments);
    }
  }
  void operator()(const Unary& unary) const { check(unary.operand); }
  void operator()(const Operations& operations) const {
    check(operations.first);
    CHECK(!operations.rest.empty());
    for (const Operation& operation : operations.rest) check(operation.operand);
  }
  void operator()(const Projection& projection) const {
    check(projection.of);
    check(projection.element);
  }
};

}  // namespace

// A `$` is a value of the template.
void run(BytesView input) {
  if (!is_utf8(input)) return;  // which no request lets through
  TemplateBuilder builder("*query*");
  for (std::size_t at = 0; at < input.size();) {
    const std::size_t mark = std::min(input.find('$', at), input.size());
    if (!builder.add_text(input.substr(at, mark - at))) return;
    if (mark < input.size()) builder.add_value();
    at = mark + 1;
  }
  const Template query = std::move(builder).finish();
  const auto program = parse_query(query);
  if (!program) return check_refusal(*query.source, program.error());
  CHECK((*program)->values == query.values.size());
  const auto end = static_cast<std::uint32_t>(query.source->text.size());
  Within{{0, end, query.source.get()}, (*program)->frame_size}.check((*program)->root);
}

}  // namespace mayfly::fuzz
