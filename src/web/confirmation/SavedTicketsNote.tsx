import { useEffect, useState } from 'react';
import type { Confirmation } from '#contract/checkout.ts';
import { keepPage } from '#web/keep-page.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { formatDate } from '#web/ui/format.ts';
import styles from './confirmation.module.css';
import { chooseKeeping, type Keeping, keepSeen, savedOnDevice } from './saved-tickets.ts';

interface KeptNoteProps {
  sessionId: string;
  confirmation: Confirmation;
  /** The server has just told it; else it comes from this device itself. */
  isFresh: boolean;
}

/** Keeps the tickets for the door, where there often is no network. Says so, and lets their holder decide otherwise. */
export function KeptNote({ sessionId, confirmation, isFresh }: KeptNoteProps) {
  const [keeping, setKeeping] = useState<Keeping | null>(isFresh ? null : 'kept');
  const { order } = confirmation;

  useEffect(() => {
    if (!isFresh) return;
    let isOver = false;
    void keepSeen(sessionId, confirmation).then((result) => {
      if (isOver) return;
      setKeeping(result);
      if (result === 'kept') void keepPage('/success');
    });
    return () => {
      isOver = true;
    };
  }, [sessionId, confirmation, isFresh]);

  async function choose(isKept: boolean) {
    setKeeping(await chooseKeeping(sessionId, confirmation, isKept));
    if (isKept) void keepPage('/success');
  }

  if (!order || keeping === null || keeping === 'impossible') return null;
  return keeping === 'kept' ? (
    <Banner
      className={styles.note}
      title={savedOnDevice}
      action={
        <Button kind="ghost" onClick={() => choose(false)}>
          Remove
        </Button>
      }
    >
      Opens offline until {formatDate(order.openUntil, order.timezone)}.
    </Banner>
  ) : (
    <Banner
      className={styles.note}
      title="Not saved on this device"
      action={
        <Button kind="ghost" onClick={() => choose(true)}>
          Save
        </Button>
      }
    >
      Without internet, this page can't show your tickets.
    </Banner>
  );
}
