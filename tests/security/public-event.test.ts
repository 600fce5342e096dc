/** What strangers can read about an event, and about orders of others. */
import { beforeAll, describe, expect, it } from 'vitest';
import { checkoutSession, leaveQueuedCheckout, queuedCheckout } from '#contract/app/checkout.ts';
import { cancelEvent, publicEvent } from '#contract/app/events.ts';
import { readCheckoutPage } from '#contract/app/sales/checkout-page.ts';
import { eventCancelled } from '#messages/sales/event-page.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { buyTickets, eventForm, eventOnSale, generalAdmission } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

/** Appears nowhere else in a response. */
const PARTICIPANTS = 'sixteen brass lovers';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

let event: Awaited<ReturnType<typeof eventOnSale>>;
beforeAll(async () => {
  event = await eventOnSale(app, { participants: PARTICIPANTS });
});

const read = (eventId: string) => app.server.inject(publicEvent.path.replace(':eventId', eventId));

const EVERYONES = [
  'eventId',
  'title',
  'description',
  'street',
  'city',
  'state',
  'postalCode',
  'timezone',
  'startDate_startTime',
  'endDate_endTime',
  'latitude',
  'longitude',
  'eventPhotos',
  'tickets',
  'organizationName',
  'bio',
  'pageVersion',
];
const EVERYONES_OF_A_TICKET = [
  'ticketId',
  'ticketName',
  'ticketDescription',
  'ticketPrice',
  'ticketQuantity',
  'available',
];

describe('GET /api/public/event/:eventId', () => {
  it('returns what the page shows, and nothing else', async () => {
    const reply = await read(event.eventId);

    const body: { tickets: object[] } = reply.json();
    expect(Object.keys(body).sort()).toEqual(EVERYONES.toSorted());
    for (const ticket of body.tickets) expect(Object.keys(ticket).sort()).toEqual(EVERYONES_OF_A_TICKET.toSorted());
  });

  it('contains no secret of the organizer or a buyer, headers included', async () => {
    const order = await buyTickets(app, event.eventId, generalAdmission(1), 'private@example.com');
    await app.deps.changes.catchUp();
    const { id } = await app.db
      .selectFrom('users')
      .where('email', '=', event.email)
      .select('id')
      .executeTakeFirstOrThrow();
    const { recordId } = await app.db
      .selectFrom('events')
      .where('id', '=', event.eventId)
      .select('recordId')
      .executeTakeFirstOrThrow();

    const reply = await read(event.eventId);

    const secrets = [
      id,
      recordId,
      event.email,
      event.attendantCode,
      'private@example.com',
      order.sessionId,
      PARTICIPANTS,
    ];
    const answer = reply.body + JSON.stringify(reply.headers);
    for (const secret of [...secrets, ...order.confirmationData.map((ticket) => ticket.confirmationNumber)])
      expect(answer).not.toContain(secret);
    expect(reply.cookies).toEqual([]);
  });

  it('answers identically for every unknown id', async () => {
    const { eventId } = event;
    const names = [
      'no-such-event-00',
      'x',
      eventId.slice(0, 15),
      `${eventId}0`,
      swapped(eventId),
      '%25',
      '__proto__',
      '%F0%9F%98%80',
      "'%20or%201=1",
    ];

    const replies = await Promise.all(names.map(read));

    for (const reply of replies)
      expect([reply.statusCode, reply.body]).toEqual([404, JSON.stringify(errorBody('event.not-found'))]);
  });

  it('is data and never a page, whatever the organizer entered', async () => {
    const title = '</script><script>alert(1)</script>';
    const { eventId } = await eventOnSale(app, { title, description: '<img src=x onerror=alert(1)>' });

    const reply = await read(eventId);

    expect(reply.headers).toMatchObject({
      'content-type': expect.stringMatching(/^application\/json/),
      'x-content-type-options': 'nosniff',
    });
    expect(reply.headers).not.toHaveProperty('access-control-allow-origin');
    expect(reply.json()).toMatchObject({ title });
  });

  it('says of a cancelled event only that it is cancelled', async () => {
    const { eventId, visitor } = await eventOnSale(app);
    await read(eventId);
    await visitor.call(cancelEvent, { eventId });
    await app.deps.changes.catchUp();

    const reply = await read(eventId);

    expect([reply.statusCode, reply.body]).toEqual([
      200,
      JSON.stringify({ code: 'event-cancelled', msg: eventCancelled }),
    ]);
  });
});

