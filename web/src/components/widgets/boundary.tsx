import { Component, type ReactNode } from "react";

type Props = { instead: ReactNode; children: ReactNode };

/** What fails to draw, or to load, does not take the conversation with it. */
export class Boundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    return this.state.failed ? this.props.instead : this.props.children;
  }
}
