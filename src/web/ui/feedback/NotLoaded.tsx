import { tryAgain } from '#messages/pages.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Banner } from './Banner.tsx';

/** In the place of data that failed to load. */
export function NotLoaded({ title, onRetry }: { title: string; onRetry: () => Promise<void> }) {
  const retry = (
    <Button kind="ghost" onClick={onRetry}>
      {tryAgain}
    </Button>
  );
  return <Banner kind="error" role="alert" title={title} action={retry} />;
}
