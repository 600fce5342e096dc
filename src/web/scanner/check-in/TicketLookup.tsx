import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import type { nameSearch } from '#contract/app/sales/find-guests.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { lookupTabs as text } from '#messages/check-in.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';
import styles from '../scanner.module.css';
import { NameLookup } from './NameLookup.tsx';
import { NumberLookup } from './NumberLookup.tsx';
import type { CheckIn } from './use-check-in.ts';

interface LookupProps {
  timezone: string | undefined;
  checkIn: CheckIn;
  onClose: () => void;
}

/** Looks up a ticket whose code can't be scanned. */
export function TicketLookup({ isOpen, ...lookup }: LookupProps & { isOpen: boolean }) {
  return (
    <Dialog open={isOpen} title="Find a ticket" onClose={lookup.onClose}>
      <Lookup {...lookup} />
    </Dialog>
  );
}

const TABS = ['number', 'name'] as const;
type Tab = (typeof TABS)[number];

/** Most events have no search by name, so the tabs show once the server says that this one has. */
function Lookup({ timezone, checkIn, onClose }: LookupProps) {
  const [byName, setByName] = useState<ReplyOf<typeof nameSearch> | null>(null);
  const [tab, setTab] = useState<Tab>('number');
  const id = useId();
  const tabs = useRef<HTMLDivElement>(null);
  const ask = useEffectEvent(() => checkIn.mayFindByName());
  useEffect(() => {
    let isOutdated = false;
    // Without an answer, the search by number is left, which says what is wrong.
    ask().then(
      (found) => !isOutdated && setByName(found),
      () => {},
    );
    return () => {
      isOutdated = true;
    };
  }, []);

  const { isOnline } = checkIn.connection;
  const hasTabs = byName?.isOn === true;

  function moveBy(event: KeyboardEvent): void {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    const other = tab === 'number' ? 'name' : 'number';
    setTab(other);
    tabs.current?.querySelector<HTMLElement>(`[data-tab="${other}"]`)?.focus();
  }

  return (
    <div className={styles.lookup}>
      {hasTabs && (
        <div ref={tabs} role="tablist" aria-label="Find by" className={styles.tabs}>
          {TABS.map((one) => (
            <Button
              key={one}
              kind="ghost"
              role="tab"
              id={`${id}-${one}`}
              data-tab={one}
              aria-selected={tab === one}
              aria-controls={`${id}-panel`}
              tabIndex={tab === one ? 0 : -1}
              onClick={() => setTab(one)}
              onKeyDown={moveBy}
            >
              {text[one]}
            </Button>
          ))}
        </div>
      )}
      {/* At the same place with and without tabs, so that what is typed into it stays when they come. */}
      <div {...(hasTabs && { role: 'tabpanel', id: `${id}-panel`, 'aria-labelledby': `${id}-${tab}` })}>
        {tab === 'number' && <NumberLookup isOnline={isOnline} timezone={timezone} lookUp={checkIn.lookUp} />}
        {tab === 'name' && (
          <NameLookup
            isOnline={isOnline}
            checksIn={byName?.checksIn ?? false}
            timezone={timezone}
            find={checkIn.findByName}
            onCheckIn={(ticketId, lastDigits) => {
              onClose();
              void checkIn.checkFound(ticketId, lastDigits);
            }}
          />
        )}
      </div>
    </div>
  );
}
