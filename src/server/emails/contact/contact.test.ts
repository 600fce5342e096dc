/** Messages to organizers, from buyers and from anyone who reads an event's page. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { suspendOrganization } from '#contract/app/brakes.ts';
import { cancelEvent, publicEvent } from '#contract/app/events.ts';
import { contactOrganizer as call } from '#contract/app/sales/contact.ts';
import { CONTACT_TEXT_MAX } from '#domain/limits.ts';
import type { ReadableMessage } from '#server/platform/adapters/inbox/read-message.ts';
import { erasedAddress } from '#server/platform/erased-address.ts';
import { newId } from '#server/platform/ids.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { inboxOf } from '#tests/support/inbox-of.ts';
import { newOperator } from '#tests/support/new-operator.ts';
import { buyTickets, eventOnSale, expectOk, generalAdmission, goodCard } from '#tests/support/people.ts';
import { newMember } from '#tests/support/team.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { contactOrganizer } from './contact-organizer.ts';
import { readContactPage } from './find-contact.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ rateLimitScale: 1 });
});
afterAll(() => app.close());

let senders = 0;
const newSender = () => `sender-${++senders}@example.com`;

const messageTo = (about: string, change: Partial<Parameters<typeof contactOrganizer>[1]> = {}) => ({
  about,
  messageId: newId(),
  email: newSender(),
  message: 'Is there a lift?\nI use a wheelchair.',
  ...change,
});

/** From an address of the Internet: this machine has no limit. */
const sendFrom = (ip: string, about: string, change: Parameters<typeof messageTo>[1] = {}) =>
  contactOrganizer(app.deps, messageTo(about, change), ip);

async function messagesTo(organizer: string): Promise<ReadableMessage[]> {
  await app.settle();
  return (await inboxOf(app.db, organizer)).filter(({ subject }) => subject.startsWith('Message about '));
}

const replyTo = ({ headers }: ReadableMessage) => headers.find(({ name }) => /^reply-to$/i.test(name))?.value;

