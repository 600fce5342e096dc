/** Hostile names and reasons in the emails about accounts, teams, early check-ins, brakes, disputes and payouts. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { changeEmail, login, saveAccountInfo } from '#contract/app/accounts.ts';
import { adminActionItems, decideEarlyCheckIn } from '#contract/app/action-items.ts';
import * as brakes from '#contract/app/brakes.ts';
import { checkGuest } from '#contract/app/check-in.ts';
import { objectToCheckIn } from '#contract/app/early-check-ins.ts';
import { createEvent } from '#contract/app/events.ts';
import { requestPayout } from '#contract/app/payouts.ts';
import { deleteOrganization } from '#contract/app/privacy.ts';
import { testWebhook } from '#contract/app/programs/webhooks.ts';
import { changeRole, removeMember } from '#contract/app/team.ts';
import { viewAs } from '#contract/app/viewing.ts';
import { DRAFT_YEARS } from '#domain/retention.ts';
import { appointAdmin } from '#server/accounts/appoint-admin.ts';
import { remindOfEvidence } from '#server/backoffice/disputes/remind-of-evidence.ts';
import { sweepDrafts } from '#server/events/life/sweep-drafts.ts';
import { type ReadableMessage, readMessage } from '#server/platform/adapters/inbox/read-message.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import { newApiKey } from '#tests/support/api-keys.ts';
import { decideDispute, disputePayment } from '#tests/support/disputes.ts';
import { editEventOf } from '#tests/support/edited-event.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { openPayout } from '#tests/support/money.ts';
import { expectOnlyText } from '#tests/support/only-text.ts';
import { accountBecomes } from '#tests/support/payout-account.ts';
import {
  accountInfo,
  attendantOf,
  buyTickets,
  codesOf,
  emailsTo,
  eventForm,
  expectOk,
  newOrganizer,
  onboardedOrganizer,
  PASSWORD,
  verifiedOrganizer,
} from '#tests/support/people.ts';
import { newMember } from '#tests/support/team.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { newWebhook } from '#tests/support/webhook-receiver.ts';

/** Typed: markup, a header, a link, invisible characters. Shown: in one line, without the last. */
const typed = {
  title: '<b>Rush</b>\r\nBcc: all@evil.example\r\n\r\n\u202etxet',
  organization: '"><script>boom()</script>\r\nCc: a@evil.example\u2066',
  ticket: '<img src=x onerror=boom()>\r\nX-Evil: yes\u200b',
  reason: `<img src=x onerror=boom()>\r\nBcc: all@evil.example\r\n\r\n\u202e"'&amp; ${'W'.repeat(400)}`,
  email: "visit.evil.example'&amp=@evil.example",
  userAgent: '<b>Visit https://evil.example</b> now/1.0 (Windows NT 10.0) x',
};
const shown = {
  title: '<b>Rush</b> Bcc: all@evil.example txet',
  organization: '"><script>boom()</script> Cc: a@evil.example',
  ticket: '<img src=x onerror=boom()> X-Evil: yes',
  reason: `<img src=x onerror=boom()>\nBcc: all@evil.example\n\n"'&amp; ${'W'.repeat(400)}`,
};

/** What the emails of each kind say of it. The first six go to people who may not know the sender. */
const SAYS = {
  'email-change-alert': [`"${typed.email}"`],
  'new-login': [],
  'account-info-changed': [],
  invitation: [`"${shown.organization}"`],
  'role-changed': [`"${shown.organization}"`],
  'member-removed': [`"${shown.organization}"`],
  'organization-deleted': [`"${shown.organization}"`],
  'check-in-hours-changed': [shown.title],
  tickets: [shown.title, shown.ticket],
  'early-check-in': [shown.title, shown.ticket],
  'early-check-in-decided': [shown.title, shown.ticket],
  'sales-stopped': [shown.title, shown.reason],
  'payout-on-hold': [shown.title, shown.reason],
  suspended: [shown.organization, shown.reason],
  resumed: [shown.reason],
  'draft-deletion-ahead': [shown.title],
  'api-key-created': [],
  'webhook-created': [],
  'webhook-failing': [],
  'webhook-ended': [],
  'viewed-by-support': [],
  'payout-account-restricted': [],
  'dispute-opened': [shown.title],
  'evidence-due': [shown.title],
  'dispute-ended': [shown.title],
  'payout-sent': [shown.title],
};
const KINDS = Object.entries(SAYS).map(([kind, says]) => ({ kind, says }));
const QUOTING = new Set(Object.keys(SAYS).slice(0, 6));

