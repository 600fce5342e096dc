import type { ReactNode } from 'react';
import type { OrganizerEvent } from '#contract/app/events.ts';
import { guestFile } from '#contract/app/guests.ts';
import { eventFile, eventFileKinds } from '#contract/app/records/event-files.ts';
import { journalFile } from '#contract/app/records/journal.ts';
import { statementFile } from '#contract/app/records/workspace.ts';
import { eventFileTexts } from '#messages/records/event-files.ts';
import { eventFiles as text } from '#messages/records/journal-file.ts';
import { statementButtons } from '#messages/records/statement-file.ts';
import { addressOf } from '#web/api.ts';
import { Button, ButtonLink } from '#web/ui/button/Button.tsx';
import { downloadFile } from '#web/ui/page/download-file.ts';
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
      <EventFileRow name={text.journal} hint={text.journalHint}>
        <ButtonLink kind="ghost" href={addressOf(journalFile, { eventId }).url} download>
          {text.downloadJournal}
        </ButtonLink>
      </EventFileRow>
      {eventFileKinds.map((kind) => (
        <EventFileRow key={kind} name={eventFileTexts.names[kind]} hint={eventFileTexts.hints[kind]}>
          <Download
            name={eventFileTexts.names[kind]}
            url={addressOf(eventFile, { eventId, kind }).url}
            isPersonal={PERSONAL.has(kind)}
          />
        </EventFileRow>
      ))}
      <EventFileRow name={eventFileTexts.guests} hint={eventFileTexts.guestsHint}>
        <Download name={eventFileTexts.guests} url={addressOf(guestFile, { eventId, all: '1' }).url} isPersonal />
      </EventFileRow>
    </section>
  );
}

const PERSONAL: ReadonlySet<string> = new Set(['orders', 'check-ins']);

function EventFileRow({ name, hint, children }: { name: string; hint: string; children: ReactNode }) {
  return (
    <div className={styles.files}>
      <div className={styles.about}>
        <h3>{name}</h3>
        <p>{hint}</p>
      </div>
      {children}
    </div>
  );
}

/** A file with personal data may take the password first. */
function Download({ name, url, isPersonal }: { name: string; url: string; isPersonal: boolean }) {
  const label = eventFileTexts.downloadNamed(name);
  if (isPersonal)
    return (
      <Button kind="ghost" aria-label={label} onClick={() => downloadFile(url)}>
        {eventFileTexts.download}
      </Button>
    );
  return (
    <ButtonLink kind="ghost" href={url} aria-label={label} download>
      {eventFileTexts.download}
    </ButtonLink>
  );
}
