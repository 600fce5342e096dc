import { Component, type ReactNode, startTransition } from 'react';
import { CodeNotLoadedError } from '#web/load-code.ts';
import { serverAnswers } from '#web/server-reachable.ts';
import { ErrorScreen, type Retry } from './ErrorScreen.tsx';
import { focusHeading } from './focus-heading.ts';
import { forgetFailedLoads } from './lazy-screen.tsx';

interface Caught {
  error: unknown;
  retry: Retry['state'];
}

const NOTHING: Caught = { error: null, retry: 'possible' };

/** Catches what breaks below it. `key` it by the address, or the next page would still show the error. */
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
    // The button that had the focus went with the explanation.
    if (before.error !== null && this.state.error === null) this.stopFocusing = focusHeading();
  }

  override componentWillUnmount() {
    this.isGone = true;
    this.stopFocusing();
    forgetFailedLoads();
  }

  /** In place if that works. If not, with the whole page, which is given up only for one that comes. */
  private async loadAgain(error: CodeNotLoadedError) {
    this.setState({ retry: 'running' });
    const isLoaded = await error.loadAgain().then(
      () => true,
      () => false,
    );
    if (this.isGone) return;
    if (isLoaded) {
      forgetFailedLoads();
      // As a transition, the explanation stays until the screen is drawn.
      return startTransition(() => this.setState(NOTHING));
    }
    const canReload = await serverAnswers();
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
