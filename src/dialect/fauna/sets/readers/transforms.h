// Readers that transform one other reader: filters, mappings and slices.
#pragma once

#include <optional>
#include <span>
#include <utility>

#include "dialect/fauna/run/interpreter.h"
#include "dialect/fauna/sets/readers/materialized.h"
#include "dialect/fauna/sets/readers/reader.h"

namespace mayfly::fauna {

// Base class of readers with one input.
class TransformReader : public SetReader {
 public:
  TransformReader(Interpreter& run, SetReaderPtr in) : run_(run), in_(std::move(in)) {}
  Instant end() const override { return in_->end(); }
  SetPosition position() const override { return in_->position(); }

 protected:
  Interpreter& run_;
  const SetReaderPtr in_;
};

class WhereReader final : public TransformReader {
 public:
  WhereReader(Interpreter& run, SetReaderPtr in, CallablePtr predicate)
      : TransformReader(run, std::move(in)), predicate_(std::move(predicate)) {}

  Result<std::optional<FqlValue>> next() override {
    const Run::EffectScope reads_only(run_, set_functions);
    for (;;) {
      auto element = TRY(in_->next());
      if (!element) return std::nullopt;
      if (TRY(run_.call_predicate(*predicate_, "pred", std::span(&*element, 1)))) return element;
    }
  }

 private:
  const CallablePtr predicate_;
};

class MapReader final : public TransformReader {
 public:
  MapReader(Interpreter& run, SetReaderPtr in, const FqlSet::Mapped& mapped)
      : TransformReader(run, std::move(in)), mapped_(mapped) {}

  Result<std::optional<FqlValue>> next() override {
    const auto element = TRY(in_->next());
    if (!element) return std::nullopt;
    const Run::EffectScope reads_only(run_, set_functions);
    if (mapped_.is_projection) return TRY(run_.project(*element, mapped_.by));
    return TRY(run_.call_back(*mapped_.by, "mapper", std::span(&*element, 1)));
  }
  Result<bool> has_next() override { return in_->has_next(); }

 private:
  const FqlSet::Mapped mapped_;
};

class SliceReader final : public TransformReader {
 public:
  SliceReader(Interpreter& run, SetReaderPtr in, const FqlSet::Sliced& sliced, std::uint64_t taken,
              const ReadOptions& options)
      : TransformReader(run, std::move(in)), sliced_(sliced), taken_(taken), options_(options) {}

  Result<std::optional<FqlValue>> next() override {
    while (taken_ < sliced_.offset) {
      TRY(run_.step());
      if (!TRY(in_->next())) return std::nullopt;
      ++taken_;
    }
    for (;;) {
      if (sliced_.limit && taken_ - sliced_.offset >= *sliced_.limit) return std::nullopt;
      auto element = TRY(in_->next());
      if (!element) return std::nullopt;
      ++taken_;
      if (!options_.leaves_out(in_->end(), run_.instant())) return element;
    }
  }
  Result<bool> has_next() override {
    if (taken_ < sliced_.offset || options_.snapshot) return SetReader::has_next();
    if (sliced_.limit && taken_ - sliced_.offset >= *sliced_.limit) return false;
    return in_->has_next();
  }
  SetPosition position() const override {
    return mayfly::Value(Array{in_->position(), mayfly::Value(static_cast<std::int64_t>(taken_))});
  }

 private:
  const FqlSet::Sliced sliced_;
  std::uint64_t taken_;
  const ReadOptions options_;
};

}  // namespace mayfly::fauna
