import { Component, type ReactNode } from 'react';

/** A map that cannot be drawn leaves the address that stands above it. */
export class MapBoundary extends Component<{ children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override render() {
    return this.state.isBroken ? null : this.props.children;
  }
}
