import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hurryJobs } from '#tests/support/heal.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { until } from '#tests/support/metrics.ts';
import { buyTickets, codesOf, eventOnSale, generalAdmission } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { type MailServer, openMailServer } from './two-servers/mail-server.ts';
import { openTwoServers, type TwoServers } from './two-servers/open-two-servers.ts';

let mailServer: MailServer;
let stage: TwoServers;
let eventId: string;
beforeAll(async () => {
  mailServer = await openMailServer();
  const environment = { SMTP_URL: mailServer.url, SMTP_PLAIN_TEXT: '1' };
  stage = await openTwoServers([environment, environment], mailServer.inboxUrl);
  ({ eventId } = await eventOnSale({ ...siteOf(stage.servers[0]), publicUrl: mailServer.inboxUrl }));
});
afterEach(async () => {
  mailServer.reply = { code: null };
  mailServer.onAccepted = async () => {};
  await untilAllIsSent();
});
afterAll(async () => {
  await stage?.close();
  await mailServer?.close();
});

/** Buys on each server. Returns the buyers' addresses. */
async function buyAtBoth(name: string): Promise<string[]> {
  const buyers = [];
  for (const [index, server] of stage.servers.entries()) {
    const email = `${name}-${index}@example.com`;
    // The page shows the numbers without waiting for the email.
    const order = await buyTickets(siteOf(server), eventId, generalAdmission(1), email);
    expect(codesOf(order)).toHaveLength(1);
    buyers.push(email);
  }
  return buyers;
}

const receivedBy = (email: string) => mailServer.arrived.filter(({ to }) => to === email);

const unsent = () =>
  stage.db.selectFrom('emailOutbox').where('state', '=', 'queued').select(['toAddress', 'id']).execute();

async function untilTried(email: string): Promise<void> {
  await until(`the email to ${email} was tried`, async () => {
    const { rows } = await sql<{ attempts: number }>`
      select coalesce(max(j.attempts), 0)::int as attempts
        from graphile_worker._private_jobs j join email_outbox m on j.payload ->> 'emailId' = m.id::text
       where m.to_address = ${email} and j.last_error is not null`.execute(stage.db);
    return (rows[0]?.attempts ?? 0) > 0;
  });
}

async function untilAllIsSent(): Promise<void> {
  await until(
    'all email is sent',
    async () => {
      await hurryJobs(stage.db);
      return (await unsent()).length === 0;
    },
    60,
  );
}

describe('a mail server with failures', () => {
  it('is down for a while: buyers see their tickets, and each gets one email afterwards', async () => {
    mailServer.reply = { code: 421 };
    const buyers = await buyAtBoth('down');
    for (const email of buyers) await untilTried(email);
    expect(buyers.flatMap(receivedBy)).toEqual([]);

    mailServer.reply = { code: null };
    await untilAllIsSent();
    expect(buyers.map((email) => receivedBy(email).length)).toEqual([1, 1]);
  });

  it('rejects one address permanently: that email becomes an action item, and the others are sent', async () => {
    mailServer.reply = { code: 550, onlyTo: 'refused-0@example.com' };
    const [refused = '', other = ''] = await buyAtBoth('refused');
    await untilTried(refused);
    await until('the other one has its email', async () => receivedBy(other).length === 1);

    await until('only that email is left', async () => (await unsent()).length === 1);
    expect((await unsent()).map(({ toAddress }) => toAddress)).toEqual([refused]);
  });

  it('accepts an email when the server dies before the reply: the second copy has the same id', async () => {
    const { promise: killed, resolve: isKilled } = Promise.withResolvers<void>();
    mailServer.onAccepted = async ({ to }) => {
      if (to !== 'crash-0@example.com') return;
      mailServer.onAccepted = async () => {};
      // Either server may be the one that sends it.
      await Promise.all(stage.servers.map((server) => server.kill()));
      isKilled();
    };
    await buyTickets(siteOf(stage.servers[0]), eventId, generalAdmission(1), 'crash-0@example.com').catch(() => {});
    await killed;
    await stage.bringBack();
    await untilAllIsSent();

    const emails = receivedBy('crash-0@example.com');
    expect(emails).toHaveLength(2);
    expect(new Set(emails.map(({ messageId }) => messageId)).size).toBe(1);
    expect(await brokenInvariants(stage.db)).toEqual([]);
  });
});
