import { Component, type ReactNode, startTransition } from 'react';
import { CodeNotLoadedError } from '#web/load-code.ts';
import { isServerReachable } from '#web/server-reachable.ts';
import { ErrorScreen, type Retry } from './ErrorScreen.tsx';
import { focusHeading } from './focus-heading.ts';
import { resetFailedLoads } from './lazy-screen.tsx';

interface Caught {
  error: unknown;
  retry: Retry['state'];
}

const NOTHING: Caught = { error: null, retry: 'possible' };

/** Catches render errors below it. Set `key` to the path, or the error stays after navigation. */
export class ErrorBoundary extends Component<{ children: ReactNode }, Caught> {
  override state: Caught = NOTHING;
  private isGone = false;
  private stopFocusing = () => {};

  static getDerivedStateFromError(error: unknown): Caught {
    return { ...NOTHING, error };
  }

  override componentDidMount() {
    this.isGone = false;
  }

  override componentDidUpdate(_: unknown, before: Caught) {
    // The button that had the focus was removed with the error.
    if (before.error !== null && this.state.error === null) this.stopFocusing = focusHeading();
  }

  override componentWillUnmount() {
    this.isGone = true;
    this.stopFocusing();
    resetFailedLoads();
  }

  /** Retries in place if possible. Otherwise reloads, but only if the server can answer. */
  private async loadAgain(error: CodeNotLoadedError) {
    this.setState({ retry: 'running' });
    const isLoaded = await error.loadAgain().then(
      () => true,
      () => false,
    );
    if (this.isGone) return;
    if (isLoaded) {
      resetFailedLoads();
      // As a transition, so the error stays visible until the screen renders.
      return startTransition(() => this.setState(NOTHING));
    }
    const canReload = await isServerReachable();
    if (this.isGone) return;
    if (canReload) location.reload();
    else this.setState({ retry: 'unanswered' });
  }

  override render() {
    const { error, retry } = this.state;
    if (error === null) return this.props.children;
    if (!(error instanceof CodeNotLoadedError)) return <ErrorScreen />;
    return <ErrorScreen retry={{ state: retry, start: () => void this.loadAgain(error) }} />;
  }
}
