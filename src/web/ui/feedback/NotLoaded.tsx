import { useState } from 'react';
import { tryAgain } from '#messages/pages.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Banner } from './Banner.tsx';

interface NotLoadedProps {
  msg: string;
  mayRetry?: boolean;
  onRetry: () => Promise<void>;
}

/** In the place of data that failed to load. */
export function NotLoaded({ msg, mayRetry = true, onRetry }: NotLoadedProps) {
  const [isRetrying, setIsRetrying] = useState(false);
  async function retryNow() {
    setIsRetrying(true);
    try {
      await onRetry();
    } finally {
      setIsRetrying(false);
    }
  }
  const retry = mayRetry && (
    <Button kind="ghost" busy={isRetrying} onClick={retryNow}>
      {tryAgain}
    </Button>
  );
  return <Banner kind="error" role="alert" title={msg} action={retry} />;
}
