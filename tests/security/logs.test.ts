/** Runs the full life of the server, with failures, and searches the log for personal data. */
import { createServer, type Server } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as accounts from '#contract/app/accounts.ts';
import { checkGuest, enterAttendantCode } from '#contract/app/check-in.ts';
import { requestPayout } from '#contract/app/payouts.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { smtpMailer } from '#server/platform/adapters/smtp/smtp-mailer.ts';
import { clearFaults, openPayout, planFault, postWebhook } from '#tests/support/money.ts';
import {
  accountInfo,
  attendantOf,
  buyTickets,
  cardWith,
  codesOf,
  emailsTo,
  eventOnSale,
  generalAdmission,
  newOrganizer,
  openCheckout,
  PASSWORD,
} from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

const lines: string[] = [];
const FORGED = '{"level":60,"msg":"forged"}';
/** Values that must not appear in the log, by kind. */
const secrets = new Map<string, string>([
  ['password', PASSWORD],
  ['wrong password', 'wrong horse battery'],
  ['first name', accountInfo.firstName],
  ['last name', accountInfo.lastName],
  ['phone', accountInfo.phoneNumber],
  ['birthday', accountInfo.dateOfBirth],
  ['tax id', '12-3456789'],
  ['tax id, bare', '123456789'],
  ['organization', accountInfo.organizationName],
  ['bio', accountInfo.organizationBio],
  ['buyer', 'sam@example.com'],
  ['card holder', 'Sam Buyer'],
  ['card', '4242424242424242'],
  ['in a query', 'query@example.com'],
  ['in a path', 'path@example.com'],
  ['in a body', 'body@example.com'],
  ['in a header', 'header@example.com'],
]);

let app: TestApp;
let mailServer: Server;

beforeAll(async () => {
  app = await startTestApp({ logTo: { write: (line) => void lines.push(line) }, refundDelayMinutes: 30 });
  mailServer = await refusingMailServer();
  await aWholeLife();
  await app.settle();
});
afterAll(async () => {
  mailServer.close();
  await app.close();
});

async function aWholeLife() {
  const event = await eventOnSale(app);
  keep('organizer', event.email).keep('attendant code', event.attendantCode);
  for (const message of await emailsTo(app, event.email)) keepLinks(message.text);
  await event.visitor.call(accounts.login, { email: event.email, password: 'wrong horse battery' });
  await event.visitor.call(accounts.forgotPassword, { email: event.email });
  await event.visitor.call(accounts.changeEmail, { newEmail: 'body@example.com' });

  const order = await buyTickets(app, event.eventId, generalAdmission(3));
  keep('session id', order.sessionId);
  for (const code of codesOf(order)) keep('confirmation number', code);
  const [scanned = '', given = ''] = codesOf(order);
  const door = await attendantOf(app, event.eventId, event.attendantCode);
  const visitor = app.visitor();
  await visitor.call(enterAttendantCode, { eventId: event.eventId, formData: { attendantCode: 'ZZZZZZZZZZ' } });
  await door.call(checkGuest, { eventId: event.eventId, confirmationNumber: scanned });
  await door.call(checkGuest, { eventId: event.eventId, confirmationNumber: scanned });
  await visitor.call(requestRefund, { eventId: event.eventId, confirmationCode: given });
  await visitor.call(requestRefund, { eventId: event.eventId, confirmationCode: scanned });
  for (const one of ['sam@example.com', event.email, 'body@example.com'])
    for (const message of await emailsTo(app, one)) keepLinks(message.text);

  await whatIsNoRequest(event.eventId);
  await whatFails(event);
  keepCookies(event.visitor.cookies);
  keepCookies(door.cookies);
  await openPayout(app, event);
  keepCookies(event.visitor.cookies);
  await event.visitor.call(requestPayout, { eventId: event.eventId });
  await event.visitor.call(accounts.logout, {});
}

/** URLs and headers with personal data, malformed bodies, and unsigned webhooks. */
async function whatIsNoRequest(eventId: string) {
  const visitor = app.visitor();
  await visitor.fetch('/nowhere?email=query@example.com&token=secret-in-query');
  await visitor.fetch('/api/public/path@example.com/secret-in-path');
  await visitor.fetch(`/api/public/event/${encodeURIComponent(`${eventId}\r\n${FORGED}`)}`);
  await visitor.fetch('/%0d%0a%7B%22level%22%3A60%7D?x=%0a{"level":60}', {
    headers: { 'user-agent': 'header@example.com' },
  });
  await visitor.send(accounts.login, { email: `body@example.com\r\n${FORGED}`, password: 'wrong horse battery' });
  await visitor.fetch('/api/public/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json', referer: 'https://x/header@example.com' },
    body: '{"email":"body@example.com"',
  });
  await visitor.fetch('/api/public/register', {
    method: 'POST',
    headers: { 'content-type': 'body@example.com' },
    body: 'x',
  });
  await visitor.fetch('/api/webhooks/stripe', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': 't=1,v1=secret-signature' },
    body: '{"customer_email":"body@example.com"}',
  });
  const session = { id: 'cs_unknown', object: 'checkout.session', customer_details: { email: 'body@example.com' } };
  await postWebhook(
    app,
    JSON.stringify({
      id: 'evt_unknown',
      object: 'event',
      type: 'checkout.session.completed',
      data: { object: session },
    }),
  );
  for (const secret of ['secret-in-query', 'secret-in-path', 'secret-signature']) keep('secret', secret);
}

