import { StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { BrowserRouter, matchRoutes } from 'react-router';
import { App } from './App.tsx';
import { readPageFacts } from './page-facts.ts';
import { PageFactsContext } from './page-facts-context.ts';
import { routes } from './routes.tsx';
import { lazyScreen } from './shell/lazy-screen.tsx';
import './ui/base.css';

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

if (root.hasChildNodes()) {
  // What the server drew can only be taken over by the same screen, so its code comes first.
  await matchRoutes(screens, location.pathname)?.at(-1)?.route.load();
  hydrateRoot(root, app);
} else {
  createRoot(root).render(app);
}