let app: TestApp;
let emails: Map<string, ReadableMessage[]>;
beforeAll(async () => {
  app = await startTestApp();
  await causeEmails();
  emails = await emailsByKind();
});
afterAll(() => app?.close());

const HOUR = 60 * 60 * 1000;
const inHours = (hours: number) => new Date(app.now().getTime() + hours * HOUR).toISOString();

/** Nothing answers, for a day and then for five. */
async function causeWebhookEmails(visitor: Visitor) {
  const { endpointId } = await newWebhook(visitor, { url: 'http://127.0.0.1:1/hooks' });
  for (const [days, kind] of [
    [2, 'webhook-failing'],
    [6, 'webhook-ended'],
  ] as const) {
    const failingSince = new Date(inHours(-24 * days));
    await app.db.updateTable('webhookEndpoints').set({ failingSince }).where('id', '=', endpointId).execute();
    expectOk(await visitor.call(testWebhook, { endpointId }));
    const queued = () => app.db.selectFrom('emailOutbox').where('kind', '=', kind).select('id').execute();
    await vi.waitUntil(async () => (await queued()).length > 0, { timeout: 60_000 });
  }
}

async function causeEmails() {
  const operator = await newOrganizer(app);
  await appointAdmin(app.deps, { email: operator.email, isAdmin: true });
  const owner = await onboardedOrganizer(app);
  const { organizationId } = await actorOf(app.db, owner.email);
  const account = { ...accountInfo, firstName: typed.ticket, organizationName: typed.organization };
  expectOk(await owner.visitor.call(saveAccountInfo, account));
  const browser = app.visitor({ isBrowser: true });
  const credentials = { email: owner.email, password: PASSWORD };
  expect((await browser.send(login, credentials, { 'user-agent': typed.userAgent })).status).toBe(200);
  expectOk(await owner.visitor.call(changeEmail, { newEmail: typed.email }));

  const member = await newMember(app, owner, 'viewer');
  const { userId } = await actorOf(app.db, member.email);
  expectOk(await owner.visitor.call(changeRole, { userId, role: 'editor', onlyEventIds: null }));
  expectOk(await owner.visitor.call(removeMember, { userId }));

  const ticket = { ticketName: typed.ticket, ticketDescription: 'x', ticketPrice: 24, ticketQuantity: 20 };
  const times = { startDate_startTime: inHours(480), endDate_endTime: inHours(483) };
  const form = eventForm(app, { ...times, title: typed.title, tickets: [ticket] });
  const event = { ...owner, ...expectOk(await owner.visitor.call(createEvent, form)) };
  const { eventId, attendantCode } = event;
  const items = (quantity: number) => [{ ticketName: typed.ticket, quantity }];
  await buyTickets(app, eventId, items(9));
  const [confirmationNumber = ''] = codesOf(await buyTickets(app, eventId, items(1), 'early@example.com'));
  const door = await attendantOf(app, eventId, attendantCode);
  expectOk(await door.call(checkGuest, { eventId, confirmationNumber }));
  const link = (await emailsTo(app, 'early@example.com')).map(({ text }) =>
    /\/checked-in\/[\w-]{16}\/([\w-]{43})/.exec(text),
  );
  expectOk(await app.call(objectToCheckIn, { eventId, token: link.find(Boolean)?.[1] ?? '' }));
  const [item] = expectOk(await operator.visitor.call(adminActionItems, {})).items;
  const note = typed.reason;
  const decision = { action: 'keep-check-in' as const, subject: item?.subject ?? '', note };
  expectOk(await operator.visitor.call(decideEarlyCheckIn, decision));

  await newApiKey(owner.visitor);
  await causeWebhookEmails(owner.visitor);
  const leaving = await verifiedOrganizer(app);
  expectOk(await leaving.visitor.call(saveAccountInfo, account));
  expectOk(await leaving.visitor.call(deleteOrganization, {}));

  await newMember(app, owner, 'check-in');
  await editEventOf(app, event, { checkInOpens: inHours(479) });

  for (const brake of [brakes.stopSales, brakes.resumeSales, brakes.holdPayout, brakes.releasePayout])
    expectOk(await operator.visitor.call(brake, { eventId, note }));
  for (const brake of [brakes.suspendOrganization, brakes.resumeOrganization])
    expectOk(await operator.visitor.call(brake, { organizationId, note }));
  expectOk(await operator.visitor.call(viewAs, { organization: organizationId }));

  expectOk(await owner.visitor.call(createEvent, { ...form, isDraft: true }));
  const inTwoYears = () => new Date(inHours(DRAFT_YEARS * 365 * 24));
  await sweepDrafts({ ...app.deps, clock: { ...app.deps.clock, now: inTwoYears } });

  for (const status of ['restricted', 'active'] as const) await accountBecomes(app, organizationId, status);
  const disputeId = await disputePayment(app, eventId, { which: 1 });
  await app.advance({ days: 18, hours: 12 });
  await remindOfEvidence(app.deps);
  await decideDispute(app, disputeId, 'lost');
  await openPayout(app, event);
  expectOk(await owner.visitor.call(requestPayout, { eventId }));
  await app.settle();
}