/** The database, the mail server and Stripe each fail with personal data in the error. */
async function whatFails({ visitor, eventId, email }: Awaited<ReturnType<typeof eventOnSale>>) {
  const { deps } = app;
  await sqlOf(`alter table users add constraint first_name_allowed check (first_name <> 'Zelda')`);
  keep('name in a row', 'Zelda');
  await visitor.call(accounts.saveAccountInfo, { ...accountInfo, firstName: 'Zelda' });
  await sqlOf(`create function speak() returns trigger language plpgsql as $$ begin
    raise exception E'no % <%> for\\n${FORGED}', new.email, new.password_hash using detail = new.email, hint = new.email; end $$`);
  await sqlOf('create trigger speaks before insert on users for each row execute function speak()');
  await visitor.call(accounts.register, {
    email: 'body@example.com',
    password: PASSWORD,
    confirmPassword: PASSWORD,
    acceptedTerms: true,
  });
  await sqlOf('drop trigger speaks on users');
  await sqlOf('alter table users drop constraint first_name_allowed');

  const mailer = deps.mailer;
  const address = mailServer.address();
  deps.mailer = smtpMailer({
    url: `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    allowsPlainText: true,
    from: 'a@b.example',
  });
  const late = await newOrganizer(app);
  keep('organizer', late.email);
  await app.settle();
  deps.mailer = mailer;

  await planFault(app, { match: { method: 'POST', path: '/v1/checkout/sessions' }, mode: 'error_before', times: 9 });
  await openCheckout(app, eventId, generalAdmission(1)).catch(() => {});
  await clearFaults(app);
  await buyTickets(app, eventId, generalAdmission(1), email, cardWith('4000 0000 0000 0002')).catch(() => {});
}

async function sqlOf(statement: string): Promise<void> {
  await sql.raw(statement).execute(app.db);
}

/** Accepts an email's sender and rejects its recipient, by address. */
async function refusingMailServer(): Promise<Server> {
  const server = createServer((socket) => {
    socket.write('220 here\r\n');
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      const recipient = /RCPT TO:<(.*?)>/i.exec(bytes.toString())?.[1];
      socket.write(recipient ? `550 5.1.1 ${recipient} Ada Cooper is unknown\r\n` : '250 fine\r\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function keep(what: string, secret: string) {
  secrets.set(`${what} ${secrets.size}`, secret);
  return { keep };
}

/** Links in emails contain secrets as well. */
function keepLinks(text: string) {
  for (const [, token = ''] of text.matchAll(/(?:token=|reset-password\/|refund\/[\w-]+\/)([\w%-]{20,})/g))
    keep('link', token);
}

function keepCookies(cookies: ReadonlyMap<string, string>) {
  for (const [name, value] of cookies) keep(`cookie ${name}`, value);
}

describe('the log of a full run', () => {
  it('contains failures of each kind', () => {
    const messages = new Set(lines.map((line) => String(JSON.parse(line).msg)));

    expect([...messages]).toEqual(expect.arrayContaining(['unexpected error', 'a job failed', 'request refused']));
    expect(secrets.size).toBeGreaterThan(30);
  });

  it('contains no person, password, token, cookie, number or secret URL', () => {
    const log = lines.join('');
    const found = [...secrets].filter(([, secret]) => log.includes(secret));

    expect(found).toEqual([]);
    expect(log).not.toMatch(/[\w.+-]+@[\w-]+\.\w+/);
  });

  it('contains no line injected by a client', () => {
    const parsed = lines.map((line) => JSON.parse(line) as { msg: string; level: number });

    expect(lines.filter((line) => line.trimEnd().includes('\n'))).toEqual([]);
    expect(parsed.filter(({ msg }) => msg === 'forged')).toEqual([]);
  });

  it('says what failed and where', () => {
    const errors = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'unexpected error');

    expect(errors).toContainEqual(
      expect.objectContaining({
        reqId: expect.any(String),
        err: expect.objectContaining({
          code: '23514',
          rule: 'users first_name_allowed',
          stack: expect.arrayContaining([expect.stringContaining('.ts:')]),
        }),
      }),
    );
  });
});
