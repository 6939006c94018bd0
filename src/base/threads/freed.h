// How a unique_ptr gives back what a C library has given.
#pragma once

namespace mayfly {

template <auto free>
struct Freed {
  template <class T>
  void operator()(T* t) const {
    free(t);
  }
};

}  // namespace mayfly