/** Sent emails with all their headers. */
async function emailsByKind() {
  const { rows } = await sql<{ kind: string; id: string; raw: Buffer; receivedAt: Date }>`
    select m.kind, i.id, i.raw, i.received_at from inbox_messages i join email_outbox m on i.message_id like m.id || '@%'
     order by i.received_at`.execute(app.db);
  const byKind = new Map<string, ReadableMessage[]>();
  for (const { kind, ...row } of rows) byKind.set(kind, [...(byKind.get(kind) ?? []), await readMessage(row)]);
  return byKind;
}

const HEADERS = [
  'From',
  'To',
  'Subject',
  'Message-ID',
  'Date',
  'MIME-Version',
  'Content-Type',
  'Content-Transfer-Encoding',
];
/** Controls, and what turns the direction of a text. */
const UNSEEN = /[^\P{Cc}\n]|[\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u;

describe.each(KINDS)('the email $kind', ({ kind, says }) => {
  it('has only our headers, and no markup or invisible character of others', () => {
    const sent = emails.get(kind) ?? [];
    expect(sent).not.toEqual([]);
    for (const { headers, subject, text, html } of sent) {
      const names = headers.map(({ name }) => name);
      expect(names.filter((name) => !HEADERS.includes(name))).toEqual([]);
      expect(new Set(names).size).toBe(names.length);
      expect(subject).not.toMatch(/\n/);
      for (const part of [subject, text, html.replaceAll('\t', '')]) expect(part).not.toMatch(UNSEEN);
      expectOnlyText(html.replace(/<style>[^<]*<\/style>/g, ''));
      expect(html).not.toContain('<b>');
      expect(text).not.toMatch(/&lt;|&#39;|&quot;/);
    }
  });

  it('says it readably in plain text, and makes no link of it [EMAIL-7]', () => {
    for (const { text } of emails.get(kind) ?? []) {
      for (const said of says) expect(text.replaceAll('\u2060', '')).toContain(said);
      if (QUOTING.has(kind)) expect(text).not.toContain('evil.example');
    }
  });
});
