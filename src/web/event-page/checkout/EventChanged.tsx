import type { ChangedPage } from '#contract/app/sales/page-changes.ts';
import { eventChanged as text } from '#messages/records/page-changes.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { bringIntoView } from '#web/ui/page/bring-into-view.ts';
import styles from '../cart/cart.module.css';
import { passFocusTo } from '../pass-focus-to.ts';

const focusTitle = passFocusTo('h1');

/** For a buyer who would get something else than their page showed. */
export function EventChanged({ changed, onGoOn }: { changed: ChangedPage; onGoOn: () => void }) {
  return (
    <div ref={bringIntoView}>
      <Banner kind="warning" role="alert" title={text.title}>
        <div className={styles.openCheckout}>
          {changed.changes.map(({ what, msg }) => (
            <p key={what}>{msg}</p>
          ))}
          <p>{text.text}</p>
          <Button ref={focusTitle} onClick={onGoOn}>
            {text.goOn}
          </Button>
        </div>
      </Banner>
    </div>
  );
}
