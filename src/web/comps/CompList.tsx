import { useEffect, useRef, useState } from 'react';
import { type EventComps, type OwnComp, withdrawComp } from '#contract/app/sales/comps.ts';
import { compsPage as text } from '#messages/sales/comps.ts';
import { call } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Chip } from '#web/ui/data/Chip.tsx';
import { type Column, DataTable } from '#web/ui/data/DataTable.tsx';
import { ConfirmDialog } from '#web/ui/dialog/ConfirmDialog.tsx';
import { CompGuest } from './CompGuest.tsx';
import styles from './comps.module.css';

interface CompListProps {
  eventId: string;
  page: EventComps;
  isLoading: boolean;
  onMore: () => void;
  onWithdrawn: () => Promise<void>;
}

const tones = { valid: 'off', disputed: 'off', scanned: 'ok', refunding: 'bad', refunded: 'bad', void: 'bad' } as const;

export function CompList({ eventId, page, isLoading, onMore, onWithdrawn }: CompListProps) {
  const [chosen, setChosen] = useState<OwnComp | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const hasWithdrawn = useRef(false);
  // Once the dialog is gone: the button that opened it has gone, too.
  useEffect(() => {
    if (chosen || !hasWithdrawn.current) return;
    hasWithdrawn.current = false;
    heading.current?.focus();
  }, [chosen]);

  const columns: Column<OwnComp>[] = [
    { label: text.guest, cell: (comp) => <CompGuest {...comp} /> },
    { label: text.number, cell: ({ confirmationNumber: number }) => <span className={styles.number}>{number}</span> },
    { label: text.ticket, cell: ({ ticketName }) => ticketName },
    { label: text.state, cell: ({ state }) => <Chip tone={tones[state]}>{text.states[state]}</Chip> },
    {
      label: text.withdraw,
      quiet: true,
      cell: (comp) =>
        comp.state === 'valid' &&
        page.denial !== 'event-cancelled' && (
          <Button kind="ghost" aria-label={text.withdrawLabel(comp)} onClick={() => setChosen(comp)}>
            {text.withdraw}
          </Button>
        ),
    },
  ];

  return (
    <section className={styles.section} aria-labelledby="comps">
      <header className={styles.listHead}>
        <h2 id="comps" ref={heading} tabIndex={-1}>
          {text.listTitle}
        </h2>
        <p role="status">{page.count > 0 && text.count(page.count)}</p>
      </header>
      {page.comps.length === 0 && <p className={styles.quiet}>{text.none}</p>}
      {page.comps.length > 0 && (
        <DataTable
          caption={text.caption(page.title)}
          columns={columns}
          rows={page.comps}
          keyOf={({ ticketId }) => ticketId}
        />
      )}
      {page.compsNext && (
        <Button kind="ghost" busy={isLoading} onClick={onMore}>
          {text.more}
        </Button>
      )}
      {chosen && (
        <ConfirmDialog
          title={text.withdrawTitle(chosen.ticketName, chosen)}
          why={text.withdrawWhy(chosen.email)}
          confirm={text.withdraw}
          cancel={text.keep}
          send={() => call(withdrawComp, { eventId, ticketId: chosen.ticketId })}
          onDone={() => {
            hasWithdrawn.current = true;
            return onWithdrawn();
          }}
          onClose={() => setChosen(null)}
        />
      )}
    </section>
  );
}
