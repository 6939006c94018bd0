#include "query/operators/reading/access.h"

#include <algorithm>

#include "expr/evaluation/evaluate.h"

namespace mayfly::query {
namespace {

constexpr std::size_t filtered_page_rows_min = 64;  // because a filter drops some

}  // namespace

AccessRows::AccessRows(const Access& node, Context context, Demand demand)
    : node_(node), context_(context) {
  const std::size_t least = node.residual ? filtered_page_rows_min : 1;
  page_rows_ = std::clamp(demand.rows, least, limits::store_page_rows_max);
}

void AccessRows::read_more_at_once() {
  page_rows_ = std::min(page_rows_ * 4, limits::store_page_rows_max);
}

Result<bool> AccessRows::passes(const Document& document) {
  TRY(context_.budget.meter.tick());
  if (node_.residual) {
    const DocumentScope scope(document);
    if (TRY(truth(*node_.residual, scope, context_.budget.meter)) != Truth::yes) return false;
  }
  ++context_.budget.documents_matched;
  return true;
}

void AccessRows::count_documents() {
  context_.budget.documents_read += documents_.size();
  for (const Document& document : documents_) {
    context_.budget.bytes_read += document.body.bytes().size();
  }
}

Result<bool> AccessRows::next(QueryRow& row) {
  while (true) {
    while (next_ < documents_.size()) {
      Document& document = documents_[next_++];
      if (!TRY(passes(document))) continue;
      row.document = std::move(document);
      row.value.reset();
      row.bound.clear();
      return true;
    }
    documents_.clear();
    next_ = 0;
    if (!TRY(load())) return false;
    count_documents();
  }
}

Result<std::uint64_t> AccessRows::count() {
  if (const auto all = TRY(count_at_once())) return *all;
  std::uint64_t rows = 0;
  while (TRY(load())) {
    count_documents();
    for (const Document& document : documents_) rows += TRY(passes(document)) ? 1 : 0;
    documents_.clear();
  }
  return rows;
}

Result<std::size_t> AccessRows::load_by_keys(std::span<const Bytes> keys, std::size_t first) {
  auto found = TRY(context_.view->get_many(*node_.collection, keys, node_.lens));
  context_.budget.rows_read += found.size();
  numbers_.clear();
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!found[i]) continue;
    documents_.push_back(*std::move(found[i]));
    numbers_.push_back(first + i);
  }
  return found.size();
}

void RemainingRange::resume_at(const Bytes& last, bool reverse, bool within, char least_following) {
  const Bytes behind = last + least_following;
  if (reverse) {
    const Bytes& to = within ? behind : last;
    if (range.to.empty() || to < range.to) range.to = to;
  } else {
    range.from = std::max(range.from, within ? last : behind);
  }
  is_empty = is_empty || (!range.to.empty() && range.from >= range.to);
}

void RemainingRange::continue_at(const std::optional<Bytes>& next, bool reverse) {
  is_empty = !next || next->empty();
  if (is_empty) return;
  (reverse ? range.to : range.from) = *next;
  is_empty = !range.to.empty() && range.from >= range.to;
}

std::unique_ptr<AccessRows> open_access(const Access& node, Context context, Demand demand) {
  return std::visit([&](const auto& path) { return open_path(path, node, context, demand); },
                    node.path);
}

RowsPtr open_rows(const Access& node, Context context, Demand demand) {
  return open_access(node, context, demand);
}

}  // namespace mayfly::query
