import { useEffect, useState } from 'react';
import type { Confirmation } from '#contract/app/checkout.ts';
import { type OfflinePage, registerOfflinePage } from '#web/offline-page.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { formatDate } from '#web/ui/data/format.ts';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import styles from './order.module.css';
import type { SaveState } from './saved-tickets.ts';
import { loadOrderCalls } from './use-order.ts';

export const savedOnThisDevice = 'Saved on this device';

interface SavedTicketsNoteProps {
  /** Its path and query. */
  page: string;
  /** Of the address at which it was opened. */
  opened: string;
  confirmation: Confirmation;
  /** Loaded from the server, not from this device. */
  isFresh: boolean;
}

/** Saves the tickets for offline use, tells the buyer, and lets them opt out. */
export function SavedTicketsNote({ page, opened, confirmation, isFresh }: SavedTicketsNoteProps) {
  const [saveState, setSaveState] = useState<SaveState | null>(isFresh ? null : 'saved');
  const { order } = confirmation;

  useEffect(() => {
    if (!isFresh) return;
    let isCancelled = false;
    void loadOrderCalls()
      .then(({ saveTickets }) => saveTickets(page, opened, confirmation))
      .catch((): SaveState => 'unavailable')
      .then((result) => {
        if (isCancelled) return;
        setSaveState(result);
        if (result === 'saved') void registerOfflinePage(offlinePageOf(page));
      });
    return () => {
      isCancelled = true;
    };
  }, [page, opened, confirmation, isFresh]);

  async function choose(isSaved: boolean) {
    const { setTicketsSaved } = await loadOrderCalls();
    setSaveState(await setTicketsSaved(page, confirmation, isSaved));
    if (isSaved) void registerOfflinePage(offlinePageOf(page));
  }

  if (!order || saveState === null || saveState === 'unavailable') return null;
  return saveState === 'saved' ? (
    <Banner
      className={styles.note}
      title={savedOnThisDevice}
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

/** An order that an earlier version saved has no token. */
const offlinePageOf = (page: string): OfflinePage =>
  (['/order', '/ticket'] as const).find((one) => page.startsWith(`${one}/`)) ?? '/success';
