import { Link } from 'react-router';
import type { ListedPayout } from '#contract/app/records/workspace.ts';
import { formatDollars } from '#messages/format.ts';
import { payoutsPage as text } from '#messages/records/payouts-page.ts';
import { AutomaticPayouts } from '#web/shell/workspace/AutomaticPayouts.tsx';
import { Button } from '#web/ui/button/Button.tsx';
import { Chip } from '#web/ui/data/Chip.tsx';
import { type Column, DataTable } from '#web/ui/data/DataTable.tsx';
import { formatDate } from '#web/ui/data/format.ts';
import { StatTile, StatTiles } from '#web/ui/data/StatTile.tsx';
import { NotLoaded } from '#web/ui/feedback/NotLoaded.tsx';
import { Skeleton } from '#web/ui/feedback/Skeleton.tsx';
import { Page } from '#web/ui/page/Page.tsx';
import styles from './account-money.module.css';
import { usePayouts } from './use-payouts.ts';

export function AccountMoneyScreen() {
  const { list, failure, isLoading, load } = usePayouts();
  return (
    <Page title={text.title} lead={text.lead}>
      {failure && !list && <NotLoaded {...failure} onRetry={() => load()} />}
      {!list && !failure && <Skeleton className={styles.loading} />}
      {list && (
        <>
          <StatTiles label={text.sums} isSlim>
            <StatTile label={text.paid} value={formatDollars(list.sums.paid)} note={text.paidNote} />
            <StatTile label={text.onItsWay} value={formatDollars(list.sums.onItsWay)} note={text.onItsWayNote} />
          </StatTiles>
          <AutomaticPayouts automatic={list.automatic} onChanged={() => load()} />
          {list.payouts.length === 0 ? (
            <p>{text.none}</p>
          ) : (
            <DataTable
              className={styles.table}
              caption={text.caption}
              columns={columnsOf(list.automatic.isOn ?? false)}
              rows={list.payouts}
              keyOf={({ eventId, index }) => `${eventId} ${index}`}
            />
          )}
          {list.next !== null && (
            <Button kind="ghost" className={styles.more} busy={isLoading} onClick={() => load(list.next)}>
              {text.more}
            </Button>
          )}
        </>
      )}
      <p className={styles.links}>
        <Link to="/organization/funds">{text.owed}</Link>
        <Link to="/profile">{text.back}</Link>
      </p>
    </Page>
  );
}

const tones = {
  'too-early': 'off',
  open: 'few',
  requested: 'note',
  'awaiting-funds': 'note',
  'awaiting-account': 'bad',
  paid: 'ok',
  'nothing-to-pay': 'off',
  'objections-open': 'few',
  cancelled: 'off',
} as const satisfies Record<ListedPayout['state'], string>;

const columnsOf = (isAutomatic: boolean): Column<ListedPayout>[] => [
  {
    label: text.event,
    cell: ({ eventId, title, subtitle, startsAt, timezone, index }) => (
      <span className={styles.event}>
        <Link to={`/events/${eventId}`}>{title}</Link>
        <span className={styles.quiet}>
          {[subtitle, formatDate(startsAt, timezone), index > 0 && text.further(index)].filter(Boolean).join(' · ')}
        </span>
      </span>
    ),
  },
  {
    label: text.state,
    cell: ({ state, isHeld }) => (
      <Chip tone={isHeld ? 'bad' : tones[state]}>{isHeld ? text.held : text.states[state]}</Chip>
    ),
  },
  {
    label: text.when,
    cell: ({ state, at, timezone }) => (at ? text.at(state, formatDate(at, timezone), isAutomatic) : '–'),
  },
  {
    label: text.amount,
    numeric: true,
    cell: ({ eventId, title, amount, isEstimate }) => (
      <span className={styles.amount}>
        <Link to={`/events/${eventId}/money`} aria-label={text.moneyOf(formatDollars(amount), title)}>
          {formatDollars(amount)}
        </Link>{' '}
        {isEstimate && <span className={styles.quiet}>{text.estimate}</span>}
      </span>
    ),
  },
];

export { AccountMoneyScreen as Component };
