// One function for each kind of node, except chains (chain.cc) and operators (operators.cc).
#include <algorithm>
#include <array>

#include "base/threads/thread.h"
#include "dialect/fauna/library/display.h"
#include "dialect/fauna/library/family.h"
#include "dialect/fauna/limits.h"
#include "dialect/fauna/run/functions/closure.h"
#include "dialect/fauna/run/interpreter.h"
#include "dialect/fauna/run/weight.h"
#include "dialect/fauna/values/order.h"
#include "dialect/fauna/values/text/text.h"

namespace mayfly::fauna {
namespace {

// Upper estimate of the memory of a program's tree per byte of its text.
constexpr std::size_t bytes_of_text_byte = 96;

// A null that is bound to a name remembers its expression, for the message if it is used.
FqlValue kept_null(FqlValue value, const Program& program, const Expression& from) {
  if (!value.is_null()) return value;
  const NullValue& null = value.null();
  if (null.detail && null.detail->source) return value;
  return NullValue{null.cause, std::make_shared<const NullDetail>(NullDetail{
                                   .field = null.detail ? null.detail->field : std::string(),
                                   .source = program.source,
                                   .begin = from.span.begin,
                                   .end = from.span.end})};
}

// Lambdas in cursors may also come from functions.
bool is_of_function(const Source& source) {
  return source.name.starts_with("*udf:") || source.name == "*cursor*";
}

constexpr std::size_t small_frame_size = 6;  // parameters, captures and lets of a lambda

}  // namespace

Interpreter::Interpreter(const QueryEnvironment& environment, View& view, Transaction* transaction,
                         Meter meter)
    : Run(view.now(), std::move(meter)),
      environment_(environment),
      transaction_(transaction),
      reading_(view, environment.database_id, environment.cached_schema),
      permissions_(*this, environment.principal) {}

Interpreter::~Interpreter() = default;

Result<FqlValue> Interpreter::run(const ProgramPtr& program, std::vector<FqlValue> values) {
  for (const FqlValue& value : values) TRY(count_copy(*this, value));
  query_program_ = program;
  program_ = &query_program_;
  return run_separate(program, std::move(values));
}

Result<FqlValue> Interpreter::run_separate(const ProgramPtr& program,
                                           std::vector<FqlValue> values) {
  TRY(make_values(program->frame_size));
  values.resize(program->frame_size);
  const ProgramPtr* const outer_program = std::exchange(program_, &program);
  auto value = evaluate(*program->root, values);
  program_ = outer_program;
  return value;
}

ProgramPtr Interpreter::parsed(const std::string& key) const {
  const auto found = parsed_programs_.find(key);
  return found == parsed_programs_.end() ? nullptr : found->second;
}

Result<void> Interpreter::keep_parsed(const std::string& key, const ProgramPtr& program) {
  TRY(make(key.size() + program->source->text.size() * bytes_of_text_byte));
  parsed_programs_.emplace(key, program);
  return {};
}

Result<void> Interpreter::keep_parsed(const ProgramPtr& program) {
  if (!definition_programs_.insert(program).second) return {};
  return make(program->source->text.size() * bytes_of_text_byte);
}

std::vector<ProgramPtr> Interpreter::programs() const {
  std::vector<ProgramPtr> all{query_program_};
  for (const auto& [key, program] : parsed_programs_) all.push_back(program);
  all.insert(all.end(), definition_programs_.begin(), definition_programs_.end());
  return all;
}

std::vector<const Source*> Interpreter::unreadable_sources() {
  std::vector<const Source*> found;
  for (const ProgramPtr& program : programs()) {
    if (program && is_of_function(*program->source)) found.push_back(program->source.get());
  }
  if (found.empty()) return found;
  const auto of = collection("Function");
  const auto reading = of ? permissions_.reading(**of, std::nullopt) : tl::unexpected(of.error());
  if (reading && reading->is_always) found.clear();
  return found;
}

Result<FqlValue> Interpreter::evaluate(const Expression& expression, Frame frame) {
  if (stack_left() < limits::fql_stack_left_min) [[unlikely]]
    return fail_stack_overflow();
  TRY(meter().tick());
  auto value = std::visit([&](const auto& node) { return of(node, frame); }, expression.node);
  if (value && value->depth() > limits::fql_value_depth_max) [[unlikely]]
    value = tl::unexpected<Error>(check_depth(*value).error());
  if (!value) locate(expression.span);
  return value;
}

// The first span of the trace is the place of the failure; then follow the enclosing calls.
void Interpreter::locate(Span span) {
  if (!failure() || (!trace_.empty() && !is_call_open_)) return;
  if (trace_.size() <= limits::diagnostic_frames_max) trace_.push_back(span);
  is_call_open_ = false;
}

void Interpreter::forget_failure() {
  Run::forget_failure();
  trace_.clear();
  is_call_open_ = false;
}

void Interpreter::add_log(Severity severity, std::string text) {
  const bool is_of_query = query_program_ && query_program_->source.get() == call_site_.source;
  if (!is_of_query && !environment_.principal.has_all_rights()) return;
  logs.add(render(Diagnostic{severity, std::move(text), call_site_}));
}

void Interpreter::log_display(std::string text) {
  add_log(Severity::log, std::move(text));
}

void Interpreter::log_debug(std::string text) {
  add_log(Severity::info, std::move(text));
}

Result<std::vector<FqlValue>> Interpreter::evaluate_all(const ExpressionList& list, Frame frame) {
  std::vector<FqlValue> values;
  TRY(make_values(list.size()));
  values.reserve(list.size());
  for (const ExpressionPtr& item : list) values.push_back(TRY(evaluate(*item, frame)));
  return values;
}

Result<FqlValue> Interpreter::of(const Literal& literal, Frame) {
  return std::visit(
      [](const auto& value) -> FqlValue {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, std::monostate>) return nullptr;
        if constexpr (std::is_same_v<T, std::int32_t>) return Whole{value, false};
        if constexpr (std::is_same_v<T, std::int64_t>) return Whole{value, true};
        if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, double> ||
                      std::is_same_v<T, std::string>) {
          return value;
        }
      },
      literal.value);
}

