// Shows what a page has thrown, in place of the page.
import { Component, type ComponentChildren } from 'preact';

import { ErrorNote } from '../parts/notes';

export class Boundary extends Component<{ children: ComponentChildren }, { error?: Error }> {
  state: { error?: Error } = {};

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  render() {
    return this.state.error ? <ErrorNote error={this.state.error} /> : this.props.children;
  }
}
