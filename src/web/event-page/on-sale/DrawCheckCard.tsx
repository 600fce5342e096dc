import { useEffect, useState } from 'react';
import type { PublicDraw } from '#contract/app/waiting-room.ts';
import { drawCheck } from '#messages/waiting-room.ts';
import { loadCode } from '#web/load-code.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import type { DrawCheck } from './check-draw.ts';
import { type DrawNote, notedDraw } from './draw-note.ts';
import { SaleFrame } from './OnSaleCard.tsx';
import styles from './on-sale.module.css';

/** Once the draw's key is public: lets a buyer who took part verify their position. */
export function DrawCheckCard({ eventId, draw }: { eventId: string; draw: PublicDraw }) {
  const [note, setNote] = useState<DrawNote | null>(null);
  const [check, setCheck] = useState<DrawCheck | null>(null);
  const [isChecking, setIsChecking] = useState(false);
  const { key } = draw;
  useEffect(() => setNote(notedDraw(eventId)), [eventId, key]);

  async function run(from: DrawNote) {
    setIsChecking(true);
    try {
      const { checkDraw } = await loadCode(() => import('./check-draw.ts'));
      setCheck(await checkDraw(from, draw));
    } catch {
      // Browsers have no keyed hash on pages without https.
      toast.error(drawCheck.failed);
    }
    setIsChecking(false);
  }

  if (key === null || note === null || note.position === null) return null;
  const facts = [
    [drawCheck.hash, note.hash],
    [drawCheck.key, key],
    [drawCheck.arrival, note.arrival.toLocaleString('en-US')],
    [drawCheck.position, note.position.toLocaleString('en-US')],
  ] as const;
  return (
    <SaleFrame id="draw" title={drawCheck.title}>
      <p>{drawCheck.intro}</p>
      <Button kind="ghost" busy={isChecking} onClick={() => void run(note)}>
        {drawCheck.action}
      </Button>
      {check && (
        <dl className={styles.draw}>
          {[...facts, [drawCheck.recalculated, check.recalculated.toLocaleString('en-US')] as const].map(
            ([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ),
          )}
        </dl>
      )}
      <p role="status">{check && <b>{check.isMatch ? drawCheck.matches : drawCheck.differs}</b>}</p>
    </SaleFrame>
  );
}