Result<FqlValue> Interpreter::of(const TextTemplate& text, Frame frame) {
  std::string made;
  for (const auto& part : text.parts) {
    if (const auto* plain = std::get_if<std::string>(&part)) {
      made += *plain;
    } else {
      const FqlValue value = TRY(evaluate(*std::get<ExpressionPtr>(part), frame));
      made += TRY(display(*this, value));
    }
    TRY(check_growing_text(made.size()));
  }
  TRY(check_text(made.size()));
  return FqlValue(std::move(made));
}

Result<FqlValue> Interpreter::of(const ObjectOf& object, Frame frame) {
  FqlObject made;
  TRY(make_values(2 * object.fields.size()));
  for (const ObjectField& field : object.fields) {
    made.append(field.name, TRY(evaluate(*field.value, frame)));
  }
  return make_object(*this, std::move(made));
}

Result<FqlValue> Interpreter::of(const ArrayOf& array, Frame frame) {
  std::vector<FqlValue> items = TRY(evaluate_all(array.items, frame));
  return make_array(*this, std::move(items));
}

Result<FqlValue> Interpreter::of(const Block& block, Frame frame) {
  FqlValue last;
  for (const auto& statement : block.statements) {
    if (const auto* let = std::get_if<Let>(&statement)) {
      frame[let->slot] = kept_null(TRY(evaluate(*let->value, frame)), **program_, *let->value);
    } else {
      last = TRY(evaluate(*std::get<ExpressionPtr>(statement), frame));
    }
  }
  return last;
}

Result<FqlValue> Interpreter::of(const If& condition, Frame frame) {
  const FqlValue condition_value = TRY(evaluate(*condition.condition, frame));
  const auto is_so = boolean(condition_value);
  if (!is_so) locate(condition.condition->span);
  if (TRY(is_so)) return evaluate(*condition.yes, frame);
  return condition.no ? evaluate(*condition.no, frame) : Result<FqlValue>(nullptr);
}

