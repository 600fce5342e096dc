import type { ComponentType } from 'react';
import { Route, Routes } from 'react-router';
import { ErrorBoundary } from './shell/ErrorBoundary.tsx';
import { Layout } from './shell/Layout.tsx';

export interface Screen {
  path: string;
  Component: ComponentType;
}

/** Shared by server and browser: the server renders one screen of it and the browser hydrates it. */
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
