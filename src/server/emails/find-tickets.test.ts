import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cancelEvent } from '#contract/app/events.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { emailMyTickets } from '#contract/app/sales/find-tickets.ts';
import { myTicketsSent } from '#messages/sales/find-tickets.ts';
import { advanceTo } from '#tests/support/money.ts';
import { buyTickets, codesOf, emailsTo, eventOnSale, expectOk, generalAdmission } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

let buyers = 0;
const newAddress = () => `lost-${++buyers}@example.com`;

/** The emails with links that the address got, newest first. */
async function found(at: TestApp, address: string) {
  await at.settle();
  return (await emailsTo(at, address)).filter(({ subject }) => subject.startsWith('Your tickets for '));
}

async function sellTo(at: TestApp, email: string, title = 'Basement Brass') {
  const event = await eventOnSale(at, { title });
  const order = await buyTickets(at, event.eventId, generalAdmission(2), email);
  return { event, codes: codesOf(order), path: `/order/${order.details?.token}` };
}

describe('finding tickets', () => {
  it('emails the links of all orders for upcoming events, however the address is spelled [FIND-1]', async () => {
    const email = newAddress();
    const [one, two] = [await sellTo(app, email, 'First Night'), await sellTo(app, email, 'Second Night')];
    const others = await sellTo(app, newAddress());

    expect(expectOk(await app.call(emailMyTickets, { email: ` ${email.toUpperCase()}` }))).toEqual({
      msg: myTicketsSent,
    });

    const [message, ...more] = await found(app, email);
    expect(more).toEqual([]);
    expect(message?.subject).toBe('Your tickets for upcoming events');
    for (const { path } of [one, two]) expect(message?.text).toContain(app.publicUrl + path);
    expect(message?.text).toContain('2 tickets');
    expect(message?.text).not.toContain(others.path);
    for (const code of [...one.codes, ...two.codes]) expect(message?.text).not.toContain(code);
  });

  it('answers the same for an address without tickets, and a bot, and emails neither [FIND-1]', async () => {
    const [known, unknown, trapped] = [newAddress(), newAddress(), newAddress()];
    await sellTo(app, known);
    await sellTo(app, trapped);
    const replies = [
      await app.call(emailMyTickets, { email: known }),
      await app.call(emailMyTickets, { email: unknown }),
      await app.call(emailMyTickets, { email: trapped, honeypot: 'x' }),
    ];
    expect(new Set(replies.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    expect(await found(app, known)).toHaveLength(1);
    for (const address of [unknown, trapped]) expect(await found(app, address)).toEqual([]);
    expect(await emailsTo(app, unknown)).toEqual([]);
  });

  it('leaves out cancelled events, refunded orders and events that are over', async () => {
    const later = await startTestApp();
    const email = newAddress();
    const [cancelled, refunded] = [await sellTo(later, email, 'Rained Out'), await sellTo(later, email, 'Sent Back')];
    const left = await sellTo(later, email, 'Still On');
    expectOk(await cancelled.event.visitor.call(cancelEvent, { eventId: cancelled.event.eventId }));
    for (const confirmationCode of refunded.codes)
      expectOk(await later.call(requestRefund, { eventId: refunded.event.eventId, confirmationCode }));
    expectOk(await later.call(emailMyTickets, { email }));
    const [message] = await found(later, email);
    expect(message?.subject).toBe('Your tickets for Still On');
    expect(message?.text).toContain(left.path);
    expect(message?.text).not.toMatch(/Rained Out|Sent Back/);

    const { endsAt } = await later.db
      .selectFrom('events')
      .where('id', '=', left.event.eventId)
      .select('endsAt')
      .executeTakeFirstOrThrow();
    await advanceTo(later, new Date(endsAt.getTime() + 1000));
    expectOk(await later.call(emailMyTickets, { email }));
    expect(await found(later, email)).toHaveLength(1);
    await later.close();
  });

  it('emails an address three times an hour, and still answers the same [FIND-1]', async () => {
    const limited = await startTestApp({ rateLimitScale: 1 });
    const email = newAddress();
    await sellTo(limited, email);
    for (let asked = 1; asked <= 5; asked++)
      expect(expectOk(await limited.call(emailMyTickets, { email }))).toEqual({ msg: myTicketsSent });
    expect(await found(limited, email)).toHaveLength(3);
    await limited.close();
  });
});
