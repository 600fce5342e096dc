/** An event's page as the form would make it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEvent, editEvent } from '#contract/app/events.ts';
import { publishEvent } from '#contract/app/sales/event-life.ts';
import { previewEvent } from '#contract/app/sales/event-preview.ts';
import { localTimeOf } from '#domain/local-time.ts';
import { newDraft } from '#tests/support/drafts.ts';
import { errorBody } from '#tests/support/error-body.ts';
import {
  buyTickets,
  eventForm,
  eventOnSale,
  expectOk,
  generalAdmission,
  newOrganizer,
  onboardedOrganizer,
} from '#tests/support/people.ts';
import { newMember } from '#tests/support/team.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { startTestAppWithPages } from '#tests/support/test-app-with-pages.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestAppWithPages();
});
afterAll(() => app?.close());

const inHours = (hours: number) => localTimeOf(new Date(app.now().getTime() + hours * 3_600_000), 'America/New_York');

/** Without what changes with every request. */
const rootOf = (html: string | null) => /<div id="root">.*<\/div>/s.exec(html ?? '')?.[0];

async function pageOf(eventId: string): Promise<string> {
  const reply = await app.visitor().fetch(`/payment/${eventId}`, { headers: { accept: 'text/html' } });
  expect(reply.status).toBe(200);
  return reply.text();
}

const everythingStored = async (eventId: string) =>
  Promise.all([
    app.db.selectFrom('events').where('id', '=', eventId).selectAll().executeTakeFirstOrThrow(),
    app.db.selectFrom('ticketTypes').where('eventId', '=', eventId).orderBy('position').selectAll().execute(),
  ]);

