import { StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { BrowserRouter, matchRoutes } from 'react-router';
import { App } from './App.tsx';
import { onReauthenticationRequired } from './api.ts';
import { CodeNotLoadedError, loadCode } from './load-code.ts';
import { readPageProps } from './page-props.ts';
import { PagePropsContext } from './page-props-context.ts';
import { routes } from './routes.tsx';
import { lazyScreen } from './shell/lazy-screen.tsx';
import './ui/styles/base.css';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root.');

const screens = routes.map(({ path, lazy }) => ({ path, ...lazyScreen(lazy) }));

const app = (
  <StrictMode>
    <PagePropsContext value={readPageProps()}>
      <BrowserRouter>
        <App screens={screens} />
      </BrowserRouter>
    </PagePropsContext>
  </StrictMode>
);

onReauthenticationRequired(async () => {
  const { askForPassword } = await loadCode(() => import('./account-access/ask-for-password.tsx'));
  return askForPassword();
});

// The frame without a screen is replaced by the same frame with one.
if (root.hasChildNodes() && !root.querySelector('[data-frame]')) void takeOver(root);
else createRoot(root).render(app);

/**
 * Hydration needs the screen that the server rendered, so load its code first. If that fails, shell/before-paint.js
 * shows it: an error thrown here would stay cached for this module.
 */
async function takeOver(drawn: HTMLElement, first?: () => Promise<unknown>): Promise<void> {
  try {
    await first?.();
    await matchRoutes(screens, location.pathname)?.at(-1)?.route.load();
  } catch (error) {
    if (!(error instanceof CodeNotLoadedError)) throw error;
    const retry = () => void takeOver(drawn, error.loadAgain);
    window.dispatchEvent(new CustomEvent('handstamp:lost', { detail: retry }));
    return;
  }
  hydrateRoot(drawn, app);
}
