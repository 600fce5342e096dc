import type { OrganizerEvent } from '#contract/app/events.ts';
import { journalFile } from '#contract/app/records/journal.ts';
import { statementFile } from '#contract/app/records/workspace.ts';
import { eventFiles as text } from '#messages/records/journal-file.ts';
import { statementButtons } from '#messages/records/statement-file.ts';
import { addressOf } from '#web/api.ts';
import { ButtonLink } from '#web/ui/button/Button.tsx';
import styles from './money.module.css';

/** What an accountant asks for. The journal is there from the start: refunds can leave a statement without tickets. */
export function EventFiles({ event: { eventId, payout, isCancelled } }: { event: OrganizerEvent }) {
  const hasStatement = payout.statement !== null && payout.statement.ticketsSold > 0 && !isCancelled;
  return (
    <section className={styles.card} aria-labelledby="money-files">
      <h2 id="money-files" className={styles.heading}>
        {text.title}
      </h2>
      {hasStatement && (
        <div className={styles.files}>
          <h3>{text.statement}</h3>
          {(['pdf', 'csv'] as const).map((format) => (
            <ButtonLink key={format} kind="ghost" href={addressOf(statementFile, { eventId, format }).url} download>
              {statementButtons[format]}
            </ButtonLink>
          ))}
        </div>
      )}
      <div className={styles.files}>
        <div className={styles.about}>
          <h3>{text.journal}</h3>
          <p>{text.journalHint}</p>
        </div>
        <ButtonLink kind="ghost" href={addressOf(journalFile, { eventId }).url} download>
          {text.downloadJournal}
        </ButtonLink>
      </div>
    </section>
  );
}
