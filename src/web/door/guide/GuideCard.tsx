import { Button } from '#web/ui/button/Button.tsx';
import { CheckboxField } from '#web/ui/form/fields.tsx';
import { Icon } from '#web/ui/icons/Icon.tsx';
import styles from '../door.module.css';

interface GuideCardProps {
  printsCode: boolean;
  onPrintsCode: (printsCode: boolean) => void;
  isShown: boolean;
  onShow: (isShown: boolean) => void;
}

export function GuideCard({ printsCode, onPrintsCode, isShown, onShow }: GuideCardProps) {
  return (
    <section className={styles.card} aria-labelledby="guide">
      <h2 id="guide">Door guide</h2>
      <p className={styles.faint}>A one-page cheat sheet for the door.</p>
      <CheckboxField
        label="Include the attendant code"
        name="withCode"
        hint="Anyone who sees it can scan tickets."
        checked={printsCode}
        onChange={(change) => onPrintsCode(change.target.checked)}
      />
      <div className={styles.buttons}>
        <Button onClick={() => window.print()}>
          <Icon name="printer" /> Print
        </Button>
        <Button kind="ghost" aria-expanded={isShown} aria-controls="door-guide" onClick={() => onShow(!isShown)}>
          {isShown ? 'Hide preview' : 'Show preview'}
        </Button>
      </div>
    </section>
  );
}
