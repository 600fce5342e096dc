/** Hostile input as it leaves the server, in pages, emails, files and responses: it remains text. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profile } from '#contract/app/accounts.ts';
import { cancelEvent, createEvent, publicEvent } from '#contract/app/events.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { SUBTITLE_MAX } from '#domain/limits.ts';
import { hostile, hostileEvent } from '#tests/support/hostile-text.ts';
import { expectOnlyText } from '#tests/support/only-text.ts';
import {
  buyTickets,
  codesOf,
  emailsTo,
  eventForm,
  eventOnSale,
  expectOk,
  onboardedOrganizer,
  openCheckout,
} from '#tests/support/people.ts';
import { weeklySeries } from '#tests/support/series.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { startTestAppWithPages } from '#tests/support/test-app-with-pages.ts';

const BUYER = 'sam@example.com';

let app: TestApp;
let event: Awaited<ReturnType<typeof hostileEvent>>;
let order: Awaited<ReturnType<typeof buyTickets>>;

beforeAll(async () => {
  app = await startTestAppWithPages();
  event = await hostileEvent(app);
  order = await buyTickets(app, event.eventId, [{ ticketName: hostile.ticketName, quantity: 1 }], BUYER);
});
afterAll(() => app?.close());

const get = async (path: string) => (await event.visitor.fetch(path, { headers: { accept: 'text/html' } })).text();

describe('the event page', () => {
  it('escapes everything: in the page, its title, its meta description and its JSON blocks', async () => {
    const html = await get(`/payment/${event.eventId}`);
    expectOnlyText(html);
    expect(html).toContain('<title>&lt;/script&gt;&lt;img src=x onerror=boom()&gt; · Handstamp</title>');
    expect(html).toContain('<meta property="og:title" content="&lt;/script&gt;&lt;img src=x onerror=boom()&gt;">');

    const blocks = [...html.matchAll(/<script type="application\/([^"]+)"[^>]*>([^<]*)<\/script>/g)];
    expect(blocks.map(([, type]) => type)).toEqual(['ld+json', 'json']);
    const [machines, facts] = blocks.map(([, , json = '']) => JSON.parse(json));
    expect(machines).toMatchObject({ name: hostile.title, organizer: { name: hostile.organizationName } });
    expect(facts.event.reply).toMatchObject({ title: hostile.title, bio: hostile.organizationBio });
  });

  it('evaluates nothing that looks like a template', async () => {
    const { body } = await app.call(publicEvent, { eventId: event.eventId });
    expect(body).toMatchObject({ description: hostile.description, street: hostile.street, city: hostile.city });
    expect(await get(`/payment/${event.eventId}`)).not.toContain('603729');
  });

  it('has a share card that draws the characters, and reads no file they name', async () => {
    const title = '<image href="file:///etc/passwd"/>&xxe;';
    const { eventId } = await eventOnSale(app, { title });
    const reply = await app.visitor().fetch(`/og/${eventId}.png`);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('image/png');
  });
});

describe('the page of a series', () => {
  it('escapes its title, the subtitles of its dates and its organization, and so do the pages of its dates', async () => {
    const own = await hostileEvent(app);
    const { seriesId, dates } = await weeklySeries(own, 1);
    const subtitle = hostile.title.slice(0, SUBTITLE_MAX);
    await app.db.updateTable('events').set({ subtitle }).where('id', 'in', dates).execute();
    await app.deps.changes.catchUp();
    for (const path of [`/series/${seriesId}`, ...dates.map((eventId) => `/payment/${eventId}`)])
      expectOnlyText(await get(path));
    expect(await get(`/series/${seriesId}`)).toContain('&lt;/script&gt;&lt;img src=x onerror=boom()&gt;</h1>');
  });
});

describe('the pages for payment, refund and confirmation', () => {
  it('escape it on the payment page, for the buyer and in the sandbox console', async () => {
    const { url } = await openCheckout(app, event.eventId, [{ ticketName: hostile.ticketName, quantity: 1 }]);
    const payment = await get(new URL(url).pathname);
    expect(payment).toContain('&lt;a href=javascript:boom()&gt;Free');
    for (const html of [payment, await get('/sandbox/')]) expectOnlyText(html);
  });

  it('escape it on the refund page', async () => {
    expectOnlyText(await get(`/refund/${event.eventId}`));
  });

  it('return it as JSON, which no browser renders as a page', async () => {
    for (const path of [profile.path, publicEvent.path.replace(':eventId', event.eventId)]) {
      const reply = await event.visitor.fetch(path);
      expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
      expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
      expect(await reply.text()).toContain('onerror=boom()');
    }
  });
});

describe('email', () => {
  it('escapes the names of event and ticket in the inbox, its list, and the email itself', async () => {
    const [message] = await emailsTo(app, BUYER);
    expect(message?.subject).toContain(hostile.title);
    expect(message?.html).toContain('&lt;a href=javascript:boom()&gt;Free');
    for (const path of ['/sandbox/inbox', `/sandbox/inbox/${message?.id}`]) expectOnlyText(await get(path));
    const html = (await get(`/sandbox/inbox/${message?.id}/html`)).replace(/<style>[^<]*<\/style>/g, '');
    expectOnlyText(html);
  });

  it('escapes them in the emails about refunds and cancelled events', async () => {
    const own = await hostileEvent(app);
    const items = [{ ticketName: hostile.ticketName, quantity: 2 }];
    const [confirmationCode = ''] = codesOf(await buyTickets(app, own.eventId, items, 'ann@example.com'));
    expectOk(await app.call(requestRefund, { eventId: own.eventId, confirmationCode }));
    await app.settle();
    expectOk(await own.visitor.call(cancelEvent, { eventId: own.eventId }));
    const emails = await emailsTo(app, 'ann@example.com');
    expect(emails.length).toBeGreaterThan(2);
    for (const { html } of emails) expectOnlyText(html.replace(/<style>[^<]*<\/style>/g, ''));
  });

  it('takes no header from a title: a line break becomes a space', async () => {
    const { eventId } = await eventOnSale(app, { title: 'Free beer\r\nBcc: all@evil.example\r\n\r\n<h1>' });
    await buyTickets(app, eventId, [{ ticketName: 'Balcony', quantity: 1 }], 'bcc@example.com');
    const [message] = await emailsTo(app, 'bcc@example.com');
    expect(message?.subject).toContain('Free beer Bcc: all@evil.example <h1>');
    expect(message?.to).toBe('bcc@example.com');
    const raw = await get(`/sandbox/inbox/${message?.id}.eml`);
    expect(raw.split('\r\n\r\n', 1)[0]).not.toMatch(/^bcc:/im);
    expect(await emailsTo(app, 'all@evil.example')).toEqual([]);
  });
});

describe('invisible input', () => {
  it('loses bidirectional controls and invisible characters', async () => {
    const { eventId } = await eventOnSale(app, {
      title: '\u202egnihtemoS\u202c \u2066Brass\u2069\u200b\u0007',
      description: 'One\u0000'.replace('\u0000', '\u0001') + '\r\ntwo\u202e\n\nthree',
      tickets: [{ ticketName: 'G\u200bA\ufeff', ticketDescription: 'x\u202ey', ticketPrice: 1, ticketQuantity: 1 }],
    });
    const { body } = await app.call(publicEvent, { eventId });
    expect(body).toMatchObject({
      title: 'gnihtemoS Brass',
      description: 'One\ntwo\n\nthree',
      tickets: [{ ticketName: 'GA', ticketDescription: 'xy' }],
    });
  });

  it('makes neither an empty title, nor two ticket types that look the same', async () => {
    const { visitor } = await onboardedOrganizer(app);
    const ticket = { ticketDescription: 'x', ticketPrice: 1, ticketQuantity: 1 };
    const unseen = await visitor.call(createEvent, eventForm(app, { title: '\u200b\u202e \ufeff' }));
    expect(unseen).toMatchObject({ status: 400, body: { msg: 'Title is required' } });
    const tickets = ['VIP', 'V\u200bIP'].map((ticketName) => ({ ...ticket, ticketName }));
    const twice = await visitor.call(createEvent, eventForm(app, { tickets }));
    expect(twice).toMatchObject({ status: 400, body: { msg: 'Ticket 2 has the same name as another ticket' } });
  });

  it('keeps what other scripts need', async () => {
    const title = 'شب موسیقی می\u200cخواهم 👨‍👩‍👧';
    const description = 'ליל ג׳אז! \u200f(בפנים)';
    const { eventId } = await eventOnSale(app, { title, description });
    expect((await app.call(publicEvent, { eventId })).body).toMatchObject({ title, description });
  });

  it.each([
    ['a Hangul filler', '\u3164'],
    ['a blank Braille pattern', '\u2800'],
    ['soft hyphens', '\u00ad\u00ad'],
    ['variation selectors and tags', '\ufe0f\u{e0041}'],
    ['direction marks and joiners', '\u200e\u200f\u200c\u200d\u2060'],
  ])('makes no title, name or description of %s [LIFE-8]', async (_what, unseen) => {
    const { visitor } = await onboardedOrganizer(app);
    const create = (change: object) => visitor.call(createEvent, eventForm(app, change));
    const ticket = { ticketName: 'GA', ticketDescription: 'x', ticketPrice: 1, ticketQuantity: 1 };

    for (const [change, reason] of [
      [{ title: unseen }, 'title.missing'],
      [{ description: unseen }, 'description.missing'],
      [{ city: unseen }, 'city.missing'],
      [{ tickets: [{ ...ticket, ticketName: unseen }] }, 'ticket-name.missing'],
    ] as const)
      expect(await create(change)).toMatchObject({ status: 400, body: { params: { reason } } });
  });

  it.each([
    ['letter case', 'vip'],
    ['width', 'ＶＩＰ'],
    ['invisible characters', 'V\u00adI\u3164P'],
  ])('makes no two ticket types whose names differ only in %s, and sells by either [LIFE-8]', async (_what, other) => {
    const ticket = { ticketDescription: 'x', ticketPrice: 1, ticketQuantity: 10 };
    const tickets = ['VIP', other].map((ticketName) => ({ ...ticket, ticketName }));
    const { visitor } = await onboardedOrganizer(app);
    const twice = await visitor.call(createEvent, eventForm(app, { tickets }));
    expect(twice).toMatchObject({ status: 400, body: { params: { reason: 'ticket-name.taken' } } });

    const { eventId } = await eventOnSale(app, { tickets: tickets.slice(0, 1) });
    expect((await openCheckout(app, eventId, [{ ticketName: other, quantity: 1 }])).sessionId).not.toBe('');
  });

  it.each(['👨‍👩‍👧 ❤️', '日本の夜', 'שלום', '\u0301', 'Z' + '\u0301'.repeat(49), '\ud83d\ude00', '.', '\ue000'])(
    'makes a share card of any title that is accepted: %j [LIFE-8]',
    async (title) => {
      const { eventId } = await eventOnSale(app, { title });
      const card = await app.visitor().fetch(`/og/${eventId}.png`);

      expect([card.status, card.headers.get('content-type')]).toEqual([200, 'image/png']);
    },
  );
});

it('becomes no formula in a CSV file', async () => {
  const own = await eventOnSale(app, {
    tickets: [{ ticketName: '=HYPERLINK("//evil")', ticketDescription: 'x', ticketPrice: 1, ticketQuantity: 9 }],
  });
  await buyTickets(app, own.eventId, [{ ticketName: '=HYPERLINK("//evil")', quantity: 1 }], '+sam@example.com');
  const csv = await (await own.visitor.fetch(`/api/protected/event/${own.eventId}/guests.csv`)).text();
  const cells = csv.split(/[\r\n,]+/);
  expect(csv).toContain('HYPERLINK');
  expect(cells.filter((cell) => /^"?[=+@-]/.test(cell))).toEqual([]);
});

it('appears in the confirmation as it was entered', () => {
  expect(order.confirmationData).toMatchObject([{ ticketName: hostile.ticketName }]);
});
