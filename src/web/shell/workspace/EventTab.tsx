import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { EventFrame } from '#contract/app/records/workspace.ts';
import { formatCount } from '#messages/format.ts';
import { cancellationMessages } from '#messages/records/cancellations.ts';
import { type EventTabName, eventTabs, eventFrameText as text } from '#messages/records/workspace.ts';
import { eventNotFound } from '#messages/sales/event-page.ts';
import { addDatesTitle } from '#messages/series/series.ts';
import { inFocus, photoSource } from '#web/photo-source.ts';
import { lazyScreen } from '#web/shell/lazy-screen.tsx';
import { Button, ButtonLink } from '#web/ui/button/Button.tsx';
import { CopyButton } from '#web/ui/button/CopyButton.tsx';
import { formatShort } from '#web/ui/data/format.ts';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { NotLoaded } from '#web/ui/feedback/NotLoaded.tsx';
import { Skeleton } from '#web/ui/feedback/Skeleton.tsx';
import { Page } from '#web/ui/page/Page.tsx';
import { usePageTitle } from '#web/ui/page/page-title.ts';
import { Poster } from '#web/ui/ticket/Poster.tsx';
import { ADD_DATES } from './addresses.ts';
import { OtherDates } from './dates/OtherDates.tsx';
import styles from './event-tab.module.css';
import { PagePaletteButton } from './PaletteButton.tsx';
import { StatusChip } from './StatusChip.tsx';
import { mayAddDates, tabsOf } from './tabs.ts';
import { useEventFrame } from './use-event-frame.ts';

const addDates = lazyScreen(() => import('./dates/AddDatesDialog.tsx'));

interface EventTabProps {
  eventId: string;
  tab: EventTabName;
  /** The `h1`, if the screen is one of several behind the tab. */
  title?: string;
  /** Buttons next to the heading. */
  actions?: ReactNode | ((frame: EventFrame) => ReactNode);
  lead?: ReactNode;
  /** Counts what the screen changed of what the frame shows. */
  changes?: number;
  children: ReactNode;
}

/** One screen of an event inside the frame that all of them share. */
export function EventTab({
  eventId,
  tab,
  title = eventTabs[tab],
  actions,
  lead,
  changes = 0,
  children,
}: EventTabProps) {
  const { frame, failure, isUnknown, refresh } = useEventFrame(eventId);
  useEffect(() => {
    if (changes > 0) refresh();
  }, [changes, refresh]);
  const buttons = typeof actions === 'function' ? frame && actions(frame) : actions;
  usePageTitle(isUnknown ? eventNotFound : frame ? `${title} · ${frame.title}` : title);

  return (
    <Page heading={null} className={styles.screen}>
      <header className={styles.frame}>
        <div className={styles.path}>
          <Link to="/profile">{text.home}</Link>
          <PagePaletteButton />
        </div>
        {frame && <Head frame={frame} onAdded={refresh} />}
        {!frame && !failure && <Skeleton className={styles.loading} />}
        {failure && !isUnknown && !frame && (
          <NotLoaded msg={failure.msg} mayRetry={failure.mayRetry} onRetry={async () => refresh()} />
        )}
        {frame && <Tabs frame={frame} open={tab} />}
      </header>
      {frame?.status === 'draft' && <Banner kind="info">{text.draft}</Banner>}
      {frame?.cancellation && (
        <p className={styles.cancelled} role="status">
          {cancellationMessages(frame.cancellation)}
        </p>
      )}
      <div className={styles.title}>
        <div>
          <h1 tabIndex={-1}>{isUnknown ? eventNotFound : title}</h1>
          {lead && !isUnknown && <p className={styles.lead}>{lead}</p>}
        </div>
        {buttons && !isUnknown && <div className={styles.tools}>{buttons}</div>}
      </div>
      {isUnknown ? (
        <div className={styles.unknown}>
          <p>{text.unknown}</p>
          <ButtonLink to="/profile">{text.home}</ButtonLink>
        </div>
      ) : (
        children
      )}
    </Page>
  );
}

function Head({ frame, onAdded }: { frame: EventFrame; onAdded: () => void }) {
  const adding = useAddDates();
  return (
    <div className={styles.head}>
      <div className={styles.cover}>
        {frame.photo ? (
          <img src={photoSource(frame.photo)} {...inFocus(frame.photoFocus)} alt="" />
        ) : (
          <Poster eventId={frame.eventId} />
        )}
      </div>
      <div className={styles.facts}>
        <p className={styles.name}>
          <strong>{frame.title}</strong> {frame.subtitle && <span>{frame.subtitle}</span>}{' '}
          <StatusChip status={frame.status} />
        </p>
        <p className={styles.when}>
          {formatShort(frame.startsAt, frame.timezone)} · {frame.city}, {frame.state}
        </p>
        <OtherDates frame={frame} />
      </div>
      <div className={styles.tools}>
        {/* The server renders a draft for its members. */}
        <ButtonLink kind="ghost" href={`/payment/${frame.eventId}`}>
          {frame.status === 'draft' ? text.preview : text.view}
        </ButtonLink>
        {frame.status !== 'draft' && <CopyButton text={frame.eventUrl} label={text.copy} />}
        {mayAddDates(frame) && (
          <Button kind="ghost" aria-haspopup="dialog" onClick={adding.open}>
            {addDatesTitle}
          </Button>
        )}
      </div>
      {adding.isOpen && mayAddDates(frame) && (
        <Suspense>
          <addDates.Component
            event={{ ...frame, isDraft: frame.status === 'draft' }}
            onAdded={onAdded}
            onClose={adding.close}
          />
        </Suspense>
      )}
    </div>
  );
}

/** Opened by its button, or by the screen's address. */
function useAddDates() {
  const [query, setQuery] = useSearchParams();
  const [isAdding, setIsAdding] = useState(false);
  const isAsked = query.has(ADD_DATES);

  function close() {
    setIsAdding(false);
    if (!isAsked) return;
    const next = new URLSearchParams(query);
    next.delete(ADD_DATES);
    setQuery(next, { replace: true, state: { keepsScroll: true } });
  }
  return { isOpen: isAdding || isAsked, open: () => setIsAdding(true), close };
}

/** Scrolls sideways on phones, with the open tab in view. */
function Tabs({ frame, open }: { frame: EventFrame; open: EventTabName }) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const current = list.current?.querySelector<HTMLElement>('[aria-current]');
    if (list.current && current) list.current.scrollLeft = current.offsetLeft - list.current.clientWidth / 3;
  }, []);
  return (
    <nav aria-label={text.tabs(frame.title)} className={styles.tabs}>
      <ul ref={list}>
        {tabsOf(frame).map(({ tab, to, count }) => (
          <li key={tab}>
            <Link to={to} aria-current={tab === open ? 'page' : undefined}>
              {eventTabs[tab]} {count !== null && <span className={styles.count}>{formatCount(count)}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
