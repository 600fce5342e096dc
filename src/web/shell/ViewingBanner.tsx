import { useEffect, useState } from 'react';
import { endViewing, viewing } from '#contract/app/viewing.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { viewingTexts as text } from '#messages/records/viewing.ts';
import { call, messageFrom } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { toast } from '#web/ui/feedback/toast.ts';

/** Above every screen while an operator views an organization. */
export function ViewingBanner() {
  const [shown, setShown] = useState<ReplyOf<typeof viewing>['viewing']>(null);
  const [isEnding, setIsEnding] = useState(false);
  useEffect(() => {
    // Without an answer there is nothing to say: the screen shows the same failure.
    call(viewing, {}).then(
      (reply) => setShown(reply.viewing),
      () => {},
    );
  }, []);
  useEffect(() => {
    if (!shown) return undefined;
    const timer = setTimeout(() => setShown(null), new Date(shown.until).getTime() - Date.now());
    return () => clearTimeout(timer);
  }, [shown]);
  if (!shown) return null;

  async function end() {
    setIsEnding(true);
    try {
      await call(endViewing, {});
      location.assign('/dashboard');
    } catch (error) {
      toast.error(messageFrom(error, text.failed));
      setIsEnding(false);
    }
  }

  return (
    <Banner
      kind="warning"
      role="status"
      title={text.banner(shown.organization, timeOf(shown.until))}
      action={
        <Button busy={isEnding} onClick={end}>
          {text.end}
        </Button>
      }
    />
  );
}

const timeOf = (at: string) =>
  new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' }).format(new Date(at));

export { ViewingBanner as Component };
