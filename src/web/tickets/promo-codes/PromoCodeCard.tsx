import type { ReactNode } from 'react';
import type { OwnTicketType } from '#contract/app/events.ts';
import type { OwnPromoCode } from '#contract/app/sales/promo-codes.ts';
import { formatDollars } from '#messages/format.ts';
import { promoUses, promoWindow, promoSettings as text } from '#messages/sales/promo-codes.ts';
import { promoBenefit } from '#messages/sales/promo-field.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { CopyButton } from '#web/ui/button/CopyButton.tsx';
import { Chip } from '#web/ui/data/Chip.tsx';
import { formatShort } from '#web/ui/data/format.ts';
import styles from '../cards.module.css';
import shared from '../tickets.module.css';

interface PromoCodeCardProps {
  eventId: string;
  promo: OwnPromoCode;
  types: readonly OwnTicketType[];
  timezone: string;
  /** Null if nothing about it can change. */
  actions: { onEdit: () => void; onEnd: () => void } | null;
}

export function PromoCodeCard({ eventId, promo, types, timezone, actions }: PromoCodeCardProps) {
  const { code } = promo;
  const link = `${location.origin}/payment/${eventId}?code=${code}`;
  const shown = (instant: string | null) => instant && formatShort(instant, timezone);
  const validity = promoWindow({ from: shown(promo.validFrom), until: shown(promo.validUntil) });
  return (
    <li className={shared.type}>
      <div className={styles.card}>
        <div className={styles.what}>
          <h3 className={styles.code}>{code}</h3>
          <p>{promoBenefit({ kind: promo.kind, value: hundredths(promo.value) })}</p>
          {promo.isEnded ? <Chip>{text.ended}</Chip> : isExpired(promo) && <Chip>{text.expired}</Chip>}
        </div>
        <dl className={styles.facts}>
          <Fact term={text.appliesTo}>{namesOf(promo, types)}</Fact>
          <Fact term={text.used}>{promoUses(promo)}</Fact>
          {promo.maxPerOrder !== null && <Fact term={text.perOrder}>{text.atMost(promo.maxPerOrder)}</Fact>}
          {promo.kind !== 'unlock' && <Fact term={text.discountGiven}>{formatDollars(promo.discountGiven)}</Fact>}
          {validity && <Fact term={text.valid}>{validity}</Fact>}
          {actions && (
            <div className={styles.link}>
              <dt>{text.link}</dt>
              <dd>
                <a href={link}>{link}</a>
                <CopyButton text={link} label={text.copyLink(code)} />
              </dd>
            </div>
          )}
        </dl>
        {actions && (
          <div className={styles.choices}>
            <Button kind="ghost" aria-label={text.editLabel(code)} onClick={actions.onEdit}>
              {text.edit}
            </Button>
            <Button kind="ghost" aria-label={text.endLabel(code)} onClick={actions.onEnd}>
              {text.end}
            </Button>
          </div>
        )}
      </div>
    </li>
  );
}

/** Of a percent, or of a dollar. */
const hundredths = (value: number): number => Math.round(value * 100);

const isExpired = ({ validUntil }: OwnPromoCode): boolean =>
  validUntil !== null && Date.parse(validUntil) <= Date.now();

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function namesOf({ ticketIds, kind }: OwnPromoCode, types: readonly OwnTicketType[]): string {
  if (ticketIds === null) return text.allTypes(kind);
  const chosen = types.filter(({ ticketId }) => ticketIds.includes(ticketId));
  return chosen.map(({ ticketName }) => ticketName).join(', ') || text.goneTypes;
}