Result<std::optional<Instant>> Interpreter::instant_of(const FqlValue& time) {
  if (time.is(FqlKind::transaction_time)) return std::nullopt;
  if (!time.is(FqlKind::time)) {
    return fail("type_mismatch", "expected type: Time, received " + type_name(time));
  }
  if (time.time() > now()) {
    return fail_argument("at_time", "cannot evaluate `at` in the future");
  }
  if (time.time() == now()) return std::nullopt;
  // Rounded down to the microsecond, so that documents written at that time exist.
  const FqlTime t = time.time();
  return FqlTime{t.seconds, t.nanos - t.nanos % 1'000}.instant();
}

Result<FqlValue> Interpreter::of(const At& at, Frame frame) {
  const FqlValue time = TRY(evaluate(*at.time, frame));
  const auto instant = instant_of(time);
  if (!instant) locate(at.time->span);
  const AsOf as_of(*this, TRY(instant));
  return evaluate(*at.body, frame);
}

Result<FqlValue> Interpreter::of(const Lambda& lambda, Frame frame) {
  TRY(meter().tick(static_cast<std::uint32_t>(lambda.captures.size())));
  TRY(make(sizeof(Closure) + lambda.captures.size() * sizeof(FqlValue)));
  std::vector<FqlValue> captured;
  captured.reserve(lambda.captures.size());
  for (const Capture& capture : lambda.captures) captured.push_back(frame[capture.from]);
  FqlValue made(std::shared_ptr<const Callable>(std::make_shared<const Closure>(
      *program_, lambda, lambda.body->span, std::move(captured), at_)));
  TRY(check_depth(made));
  return made;
}

Result<FqlValue> Interpreter::of(const Variable& variable, Frame frame) {
  if (variable.slot) return frame[*variable.slot];
  return global(variable.name);
}

Result<FqlValue> Interpreter::of(const Projection& projection, Frame frame) {
  const FqlValue value = TRY(evaluate(*projection.of, frame));
  const FqlValue element = TRY(evaluate(*projection.element, frame));
  return project(value, element.function());
}

// --- closures ---

Arity Closure::arity() const {
  const std::size_t count = lambda_.parameters.size();
  if (lambda_.is_variadic) return {count - 1, Arity::any};
  return {count, count};
}

std::uint16_t Closure::depth() const {
  std::uint16_t deepest = 0;
  for (const FqlValue& value : captured_) deepest = std::max(deepest, value.depth());
  return deepest;
}

Result<FqlValue> Closure::call(Run& run, std::span<const FqlValue> arguments) const {
  return interpreter(run).call_closure(*this, arguments);
}

bool Interpreter::is_of_query(const Closure& closure) const {
  return closure.program() == query_program_ || query_programs_.contains(closure.program());
}

void Interpreter::mark_of_query(const Closure& closure) {
  query_programs_.insert(closure.program());
}

Result<FqlValue> Interpreter::call_closure(const Closure& closure,
                                           std::span<const FqlValue> arguments) {
  const Lambda& lambda = closure.lambda();
  TRY(make_values(lambda.frame_size));
  TRY(meter().tick(lambda.frame_size));
  // Most frames are small.
  std::array<FqlValue, small_frame_size> small;
  std::vector<FqlValue> large;
  if (lambda.frame_size > small.size()) large.resize(lambda.frame_size);
  const Frame frame = large.empty() ? Frame(small).first(lambda.frame_size) : Frame(large);
  const std::size_t named = lambda.parameters.size() - (lambda.is_variadic ? 1 : 0);
  std::copy_n(arguments.begin(), named, frame.begin());
  if (lambda.is_variadic) {
    frame[named] = TRY(make_array(
        *this, FqlArray(arguments.begin() + static_cast<std::ptrdiff_t>(named), arguments.end())));
  }
  for (std::size_t i = 0; i < lambda.captures.size(); ++i) {
    frame[lambda.captures[i].to] = closure.captured()[i];
  }
  const AsOf as_of(*this, closure.at() ? closure.at() : at_);
  const ProgramPtr* const outer_program = std::exchange(program_, &closure.program());
  const Permissions::OwnRightsScope own(permissions_, is_of_query(closure));
  auto value = evaluate(*lambda.body, frame);
  // Short lambdas are part of the enclosing expression.
  is_call_open_ =
      !value && (lambda.form == Lambda::Form::written || *outer_program != closure.program());
  program_ = outer_program;
  return value;
}

}  // namespace mayfly::fauna
