/** Emails to buyers about an event: who they are from, and what they show besides their own text. */
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { saveAccountInfo } from '#contract/app/accounts.ts';
import { checkGuest } from '#contract/app/check-in.ts';
import { cancelEvent } from '#contract/app/events.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { transferTicket } from '#contract/app/sales/ticket-transfers.ts';
import type { ReadableMessage } from '#server/platform/adapters/inbox/read-message.ts';
import { addGuests } from '#tests/support/comps.ts';
import { editEventOf } from '#tests/support/edited-event.ts';
import { inboxOf } from '#tests/support/inbox-of.ts';
import {
  accountInfo,
  attendantOf,
  buyTickets,
  codesOf,
  eventOnSale,
  expectOk,
  generalAdmission,
  goodCard,
  takeFreeTickets,
} from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { uploadPhotos } from '#tests/support/upload-photos.ts';
import { renderEmail } from './send-email.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const GMAIL_CLIPS_BYTES = 102 * 1024;
let buyers = 0;
const newBuyer = () => `buyer-of-emails-${++buyers}@example.com`;

/** Newest first. */
async function emailsOf(address: string): Promise<ReadableMessage[]> {
  await app.settle();
  return inboxOf(app.db, address);
}

async function newestTo(address: string): Promise<ReadableMessage> {
  const [newest] = await emailsOf(address);
  if (!newest) throw new Error(`nothing arrived for ${address}`);
  return newest;
}

const coverIn = ({ parts }: ReadableMessage) => parts.find(({ contentId }) => contentId === 'cover@handstamp')?.content;
const headerOf = ({ headers }: ReadableMessage, name: string) =>
  headers.find((header) => header.name.toLowerCase() === name)?.value;

describe('an email to a buyer', () => {
  it('is from the seller, and says how to reach them [EMAIL-9]', async () => {
    const event = await eventOnSale(app);
    const buyer = newBuyer();
    const order = await buyTickets(app, event.eventId, generalAdmission(2), buyer);
    const tickets = await newestTo(buyer);

    expect(tickets.from).toBe('Cooperage Nights via Handstamp <tickets@handstamp.example>');
    expect(headerOf(tickets, 'reply-to')).toBeUndefined();
    for (const body of [tickets.text, tickets.html]) {
      expect(body).toContain('Sold by Cooperage Nights');
      expect(body).toContain(`${app.publicUrl}/contact/${order.details?.token}`);
      expect(body).not.toContain(event.email);
    }

    const later = new Date(app.now().getTime() + 48 * 3_600_000).toISOString();
    const end = new Date(app.now().getTime() + 51 * 3_600_000).toISOString();
    await editEventOf(app, event, { startDate_startTime: later, endDate_endTime: end });
    const [confirmationCode = ''] = codesOf(order);
    expectOk(await app.call(requestRefund, { confirmationCode, eventId: event.eventId }));
    await app.settle();
    expectOk(await event.visitor.call(cancelEvent, { eventId: event.eventId }));
    const emails = await emailsOf(buyer);

    expect(emails.length).toBeGreaterThanOrEqual(4);
    for (const email of emails) {
      expect(email.from).toBe(tickets.from);
      expect(email.text).toMatch(new RegExp(`${app.publicUrl}/contact/${event.eventId}`));
      expect(coverIn(email)).toBeDefined();
    }
  });

  it('is from us if a stranger may have caused it [EMAIL-7]', async () => {
    const free = { ticketName: 'Free', ticketDescription: 'x', ticketPrice: 0, ticketQuantity: 9 };
    const { eventId } = await eventOnSale(app, { tickets: [free] });
    const buyer = newBuyer();
    await takeFreeTickets(app, eventId, [{ ticketName: 'Free', quantity: 1 }], { email: buyer });
    const [tickets, code] = await emailsOf(buyer);

    expect(tickets?.from).toMatch(/^Cooperage Nights via Handstamp </);
    expect(code?.from).toBe('Handstamp <tickets@handstamp.example>');
    expect(code && coverIn(code)).toBeUndefined();
  });

  it('shows a strip of the photo, or of the poster without one [EMAIL-9]', async () => {
    const event = await eventOnSale(app);
    const first = newBuyer();
    await buyTickets(app, event.eventId, generalAdmission(1), first);
    const poster = coverIn(await newestTo(first));
    expect(await sharp(poster).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 320 });

    const red = await sharp({ create: { width: 900, height: 900, channels: 3, background: '#ff0000' } })
      .png()
      .toBuffer();
    await uploadPhotos(event.visitor, event.eventId, [['red.png', red]]);
    const second = newBuyer();
    await buyTickets(app, event.eventId, generalAdmission(1), second);
    const email = await newestTo(second);
    const { dominant } = await sharp(coverIn(email)).stats();
    expect(dominant.r).toBeGreaterThan(200);
    expect(dominant.b).toBeLessThan(60);
    expect(email.html).toContain('<img src="cid:cover@handstamp" width="600" height="160" alt=""');
  });

  it('is sent without a strip if the photo cannot be read', async () => {
    const event = await eventOnSale(app);
    const picture = { width: 900, height: 900, channels: 3, background: '#00ff00' } as const;
    const file = await sharp({ create: picture }).png().toBuffer();
    expect(await uploadPhotos(event.visitor, event.eventId, [['green.png', file]])).toMatchObject({ status: 200 });
    const photos = { ...app.deps.photos, read: () => Promise.reject(new Error('the disk is gone')) };
    const toAddress = newBuyer();
    const { sessionId } = await buyTickets(app, event.eventId, generalAdmission(1), toAddress);
    const { id } = await app.db
      .selectFrom('orders')
      .where('sessionId', '=', sessionId)
      .select('id')
      .executeTakeFirstOrThrow();
    const row = { kind: 'tickets', subjectId: id, toAddress, params: { eventId: event.eventId } };
    await app.settle();
    // Not rendered before.
    await app.db
      .updateTable('eventPhotos')
      .set({ fileName: `${'f'.repeat(32)}.webp` })
      .where('eventId', '=', event.eventId)
      .execute();

    const email = await renderEmail({ ...app.deps, photos }, row);

    expect(email?.text).toContain('Confirmation number');
    expect(email?.html).not.toContain('cid:cover');
    expect(email?.attachments.map(({ fileName }) => fileName)).not.toContain('cover.jpg');
  });
});

