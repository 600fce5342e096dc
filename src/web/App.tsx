import type { ComponentType } from 'react';
import { Route, Routes } from 'react-router';
import { ErrorBoundary } from './shell/ErrorBoundary.tsx';
import { Layout } from './shell/Layout.tsx';

export interface Screen {
  path: string;
  Component: ComponentType;
}

/** The same tree on both sides: the server draws one screen of it, the browser takes that over and knows them all. */
export function App({ screens }: { screens: readonly Screen[] }) {
  return (
    <ErrorBoundary>
      <Routes>
        <Route element={<Layout />}>
          {screens.map(({ path, Component }) => (
            <Route key={path} path={path} element={<Component />} />
          ))}
        </Route>
      </Routes>
    </ErrorBoundary>
  );
}
