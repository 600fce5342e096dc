import type { WaitingRoom } from '#contract/waiting-room.ts';
import { notOnSaleYet, onSaleFrom } from '#contract/waiting-room-words.ts';
import { Button } from '#web/ui/Button.tsx';
import { formatMoment, formatTime } from '#web/ui/format.ts';
import { handFocusOn } from '../pass-focus-to.ts';
import { SaleFrame } from './OnSaleCard.tsx';
import { countdown, peopleBefore, secondsUntil, waitInWords } from './sale-messages.ts';
import type { Turn } from './sale-stage.ts';

interface TurnCardProps {
  turn: Turn;
  sale: WaitingRoom;
  now: Date;
  timezone: string;
  onNewPlace: () => void;
  isGettingPlace: boolean;
}

const toCard = handFocusOn('#on-sale');

export function TurnCard({ turn, sale, now, timezone, onNewPlace, isGettingPlace }: TurnCardProps) {
  switch (turn.is) {
    case 'open':
      return null;
    case 'early':
      return (
        <SaleFrame title={notOnSaleYet} figure={<Countdown to={turn.startsAt} now={now} what="until sales start" />}>
          <p>{onSaleFrom(formatMoment(turn.startsAt, timezone))}</p>
          {turn.opensAt && (
            <p>
              The waiting room opens at {formatTime(turn.opensAt, timezone)}. Whoever is there by the start is drawn in
              random order, so nobody has to be first.
            </p>
          )}
        </SaleFrame>
      );
    case 'in-draw':
      return (
        <SaleFrame
          title="You are in the waiting room"
          figure={<Countdown to={turn.startsAt} now={now} what="until sales start" />}
        >
          <p>
            {onSaleFrom(formatMoment(turn.startsAt, timezone))} Then everyone who is here is drawn in random order
            {turn.people > 1 && `: ${turn.people.toLocaleString('en-US')} so far`}.
          </p>
          <KeepsPlace />
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
        <SaleFrame title="You are in the waiting room" figure={peopleBefore(turn.before)}>
          <p>
            Your turn comes in <b>{waitInWords(secondsUntil(turn.calledAt, now))}</b>. {paceInWords(sale)}
          </p>
          <KeepsPlace />
        </SaleFrame>
      );
    case 'called':
      return (
        <SaleFrame title="It is your turn" figure={<Countdown to={turn.until} now={now} what="left" />} isTurn>
          <p>Choose your tickets and open the checkout before the time is up. They are held for you from then on.</p>
        </SaleFrame>
      );
    case 'passed':
      return (
        <SaleFrame title="Your turn has passed">
          <p>With a new place you are at the end of those who wait now.</p>
          <Button ref={toCard} busy={isGettingPlace} onClick={onNewPlace}>
            Get a new place
          </Button>
        </SaleFrame>
      );
  }
}

/** A clock that is looked at, not listened to. */
function Countdown({ to, now, what }: { to: Date; now: Date; what: string }) {
  return (
    <span role="timer" aria-live="off">
      {countdown(secondsUntil(to, now))} <small>{what}</small>
    </span>
  );
}

function KeepsPlace() {
  return (
    <p>
      You can choose your tickets meanwhile. This browser keeps your place, also when you close the page or reload it.
    </p>
  );
}

function paceInWords({ paces }: WaitingRoom): string {
  const perMinute = paces.at(-1)?.perMinute ?? 0;
  return perMinute === 1
    ? 'One person a minute is let in.'
    : `${perMinute.toLocaleString('en-US')} people a minute are let in.`;
}
