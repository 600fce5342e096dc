import { type KeyboardEvent, useDeferredValue, useEffect, useId, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useNavigate } from 'react-router';
import { type EventFrame, type EventRow, eventRows } from '#contract/app/records/workspace.ts';
import { EVENT_SEARCH_MAX } from '#domain/limits.ts';
import { eventTabs, palette as text } from '#messages/records/workspace.ts';
import { addDatesTitle } from '#messages/series/series.ts';
import { call, messageFrom } from '#web/api.ts';
import { formatDate } from '#web/ui/data/format.ts';
import { modalHost, useModal } from '#web/ui/dialog/use-modal.ts';
import srOnly from '#web/ui/styles/text.module.css';
import { addDatesAt } from './addresses.ts';
import styles from './palette.module.css';
import { StatusChip } from './StatusChip.tsx';
import { mayAddDates, tabsOf } from './tabs.ts';

interface PaletteProps {
  /** The event whose screens come first, if one is open. */
  frame: EventFrame | null;
  onClose: () => void;
}

type Hit = { to: string; label: string; event: EventRow | null };

/** A search over the open event's screens and all events: type, choose with the arrows, open with Enter. */
function EventPalette(props: PaletteProps) {
  return createPortal(<Panel {...props} />, modalHost());
}

function Panel({ frame, onClose }: PaletteProps) {
  const panel = useRef<HTMLDialogElement>(null);
  const id = useId();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const { events, failure } = useEventSearch(useDeferredValue(typed.trim()));
  useModal(panel, onClose, { closesOnBackdrop: true });

  const screens: Hit[] = (frame ? screensOf(frame) : [])
    .map((screen) => ({ ...screen, event: null }))
    .filter(({ label }) => label.toLowerCase().includes(typed.trim().toLowerCase()));
  const found: Hit[] = (events ?? []).map((event) => ({
    to: `/events/${event.eventId}`,
    label: event.subtitle ? `${event.title} · ${event.subtitle}` : event.title,
    event,
  }));
  const hits = [...screens, ...found];
  const at = Math.min(chosen, hits.length - 1);

  function open(hit: Hit | undefined) {
    if (!hit) return;
    onClose();
    void navigate(hit.to);
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && hits.length > 0) {
      event.preventDefault();
      setChosen((at + step + hits.length) % hits.length);
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      open(hits[at]);
    }
  }

  return (
    <div className={styles.scrim}>
      <dialog open ref={panel} className={styles.panel} aria-labelledby={`${id}-title`} tabIndex={-1}>
        <h2 id={`${id}-title`} className={srOnly.srOnly}>
          {text.title}
        </h2>
        <input
          type="text"
          role="combobox"
          data-autofocus
          className={styles.field}
          aria-label={text.label}
          placeholder={text.hint}
          maxLength={EVENT_SEARCH_MAX}
          autoComplete="off"
          aria-expanded={hits.length > 0}
          aria-controls={`${id}-hits`}
          aria-autocomplete="list"
          aria-activedescendant={hits[at] ? `${id}-${at}` : undefined}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            setChosen(0);
          }}
          onKeyDown={onKeyDown}
        />
        <p role="status" className={styles.status}>
          {failure ?? (events === null ? '' : hits.length === 0 ? text.none : text.found(hits.length))}
        </p>
        <div id={`${id}-hits`} role="listbox" aria-label={text.title} className={styles.hits}>
          {hits.map((hit, index) => (
            <div
              key={`${hit.to} ${hit.label}`}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === at}
              className={styles.hit}
              onClick={() => open(hit)}
              tabIndex={-1}
              onKeyDown={onKeyDown}
              ref={(item) => {
                if (index === at) item?.scrollIntoView({ block: 'nearest' });
              }}
            >
              <span className={styles.label}>{hit.label}</span>
              {hit.event && (
                <>
                  <span className={styles.date}>{formatDate(hit.event.startsAt, hit.event.timezone)}</span>
                  <StatusChip status={hit.event.status} />
                </>
              )}
            </div>
          ))}
        </div>
      </dialog>
    </div>
  );
}

const screensOf = (frame: EventFrame) => [
  ...tabsOf(frame).map(({ tab, to }) => ({ to, label: eventTabs[tab] })),
  ...(mayAddDates(frame) ? [{ to: addDatesAt(frame.eventId), label: addDatesTitle }] : []),
];

function useEventSearch(q: string) {
  const [found, setFound] = useState<{ events: readonly EventRow[] | null; failure: string | null }>({
    events: null,
    failure: null,
  });
  useEffect(() => {
    const stop = new AbortController();
    call(eventRows, q ? { q } : {}, { signal: stop.signal }).then(
      ({ rows }) => setFound({ events: rows, failure: null }),
      (error: unknown) => {
        if (!stop.signal.aborted) setFound({ events: [], failure: messageFrom(error, text.failed) });
      },
    );
    return () => stop.abort();
  }, [q]);
  return found;
}

export { EventPalette as Component };
