import { StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { BrowserRouter, matchRoutes } from 'react-router';
import { App } from './App.tsx';
import { CodeNotLoadedError } from './load-code.ts';
import { readPageFacts } from './page-facts.ts';
import { PageFactsContext } from './page-facts-context.ts';
import { routes } from './routes.tsx';
import { lazyScreen } from './shell/lazy-screen.tsx';
import './ui/styles/base.css';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root.');

const screens = routes.map(({ path, lazy }) => ({ path, ...lazyScreen(lazy) }));

const app = (
  <StrictMode>
    <PageFactsContext value={readPageFacts()}>
      <BrowserRouter>
        <App screens={screens} />
      </BrowserRouter>
    </PageFactsContext>
  </StrictMode>
);

if (root.hasChildNodes()) void takeOver(root);
else createRoot(root).render(app);

/**
 * What the server drew can only be taken over by the same screen, so its code comes first. Where that is lost, shell/before-paint.js
 * says so: an error thrown here would be this module's for as long as the page is open.
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
