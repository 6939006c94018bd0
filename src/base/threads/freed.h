// A deleter for a unique_ptr to an object of a C library.
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