describe('a message to an organizer', () => {
  it('arrives as plain text, and is answered by Reply-To [PAGE-4]', async () => {
    const event = await eventOnSale(app, { title: 'Lift Night' });
    const typed = messageTo(event.eventId, { message: '<b>Hi</b>\nhttps://evil.example/pay a@b.example' });

    expectOk(await app.call(call, typed));

    const [email, ...more] = await messagesTo(event.email);
    expect(more).toEqual([]);
    expect(email?.subject).toBe('Message about Lift Night');
    expect(email?.from).toBe('Handstamp <tickets@handstamp.example>');
    expect(email && replyTo(email)).toBe(typed.email);
    expect(email?.text.replaceAll('\u2060', '')).toContain('> <b>Hi</b>\n> https://evil.example/pay a@b.example');
    expect(email?.html.replaceAll('\u2060', '')).toContain('&lt;b&gt;Hi&lt;/b&gt;<br>');
    expect(email?.text).not.toContain('evil.example');
    expect(email?.text).toContain("haven't confirmed");
  });

  it('is copied to its sender without the address of the organizer [PAGE-4]', async () => {
    const event = await eventOnSale(app);
    const typed = messageTo(event.eventId, { message: 'word '.repeat(100) });
    expectOk(await app.call(call, typed));
    await app.settle();
    const [copy] = await inboxOf(app.db, typed.email ?? '');

    expect(copy?.subject).toBe('We passed on your message');
    expect(`${copy?.text}${copy?.html}`).not.toContain(event.email);
    expect(/It begins: "([^"]*)"/.exec(copy?.text ?? '')?.[1]).toHaveLength(60);
    expect(copy && replyTo(copy)).toBeUndefined();
  });

  it('of a buyer needs no address: the order has a confirmed one [PAGE-4 ORDER-2]', async () => {
    const event = await eventOnSale(app);
    const buyer = newSender();
    const name = 'Sofia Marchetti';
    const { details } = await buyTickets(app, event.eventId, generalAdmission(1), buyer, { ...goodCard, name });
    const token = details?.token ?? '';

    expect(await readContactPage(app.deps, token)).toMatchObject({ email: buyer, eventId: event.eventId });
    expectOk(await app.call(call, messageTo(token, { email: 'someone-else@example.com' })));

    const [email] = await messagesTo(event.email);
    expect(email && replyTo(email)).toBe(buyer);
    expect(email?.text).toContain('Message from a buyer');
    expect(email?.text).toContain('Sofia Marchetti');
    expect(email?.text).not.toContain("haven't confirmed");
  });

  it('reaches each owner, and no other member [PAGE-4]', async () => {
    const event = await eventOnSale(app);
    const owner = await newMember(app, event, 'owner');
    const editor = await newMember(app, event, 'editor');
    expectOk(await app.call(call, messageTo(event.eventId)));

    for (const [address, count] of [
      [event.email, 1],
      [owner.email, 1],
      [editor.email, 0],
    ] as const)
      expect(await messagesTo(address)).toHaveLength(count);
  });

  it('is one, however often it is sent, and at once [PAGE-4]', async () => {
    const event = await eventOnSale(app);
    const typed = messageTo(event.eventId);
    const answers = await Promise.all([1, 2, 3].map(() => app.call(call, typed)));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await messagesTo(event.email)).toHaveLength(1);
    expect((await inboxOf(app.db, typed.email ?? '')).length).toBe(1);
  });

  it('leaves nothing of its text behind once it is sent', async () => {
    const event = await eventOnSale(app);
    expectOk(await app.call(call, messageTo(event.eventId, { message: 'Remember-this-word' })));
    await messagesTo(event.email);
    const { rows } = await sql`select 1 from email_outbox where params::text like '%Remember-this-word%'`.execute(
      app.db,
    );

    expect(rows).toEqual([]);
  });

  it('is text of at most 2,000 characters, from an address [PAGE-4]', async () => {
    const event = await eventOnSale(app);
    const refused = async (change: Parameters<typeof messageTo>[1]) =>
      (await app.call(call, messageTo(event.eventId, change))).status;

    expect(await refused({ message: '' })).toBe(400);
    expect(await refused({ message: ' \u200b\n\u202e' })).toBe(400);
    expect(await refused({ message: 'x'.repeat(CONTACT_TEXT_MAX + 1) })).toBe(400);
    expect(await refused({ email: 'a@b.example\r\nBcc: c@d.example' })).toBe(400);
    expect(await refused({ email: undefined })).toBe(400);
    expect(await refused({ messageId: 'x' })).toBe(400);
    expect(await messagesTo(event.email)).toEqual([]);
    expectOk(await app.call(call, messageTo(event.eventId, { message: 'x', honeypot: 'x' })));
    expect(await messagesTo(event.email)).toEqual([]);
    expectOk(await app.call(call, messageTo(event.eventId, { message: '🎺'.repeat(CONTACT_TEXT_MAX / 2) })));
    expect(await messagesTo(event.email)).toHaveLength(1);
  });
});

