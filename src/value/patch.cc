// Merging and assigning take one pass over both sides: a client may send a hundred thousand
// members.
#include "value/patch.h"

#include "value/packed/name_table.h"

namespace mayfly {
namespace {

bool changes(const Value& value) {
  return !value.is_missing();
}

// The members of `target`, updated by those of `over`: `combine` computes each from the old value
// (or missing) and the new one. A member that becomes missing is removed.
template <class Combine>
Value overlay(Value target, const Object& over, Combine combine) {
  if (!target.is(Kind::object)) target = Object();
  NameTable names(over.size());
  std::vector<const Value*> changed;
  for (const Object::Member& member : over) {
    if (changes(member.second) && !names.add(member.first)) changed.push_back(&member.second);
  }
  std::vector<bool> placed(changed.size());
  Object result;
  for (Object::Member& member : target.mutable_object()) {
    const auto found = names.find(member.first);
    Value value = std::move(member.second);
    if (found) {
      placed[*found] = true;
      value = combine(std::move(value), *changed[*found]);
    }
    if (!value.is_missing()) result.append(std::move(member.first), std::move(value));
  }
  for (const Object::Member& member : over) {
    if (!changes(member.second) || placed[*names.find(member.first)]) continue;
    Value value = combine(Value(), member.second);
    if (!value.is_missing()) result.append(member.first, std::move(value));
  }
  return result;
}

}  // namespace

Value merge_patch(Value target, const Value& patch) {
  if (!patch.is(Kind::object)) return patch;
  return overlay(std::move(target), patch.object(), [](Value old, const Value& with) {
    return with.is_null() ? Value() : merge_patch(std::move(old), with);
  });
}

Value assign(Value target, const Value& over) {
  if (!over.is(Kind::object)) return target;
  return overlay(std::move(target), over.object(), [](Value, const Value& with) { return with; });
}

}  // namespace mayfly
