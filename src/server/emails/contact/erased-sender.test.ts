import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { contactOrganizer as call } from '#contract/app/sales/contact.ts';
import { eraseEmails } from '#server/backoffice/privacy/erase.sql.ts';
import { erasedAddress } from '#server/platform/erased-address.ts';
import { newId } from '#server/platform/ids.ts';
import { eventOnSale, expectOk } from '#tests/support/people.ts';
import { startTestApp } from '#tests/support/test-app.ts';

it('a message that waits for the mail server is erased with its sender', async () => {
  const app = await startTestApp({ runsJobs: false });
  const { eventId } = await eventOnSale(app);
  for (const email of ['gone@example.com', 'stays@example.com'])
    expectOk(await app.call(call, { about: eventId, messageId: newId(), email, message: `From ${email}` }));

  await eraseEmails(app.db, { email: 'gone@example.com', erased: erasedAddress(newId()), at: app.now() });

  const { rows } = await sql<{ kind: string; said: string }>`
    select kind, params::text as said from email_outbox where kind like 'contact%' and state = 'queued' order by kind`.execute(
    app.db,
  );
  expect(rows.map(({ kind, said }) => [kind, /stays|gone/.exec(said)?.[0]])).toEqual([
    ['contact', 'stays'],
    ['contact-copy', 'stays'],
  ]);
  await app.close();
});
