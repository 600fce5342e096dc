import { useEffect, useRef, useState } from 'react';
import type { OwnTicketType } from '#contract/app/events.ts';
import { endPromoCode, type OwnPromoCode } from '#contract/app/sales/promo-codes.ts';
import { promoSettings as text } from '#messages/sales/promo-codes.ts';
import { call } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { ConfirmDialog } from '#web/ui/dialog/ConfirmDialog.tsx';
import { NotLoaded } from '#web/ui/feedback/NotLoaded.tsx';
import { Skeleton } from '#web/ui/feedback/Skeleton.tsx';
import styles from '../cards.module.css';
import shared from '../tickets.module.css';
import { PromoCodeCard } from './PromoCodeCard.tsx';
import { PromoCodeDialog } from './PromoCodeDialog.tsx';
import { usePromoCodes } from './use-promo-codes.ts';

type OpenDialog = { is: 'add' } | { is: 'edit' | 'end'; promo: OwnPromoCode };

interface PromoCodesProps {
  eventId: string;
  /** As they are saved. */
  types: readonly OwnTicketType[];
  timezone: string;
  mayEdit: boolean;
}

export function PromoCodes({ eventId, types, timezone, mayEdit }: PromoCodesProps) {
  const { codes, failure, reload } = usePromoCodes(eventId);
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const close = () => setOpen(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const hasEnded = useRef(false);
  // Once the dialog is gone: the button that opened it has gone with the other actions of an ended code.
  useEffect(() => {
    if (open || !hasEnded.current) return;
    hasEnded.current = false;
    heading.current?.focus();
  }, [open]);

  return (
    <section className={shared.section} aria-labelledby="promo-codes">
      <header className={styles.head}>
        <h2 id="promo-codes" ref={heading} tabIndex={-1}>
          {text.title}
        </h2>
        {mayEdit && codes && (
          <Button kind="ghost" onClick={() => setOpen({ is: 'add' })}>
            {text.add}
          </Button>
        )}
      </header>
      {failure && <NotLoaded {...failure} onRetry={reload} />}
      {!codes && !failure && <Skeleton className={styles.loading} />}
      {codes?.length === 0 && <p className={shared.zone}>{mayEdit ? text.empty : text.none}</p>}
      {codes && codes.length > 0 && (
        <ul className={shared.types}>
          {codes.map((promo) => (
            <PromoCodeCard
              key={promo.promoCodeId}
              {...{ eventId, promo, types, timezone }}
              actions={
                mayEdit && !promo.isEnded
                  ? { onEdit: () => setOpen({ is: 'edit', promo }), onEnd: () => setOpen({ is: 'end', promo }) }
                  : null
              }
            />
          ))}
        </ul>
      )}

      {(open?.is === 'add' || open?.is === 'edit') && (
        <PromoCodeDialog
          {...{ eventId, types, timezone }}
          stored={open.is === 'edit' ? open.promo : undefined}
          onSaved={reload}
          onClose={close}
        />
      )}
      {open?.is === 'end' && (
        <ConfirmDialog
          title={text.endTitle(open.promo.code)}
          why={text.endWhy}
          confirm={text.end}
          cancel={text.keep}
          send={() => call(endPromoCode, { eventId, promoCodeId: open.promo.promoCodeId })}
          onDone={() => {
            hasEnded.current = true;
            return reload();
          }}
          onClose={close}
        />
      )}
    </section>
  );
}