describe('the preview of an event', () => {
  it('is the page that saving makes, and saves nothing [EDITOR-1 EDITOR-2]', async () => {
    const { visitor, eventId } = await eventOnSale(app);
    const before = await everythingStored(eventId);
    const { tickets: _tickets, ...form } = eventForm(app, {
      title: 'Fish & <b>chips</b>',
      venueName: 'The Cooperage',
      street: '1 Main St',
      startDate_startTime: inHours(40),
      endDate_endTime: inHours(44),
    });
    const tickets = [
      { ticketName: 'Late entry', ticketDescription: 'From ten', ticketPrice: '12', ticketQuantity: '7' },
      { ticketName: 'General admission', ticketDescription: 'Standing', ticketPrice: '30.50', ticketQuantity: 50 },
    ];

    const { html } = expectOk(await visitor.call(previewEvent, { ...form, tickets, eventId }));
    expect(await everythingStored(eventId)).toEqual(before);
    expectOk(await visitor.call(editEvent, { ...form, tickets, eventId }));

    const published = rootOf(await pageOf(eventId));
    expect(published).toContain('Fish &amp; &lt;b&gt;chips&lt;/b&gt;');
    // Only the page of a published event that moved links to its changes.
    const changes = new RegExp(`<p [^>]*><a [^>]*href="/payment/${eventId}/changes"[^>]*>[^<]*</a></p>`);
    expect(rootOf(html)).toBe(published?.replace(changes, ''));
  });

  it('of a draft is the page that publishing makes, and stays private [EDITOR-1 EDITOR-2 LIFE-2]', async () => {
    const seller = await onboardedOrganizer(app);
    const { eventId } = await newDraft(app, seller);
    const form = eventForm(app, { title: 'Cellar Strings', subtitle: 'Second night' });

    const { html } = expectOk(await seller.visitor.call(previewEvent, { ...form, eventId }));
    const hidden = await app.visitor().fetch(`/payment/${eventId}`, { headers: { accept: 'text/html' } });
    expect(hidden.status).toBe(404);

    expectOk(await seller.visitor.call(editEvent, { ...form, eventId }));
    expectOk(await seller.visitor.call(publishEvent, { eventId }));
    expect(rootOf(html)).toBe(rootOf(await pageOf(eventId)));
  });

  it('of a new event names the organization [EDITOR-1]', async () => {
    const { visitor } = await onboardedOrganizer(app);
    const before = await app.db.selectFrom('events').select('id').execute();

    const { html, emails, missing } = expectOk(
      await visitor.call(previewEvent, eventForm(app, { title: 'Attic Strings', startDate_startTime: inHours(-2) })),
    );

    expect(html).toContain('Attic Strings');
    expect(html).toContain('Cooperage Nights');
    expect([emails, missing]).toEqual([null, []]);
    expect(await app.db.selectFrom('events').select('id').execute()).toEqual(before);
  });

  it('shows no hidden ticket type, and keeps the settings that the form leaves out [EDITOR-2]', async () => {
    const form = eventForm(app);
    const [general, balcony] = form.tickets;
    if (!general || !balcony) throw new Error('two ticket types were expected');
    const { visitor, eventId } = await eventOnSale(app, { tickets: [general, { ...balcony, isHidden: true }] });

    const { html } = expectOk(await visitor.call(previewEvent, { ...form, eventId }));

    expect(html).toContain('General admission');
    expect(html).not.toContain('Balcony');
  });

  it('shows an ended event as it looked on sale, since its date may be what is corrected', async () => {
    const { visitor, eventId } = await eventOnSale(app);
    const times = { startDate_startTime: inHours(-5), endDate_endTime: inHours(-2) };

    const { html } = expectOk(await visitor.call(previewEvent, { ...eventForm(app, times), eventId }));

    expect(html).toContain('Six horns in a cellar.');
  });

  it('counts the buyers that saving would email, and says about what [EDITOR-4 LIFE-9]', async () => {
    const same = eventForm(app);
    const sale = await eventOnSale(app, same);
    const { visitor, eventId } = sale;
    const emailsOf = async (change: Parameters<typeof eventForm>[1]) =>
      expectOk(await visitor.call(previewEvent, { ...same, ...change, eventId })).emails;
    const later = { startDate_startTime: inHours(50), endDate_endTime: inHours(53) };

    expect(await emailsOf(later)).toBeNull();
    for (const buyer of ['sam@example.com', 'Sam@example.com', 'noor@example.com'])
      await buyTickets(app, eventId, generalAdmission(1), buyer);

    expect(await emailsOf({ title: 'Basement Brass, early' })).toBeNull();
    expect(await emailsOf(later)).toEqual({ buyers: 2, about: 'date' });
    expect(await emailsOf({ street: '1 Main St' })).toEqual({ buyers: 2, about: 'venue' });
    expect(await emailsOf({ ...later, street: '1 Main St' })).toEqual({ buyers: 2, about: 'date-and-venue' });
  });

  it('says what publishing waits for, as publishing does [EDITOR-5 LIFE-4]', async () => {
    const beginner = await newOrganizer(app);
    const missingOf = async (by: typeof beginner.visitor, change: Parameters<typeof eventForm>[1] = {}) =>
      expectOk(await by.call(previewEvent, eventForm(app, change))).missing;
    const free = [{ ticketName: 'Free', ticketDescription: 'For all', ticketPrice: 0, ticketQuantity: 10 }];

    expect(await missingOf(beginner.visitor)).toEqual(['verify-email', 'account-information', 'connect-payouts']);
    expect(await missingOf(beginner.visitor, { tickets: free })).toEqual(['verify-email']);

    const { visitor } = await onboardedOrganizer(app);
    const { eventId } = expectOk(await visitor.call(createEvent, eventForm(app)));
    expect(await missingOf(visitor)).toEqual([]);
    expectOk(await visitor.call(createEvent, eventForm(app)));
    expect(await missingOf(visitor)).toEqual(['place-in-plan']);
    // A published event has its place.
    expect(expectOk(await visitor.call(previewEvent, { ...eventForm(app), eventId })).missing).toEqual([]);
  });

  it('is denied to other organizations, other events, and roles that edit nothing [EDITOR-2]', async () => {
    const seller = await onboardedOrganizer(app);
    const { eventId } = await newDraft(app, seller);
    const stranger = await onboardedOrganizer(app);
    const viewer = await newMember(app, seller, 'viewer');
    const form = eventForm(app);

    expect(await app.call(previewEvent, { ...form, eventId })).toMatchObject({ status: 401 });
    expect(await stranger.visitor.call(previewEvent, { ...form, eventId })).toMatchObject({
      status: 404,
      body: errorBody('event.not-found'),
    });
    for (const input of [form, { ...form, eventId }])
      expect(await viewer.visitor.call(previewEvent, input)).toMatchObject({
        status: 403,
        body: { code: 'auth.role-denied' },
      });
  });

  it.each([
    ['a title of invisible characters', { title: '\u00ad\u200b' }, { field: 'title', reason: 'title.missing' }],
    ['an end before the start', { endDate_endTime: '2020-01-01T10:00' }, { reason: 'end.before-start' }],
    ['a price that is none', 'price', { field: 'tickets.0.ticketPrice' }],
    ['sales that start after the end', { salesStart: '2090-01-01T10:00' }, { field: 'salesStart' }],
  ])('answers %s as saving does [EDITOR-2]', async (_what, change, params) => {
    const { visitor, eventId } = await eventOnSale(app);
    const form = eventForm(app);
    const [general] = form.tickets;
    if (!general) throw new Error('a ticket type was expected');
    const input = {
      ...form,
      ...(change === 'price' ? { tickets: [{ ...general, ticketPrice: 'free?' }] } : Object(change)),
    };

    const answer = await visitor.call(previewEvent, { ...input, eventId });

    expect(answer).toMatchObject({ status: 400, body: { code: 'form.invalid', params } });
    expect((await visitor.call(editEvent, { ...input, eventId })).body).toEqual(answer.body);
  });
});