describe('the tickets email', () => {
  it('has the time in one line, what was paid, the refund terms and its links [EMAIL-9]', async () => {
    const start = '2030-12-07T20:00:00-05:00';
    const { eventId } = await eventOnSale(app, {
      startDate_startTime: start,
      endDate_endTime: '2030-12-07T23:30:00-05:00',
      checkInOpens: '2030-12-07T19:00:00-05:00',
    });
    const buyer = newBuyer();
    const cart = [...generalAdmission(2), { ticketName: 'Balcony', quantity: 1 }];
    const order = await buyTickets(app, eventId, cart, buyer, { ...goodCard, name: 'Sofia Marchetti' });
    const { text, html } = await newestTo(buyer);
    const lines = text.split('\n');

    expect(lines[0]).toBe('Sat, Dec 7, 2030 · 8 – 11:30 PM EST · doors 7 PM');
    expect(lines).toEqual(
      expect.arrayContaining([
        "You're in, Sofia.",
        `Add to calendar: ${app.publicUrl}/payment/${eventId}/event.ics`,
        '2 × General admission, $24.00: $48.00',
        '1 × Balcony: $38.50',
        'Total: $86.50',
        'Refunds close Sunday, December 8, 2030 at 11:30 PM EST.',
      ]),
    );
    expect(text).toMatch(/^Directions: https:/m);
    expect(html).toContain(`href="${app.publicUrl}/order/${order.details?.token}"`);
    for (const part of ["You're in, Sofia.".replace("'", '&#39;'), 'Total', '$86.50', 'Refunds close'])
      expect(html).toContain(part);
  });

  it('is not clipped with 20 tickets, and uses nothing that email clients drop', async () => {
    const { eventId } = await eventOnSale(app);
    const buyer = newBuyer();
    const order = await buyTickets(app, eventId, generalAdmission(20), buyer);
    const { html, parts } = await newestTo(buyer);

    expect(parts.filter(({ contentType }) => contentType === 'image/png')).toHaveLength(20);
    for (const code of codesOf(order)) expect(html).toContain(code);
    expect(Buffer.byteLength(html)).toBeLessThan(GMAIL_CLIPS_BYTES);
    expect(html).not.toMatch(/<svg|<link|<script|@import|@font-face|url\(|display:\s*(?:flex|grid)|position:/i);
    const images = html.match(/<img [^>]*>/g) ?? [];
    expect(images).toHaveLength(21);
    for (const image of images) expect(image).toMatch(/ src="cid:[^"]+" .*alt="/);
    expect(html.match(/src="(?!cid:)/g)).toBeNull();
  });

  it('has no receipt for a comp', async () => {
    const event = await eventOnSale(app);
    const guest = newBuyer();
    await addGuests(event, [{ email: guest, quantity: 1 }]);
    const { text } = await newestTo(guest);

    expect(text).not.toMatch(/Receipt|Total|Refunds close|You're in/);
    expect(text).toContain('Cooperage Nights');
  });
});

describe('the email about a moved event', () => {
  const linkIn = async (address: string, page: 'order' | 'ticket') =>
    new RegExp(`${app.publicUrl}/${page}/[\\w.-]+`).exec((await newestTo(address)).text)?.[0] ?? 'no link';

  it('opens the page of each recipient, and names the refund to those who paid only [EVT-6 REF-4]', async () => {
    const event = await eventOnSale(app);
    const [payer, holder, guest, scanned] = [newBuyer(), newBuyer(), newBuyer(), newBuyer()];
    const order = await buyTickets(app, event.eventId, generalAdmission(2), payer);
    const token = order.details?.token ?? '';
    expectOk(await app.call(transferTicket, { token, position: 1, email: holder }));
    await addGuests(event, [{ email: guest }]);
    const used = await buyTickets(app, event.eventId, generalAdmission(1), scanned);
    const [code = ''] = codesOf(used);
    const door = await attendantOf(app, event.eventId, event.attendantCode);
    expectOk(await door.call(checkGuest, { eventId: event.eventId, confirmationNumber: code }));
    const pages = {
      [payer]: `${app.publicUrl}/order/${token}`,
      [holder]: await linkIn(holder, 'ticket'),
      [guest]: await linkIn(guest, 'order'),
      [scanned]: `${app.publicUrl}/order/${used.details?.token}`,
    };

    await editEventOf(app, event, { street: '1 New St' });

    for (const [address, page] of Object.entries(pages)) {
      const { subject, text, html } = await newestTo(address);
      expect(subject).toBe('Basement Brass: new location');
      expect(text).toContain(`Open your tickets:\n${page}`);
      expect(html).toContain(`href="${page}"`);
      expect(text).not.toContain('/refund/');
      expect(text.includes('Get a refund until')).toBe(address === payer);
    }
  });

  it('has the form that finds tickets for an address with more than one page [EVT-6]', async () => {
    const event = await eventOnSale(app);
    const [payer, buyer] = [newBuyer(), newBuyer()];
    const order = await buyTickets(app, event.eventId, generalAdmission(1), payer);
    await buyTickets(app, event.eventId, generalAdmission(1), buyer);
    const token = order.details?.token ?? '';
    expectOk(await app.call(transferTicket, { token, position: 1, email: buyer }));
    // Emails of several jobs arrive in any order.
    await app.settle();

    await editEventOf(app, event, { street: '1 New St' });

    const { text } = await newestTo(buyer);
    expect(text).toContain(`Find your tickets:\n${app.publicUrl}/find-tickets`);
    expect(text).toContain('Get a refund until');
    expect(text).not.toMatch(/\/(?:order|ticket)\//);
  });

  it('is not sent once the tickets are refunded', async () => {
    const event = await eventOnSale(app);
    const toAddress = newBuyer();
    const [confirmationCode = ''] = codesOf(await buyTickets(app, event.eventId, generalAdmission(1), toAddress));
    await editEventOf(app, event, { street: '1 New St' });
    await app.settle();
    const change = app.db.selectFrom('eventChanges').where('eventId', '=', event.eventId).select('id');
    const { id: changeId } = await change.executeTakeFirstOrThrow();
    const params = { eventId: event.eventId, changeId };
    const row = { kind: 'event-changed', subjectId: `${changeId} ${toAddress}`, toAddress, params };
    expect(await renderEmail(app.deps, row)).not.toBeNull();

    expectOk(await app.call(requestRefund, { confirmationCode, eventId: event.eventId }));

    expect(await renderEmail(app.deps, row)).toBeNull();
  });
});

describe('names that their owners chose', () => {
  it.each([
    ['a header', 'Nights\r\nBcc: all@evil.example', 'Nights Bcc: all evil.example via Handstamp'],
    ['an address', '"Bank" <help@bank.example>', 'Bank help bank.example via Handstamp'],
    ['turned text and emoji', '\u202eNights 🎺\u200f', 'Nights 🎺 via Handstamp'],
  ])('cannot pose as %s in the sender', async (_what, organizationName, name) => {
    const event = await eventOnSale(app);
    expectOk(await event.visitor.call(saveAccountInfo, { ...accountInfo, organizationName }));
    const buyer = newBuyer();
    await buyTickets(app, event.eventId, generalAdmission(1), buyer);
    const email = await newestTo(buyer);

    expect(email.from).toBe(`${name} <tickets@handstamp.example>`);
    expect(email.headers.map((header) => header.name.toLowerCase())).not.toContain('bcc');
    expect(email.to).toBe(buyer);
  });

  it('are shown whole, however long or strange, and stay text', async () => {
    const title = `${'W'.repeat(44)}\u200f🎺\u202e<b>`;
    const event = await eventOnSale(app, { title });
    const buyer = newBuyer();
    await buyTickets(app, event.eventId, generalAdmission(1), buyer, {
      ...goodCard,
      name: `<b>Zoë\u202e "O'Neil"</b> \u{1f3ba}${' x'.repeat(60)}`,
    });
    const { subject, text, html } = await newestTo(buyer);
    const shown = `${'W'.repeat(44)}🎺<b>`;

    expect(subject).toBe(`${shown}: your ticket`);
    expect(text).toContain(`${shown}\n`);
    expect(text).toContain("You're in, <b>Zoë.");
    expect(html).toContain('&lt;b&gt;Zoë.');
    expect(html).not.toMatch(/[\u202a-\u202e\u200e\u200f]|<b>/);
  });
});