describe('who cannot be reached', () => {
  it('is the organizer of an unknown event, or of a forged order', async () => {
    const event = await eventOnSale(app);
    const { details } = await buyTickets(app, event.eventId, generalAdmission(1), newSender());
    const token = details?.token ?? '';
    for (const about of ['AAAAAAAAAAAAAAAA', 'x', '', `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`]) {
      expect(await readContactPage(app.deps, about)).toBeNull();
      expect(await app.call(call, messageTo(about))).toMatchObject({ status: 404, body: errorBody('event.not-found') });
    }
  });

  it('is a suspended organization, or one without a verified owner', async () => {
    const event = await eventOnSale(app);
    const operator = await newOperator(app);
    const { organizationId } = await actorOf(app.db, event.email);
    expectOk(await operator.call(suspendOrganization, { organizationId, note: 'Not theirs.' }));
    const denied = { status: 409, body: errorBody('contact.unreachable') };
    expect(await app.call(call, messageTo(event.eventId))).toMatchObject(denied);
    expect(await readContactPage(app.deps, event.eventId)).toMatchObject({ state: 'unreachable' });

    const other = await eventOnSale(app);
    const unverified = await actorOf(app.db, other.email);
    await app.db.updateTable('users').set({ emailVerifiedAt: null }).where('id', '=', unverified.userId).execute();
    expect(await app.call(call, messageTo(other.eventId))).toMatchObject(denied);
  });

  it('is not the organizer of a cancelled event', async () => {
    const event = await eventOnSale(app);
    expectOk(await event.visitor.call(cancelEvent, { eventId: event.eventId }));

    expectOk(await app.call(call, messageTo(event.eventId)));
  });

  it('has an address on no page and in no answer [PAGE-4]', async () => {
    const event = await eventOnSale(app);
    const { details } = await buyTickets(app, event.eventId, generalAdmission(1), newSender());
    const answers = [
      await readContactPage(app.deps, event.eventId),
      await readContactPage(app.deps, details?.token ?? ''),
      await app.call(publicEvent, { eventId: event.eventId }),
      await app.call(call, messageTo(event.eventId)),
    ];

    expect(JSON.stringify(answers)).not.toContain(event.email);
  });
});

describe('messages are limited', () => {
  it('to three an hour from one network', async () => {
    const { eventId } = await eventOnSale(app);
    for (let host = 1; host <= 3; host++) await sendFrom(`203.0.113.${host}`, eventId);

    await expect(sendFrom('203.0.113.9', eventId)).rejects.toMatchObject({ code: 'rate-limit.exceeded' });
    await sendFrom('203.0.114.1', eventId);
  });

  it('to three an hour from one address, in any case', async () => {
    const { eventId } = await eventOnSale(app);
    const email = newSender();
    for (let network = 1; network <= 3; network++) await sendFrom(`198.51.${network}.1`, eventId, { email });

    await expect(sendFrom('198.51.9.1', eventId, { email: email.toUpperCase() })).rejects.toMatchObject({
      code: 'rate-limit.exceeded',
    });
  });

  it('to 20 a day about one event, which leaves its buyers three an hour', async () => {
    const event = await eventOnSale(app);
    const { details } = await buyTickets(app, event.eventId, generalAdmission(1), newSender());
    for (let network = 1; network <= 20; network++) await sendFrom(`100.64.${network}.1`, event.eventId);

    await expect(sendFrom('100.65.1.1', event.eventId)).rejects.toMatchObject({ code: 'rate-limit.exceeded' });
    for (let time = 0; time < 3; time++) await sendFrom('100.65.1.1', details?.token ?? '');
    await expect(sendFrom('100.66.1.1', details?.token ?? '')).rejects.toMatchObject({ code: 'rate-limit.exceeded' });
  });
});

it('the address of an erased buyer is asked for', async () => {
  const event = await eventOnSale(app);
  const { details } = await buyTickets(app, event.eventId, generalAdmission(1), newSender());
  const token = details?.token ?? '';
  await sql`update orders set buyer_email = ${erasedAddress(newId())} where event_id = ${event.eventId}`.execute(
    app.db,
  );

  expect(await readContactPage(app.deps, token)).toMatchObject({ email: null });
  expect(await app.call(call, messageTo(token, { email: undefined }))).toMatchObject({
    status: 400,
    body: errorBody('contact.no-address'),
  });
});

it('the organizer cannot be reached from 30 days after the event', async () => {
  const { eventId } = await eventOnSale(app);
  await app.advance({ days: 31 });
  expect(await readContactPage(app.deps, eventId)).toMatchObject({ state: 'open' });
  await app.advance({ hours: 4 });

  expect(await readContactPage(app.deps, eventId)).toMatchObject({ state: 'closed' });
  expect(await app.call(call, messageTo(eventId))).toMatchObject({ status: 409, body: errorBody('contact.closed') });
});
