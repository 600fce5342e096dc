import { Component, type ReactNode } from 'react';
import { CodeNotLoadedError } from '#web/load-code.ts';
import { ErrorScreen } from './ErrorScreen.tsx';
import { forgetFailedLoads } from './lazy-screen.tsx';

/** Catches what breaks below it. `key` it by the address, or the next page would still show the error. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentWillUnmount() {
    forgetFailedLoads();
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    const retry = () => {
      forgetFailedLoads();
      this.setState({ error: null });
    };
    return <ErrorScreen onRetry={error instanceof CodeNotLoadedError ? retry : undefined} />;
  }
}