/** Swaps the case, because ids are case-sensitive. */
const swapped = (name: string) =>
  name.replace(/[a-z]/gi, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()));

describe('GET /api/public/checkout-session', () => {
  const getSession = (query: string) => app.server.inject(`${checkoutSession.path}?${query}`);

  it('answers identically for every unknown session', async () => {
    const { sessionId } = await buyTickets(app, event.eventId, generalAdmission(1));
    const { body } = await getSession(`sessionId=${sessionId}`);
    expect(body).toContain('confirmed');

    const names = [
      'made-up',
      'cs_test_made_up',
      sessionId.slice(0, -1),
      `${sessionId}a`,
      swapped(sessionId),
      `${sessionId}%20`,
      '%25',
      '../events',
    ];
    for (const name of names) {
      const reply = await getSession(`sessionId=${name}`);
      expect([reply.statusCode, reply.body]).toEqual([404, JSON.stringify(errorBody('checkout.unknown'))]);
    }
    for (const query of [
      '',
      'sessionId=',
      `sessionId=${sessionId}&sessionId=${sessionId}`,
      `sessionId[]=${sessionId}`,
      `sessionId=${'x'.repeat(201)}`,
    ])
      expect((await getSession(query)).statusCode).toBe(400);
  });

  it("shows the link's holder the tickets and their details, and nothing else", async () => {
    const { sessionId } = await buyTickets(app, event.eventId, generalAdmission(2));

    const reply = await getSession(`sessionId=${sessionId}`);

    const body: { confirmationData: object[]; order: object } = reply.json();
    expect(Object.keys(body).sort()).toEqual(['confirmationData', 'details', 'order', 'status']);
    for (const ticket of body.confirmationData)
      expect(Object.keys(ticket).sort()).toEqual(['confirmationNumber', 'of', 'position', 'priceCents', 'ticketName']);
    expect(Object.keys(body.order).sort()).toEqual([
      'city',
      'email',
      'eventId',
      'firstName',
      'openUntil',
      'startDate_startTime',
      'timezone',
      'title',
    ]);
    expect(reply.headers['cache-control']).toBe('no-store');
  });

  it('expires 30 days after the end of the event', async () => {
    const late = await eventOnSale(app, eventForm(app));
    const { sessionId } = await buyTickets(app, late.eventId, generalAdmission(1));

    await app.advance({ days: 31 });
    expect((await getSession(`sessionId=${sessionId}`)).statusCode).toBe(200);
    await app.advance({ days: 1 });

    const reply = await getSession(`sessionId=${sessionId}`);
    expect([reply.statusCode, reply.body]).toEqual([404, JSON.stringify(errorBody('checkout.unknown'))]);
  });
});

describe.each([
  ['GET /api/public/queued-checkout', queuedCheckout],
  ['POST /api/public/leave-queued-checkout', leaveQueuedCheckout],
  ['GET /api/public/checkout-page', readCheckoutPage],
])('%s', (_call, endpoint) => {
  it('answers identically for every handle with a wrong signature', async () => {
    const order = await app.db.selectFrom('orders').select(['eventId', 'id']).executeTakeFirstOrThrow();
    const forged = `${order.eventId}.${order.id}.1.${'A'.repeat(43)}`;

    for (const handle of [forged, 'made-up', '...', `${order.eventId}.${order.id}.1.`]) {
      const reply = await app.visitor().send(endpoint, { handle });
      expect([reply.status, reply.body]).toEqual([404, expect.objectContaining({ code: 'checkout.unknown' })]);
    }
  });
});
