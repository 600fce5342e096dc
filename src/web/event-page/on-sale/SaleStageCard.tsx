import type { WaitingRoom } from '#contract/app/waiting-room.ts';
import { plural } from '#messages/format.ts';
import { placeKept, salesPaused } from '#messages/sales/event-page.ts';
import {
  cameUpWhileClosed,
  inWaitingRoom,
  joinsAtStart,
  keepsPlace,
  notOnSaleYet,
  onSaleFrom,
  turnMissed,
} from '#messages/waiting-room.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { formatMoment, formatTime } from '#web/ui/data/format.ts';
import { passFocusTo } from '../pass-focus-to.ts';
import { SaleFrame } from './OnSaleCard.tsx';
import { countdown, formatWait, peopleAhead, secondsUntil } from './sale-messages.ts';
import type { SaleStage } from './sale-stage.ts';

interface SaleStageCardProps {
  stage: SaleStage;
  sale: WaitingRoom;
  /** Why this browser gets no pass before the start. */
  denial: string | null;
  now: Date;
  timezone: string;
  onRejoin: () => void;
  isRejoining: boolean;
}

const focusCard = passFocusTo('#on-sale');

export function SaleStageCard({ stage, sale, denial, now, timezone, onRejoin, isRejoining }: SaleStageCardProps) {
  switch (stage.kind) {
    case 'open':
      return null;
    case 'paused':
      return (
        <SaleFrame title={salesPaused}>
          <p>{placeKept}</p>
        </SaleFrame>
      );
    case 'early':
      return (
        <SaleFrame title={notOnSaleYet} figure={<Countdown to={stage.startsAt} now={now} label="until sales start" />}>
          <p>{onSaleFrom(formatMoment(stage.startsAt, timezone))}</p>
          {denial !== null && (
            <p>
              {denial} {joinsAtStart}
            </p>
          )}
          {denial === null && stage.opensAt && (
            <p>
              The waiting room opens at {formatTime(stage.opensAt, timezone)}. Everyone waiting at{' '}
              {formatTime(stage.startsAt, timezone)} gets a random place in line. No need to be early.
            </p>
          )}
        </SaleFrame>
      );
    case 'in-draw':
      return (
        <SaleFrame title={inWaitingRoom} figure={<Countdown to={stage.startsAt} now={now} label="until sales start" />}>
          <p>
            {onSaleFrom(formatMoment(stage.startsAt, timezone))} Everyone waiting then gets a random place in line
            {stage.people > 1 && `: ${stage.people.toLocaleString('en-US')} so far`}.
          </p>
          <p>{keepsPlace}</p>
        </SaleFrame>
      );
    case 'arriving':
      return (
        <SaleFrame title="Sales have started">
          <p>Finding your place…</p>
        </SaleFrame>
      );
    case 'waiting':
      return (
        <SaleFrame title={inWaitingRoom} figure={peopleAhead(stage.before)}>
          {stage.wasSkipped && <p>{cameUpWhileClosed}</p>}
          <p>
            <b>{formatWait(secondsUntil(stage.calledAt, now))}</b> to go ({rateMessage(sale)}).
          </p>
          <p>{keepsPlace}</p>
        </SaleFrame>
      );
    case 'called':
      return (
        <SaleFrame title="You're up!" figure={<Countdown to={stage.until} now={now} label="left" />} isHighlighted>
          <p>Pick your tickets and check out before the timer ends.</p>
        </SaleFrame>
      );
    case 'passed':
      return (
        <SaleFrame title={turnMissed}>
          <p>You can rejoin at the back of the line.</p>
          <Button ref={focusCard} busy={isRejoining} onClick={onRejoin}>
            Rejoin the line
          </Button>
        </SaleFrame>
      );
  }
}

/** Silent for screen readers, which would announce every second. */
function Countdown({ to, now, label }: { to: Date; now: Date; label: string }) {
  return (
    <span role="timer" aria-live="off">
      {countdown(secondsUntil(to, now))} <small>{label}</small>
    </span>
  );
}

function rateMessage({ rates }: WaitingRoom): string {
  const perMinute = rates.at(-1)?.perMinute ?? 0;
  return plural(perMinute, { one: '# person a minute', other: '# people a minute' });
}
