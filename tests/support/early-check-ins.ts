/** Check-ins long before the start: what the buyer gets, and what an operator sees and decides. */
import { randomUUID } from 'node:crypto';
import { login } from '#contract/app/accounts.ts';
import {
  type ActionItem,
  adminActionItems,
  type CheckInDecision,
  decideEarlyCheckIn,
} from '#contract/app/action-items.ts';
import { checkGuest } from '#contract/app/check-in.ts';
import { earlyCheckInEmail } from '#messages/early-check-in.ts';
import type { Visitor } from './http-visitor.ts';
import {
  attendantOf,
  buyTickets,
  codesOf,
  emailsTo,
  eventOnSale,
  expectOk,
  generalAdmission,
  PASSWORD,
} from './people.ts';
import type { TestApp } from './test-app.ts';

const HOUR = 60 * 60 * 1000;
const DAYS = 24;
let buyers = 0;

interface Admin {
  visitor: Visitor;
  email: string;
}

/** An event that starts in `hours`, with the tickets of one buyer and a device at the door. */
export async function soldEvent(app: TestApp, { hours = 20 * DAYS, tickets = 1 } = {}) {
  const start = app.now().getTime() + hours * HOUR;
  const event = await eventOnSale(app, {
    startDate_startTime: new Date(start).toISOString(),
    endDate_endTime: new Date(start + 3 * HOUR).toISOString(),
  });
  const { eventId, attendantCode } = event;
  const buyer = `early-${++buyers}@example.com`;
  const codes = codesOf(await buyTickets(app, eventId, generalAdmission(tickets), buyer));
  await app.settle();
  const device = await attendantOf(app, eventId, attendantCode);
  const scan = (code: string, scanId = randomUUID(), by = device) =>
    by.call(checkGuest, { eventId, confirmationNumber: code, scanId });
  return { ...event, startsAt: new Date(start), buyer, codes, code: codes[0] ?? '', device, scan };
}

export const tokenIn = (text: string | undefined): string | undefined =>
  /\/checked-in\/[\w-]{16}\/([\w-]{43})/.exec(text ?? '')?.[1];
export const checkInEmails = async (app: TestApp, buyer: string) =>
  (await emailsTo(app, buyer)).filter(({ subject }) => subject === earlyCheckInEmail.subject);

export async function tokenOf(app: TestApp, buyer: string): Promise<string> {
  const token = tokenIn((await checkInEmails(app, buyer))[0]?.text);
  if (!token) throw new Error('no check-in was emailed');
  return token;
}

export const stateOf = async (app: TestApp, eventId: string, code: string) =>
  (
    await app.db
      .selectFrom('tickets')
      .where('eventId', '=', eventId)
      .where('confirmationNumber', '=', code)
      .select('state')
      .executeTakeFirstOrThrow()
  ).state;

export async function itemsOf(admin: Admin, eventId: string): Promise<ActionItem[]> {
  await admin.visitor.call(login, { email: admin.email, password: PASSWORD });
  const { items } = expectOk(await admin.visitor.call(adminActionItems, {}));
  return items.filter((item) => item.event?.eventId === eventId);
}

export async function decide(app: TestApp, admin: Admin, action: CheckInDecision, subject: string | undefined) {
  await admin.visitor.call(login, { email: admin.email, password: PASSWORD });
  const reply = await admin.visitor.call(decideEarlyCheckIn, { action, subject: subject ?? '', note: 'asked them' });
  await app.settle();
  return reply;
}
