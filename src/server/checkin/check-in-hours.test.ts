/** Check-in hours: a scan outside them changes no ticket, whatever way it comes. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profile } from '#contract/app/accounts.ts';
import { checkGuest, checkGuestManual } from '#contract/app/check-in.ts';
import { checkInDashboard, offlineTicketList, syncScans } from '#contract/app/check-in-devices.ts';
import { createEvent, editEvent } from '#contract/app/events.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { localTimeOf } from '#domain/local-time.ts';
import { formText } from '#messages/forms.ts';
import { editEventOf } from '#tests/support/edited-event.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { advanceTo, at } from '#tests/support/money.ts';
import {
  attendantOf,
  buyTickets,
  codesOf,
  emailsTo,
  eventForm,
  eventOnSale,
  expectOk,
  generalAdmission,
  logInAgain,
  onboardedOrganizer,
} from '#tests/support/people.ts';
import { newMember } from '#tests/support/team.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const ZONE = 'America/New_York';
const HOUR = 60 * 60 * 1000;
const local = (at: Date) => localTimeOf(at, ZONE);
const after = (at: Date, hours: number, ms = 0) => new Date(at.getTime() + hours * HOUR + ms);
/** To the minute, as the form has it. */
const inHours = (hours: number) => new Date(Math.ceil(app.now().getTime() / 60_000) * 60_000 + hours * HOUR);

type Form = InputOf<typeof createEvent>;

/** Sold tickets of an event that starts in `hours` and lasts three. */
async function soldEvent(hours: number, hoursOf: (startsAt: Date, endsAt: Date) => Partial<Form>, tickets = 5) {
  const startsAt = inHours(hours);
  const endsAt = after(startsAt, 3);
  const times = { startDate_startTime: local(startsAt), endDate_endTime: local(endsAt) };
  const event = await eventOnSale(app, { ...times, ...hoursOf(startsAt, endsAt) });
  const codes = codesOf(
    await buyTickets(app, event.eventId, generalAdmission(tickets), `hours-${randomUUID()}@example.com`),
  );
  await app.settle();
  return { ...event, startsAt, endsAt, codes, code: codes[0] ?? '' };
}

type Sold = Awaited<ReturnType<typeof soldEvent>>;

/** Every way to scan; each returns the result. */
const WAYS: Record<string, (event: Sold, code: string) => Promise<string>> = {
  async owner({ eventId, visitor, email }, confirmationNumber) {
    await logInAgain({ visitor, email });
    return resultOf(await visitor.call(checkGuest, { eventId, confirmationNumber }));
  },
  async member(event, confirmationNumber) {
    await logInAgain(event);
    const { visitor } = await newMember(app, event, 'check-in', [event.eventId]);
    return resultOf(await visitor.call(checkGuest, { eventId: event.eventId, confirmationNumber }));
  },
  async attendant({ eventId, attendantCode }, confirmationNumber) {
    const device = await attendantOf(app, eventId, attendantCode);
    return resultOf(await device.call(checkGuest, { eventId, confirmationNumber }));
  },
  async 'typed number'({ eventId, attendantCode }, confirmationNumber) {
    const device = await attendantOf(app, eventId, attendantCode);
    return resultOf(await device.call(checkGuestManual, { eventId, manualFormData: { confirmationNumber } }));
  },
  async 'synced scan with a forged time'({ eventId, attendantCode, startsAt }, confirmationNumber) {
    const device = await attendantOf(app, eventId, attendantCode);
    return sync(device, eventId, confirmationNumber, startsAt);
  },
};

async function sync(device: Visitor, eventId: string, confirmationNumber: string, at: Date): Promise<string> {
  const scans = [{ scanId: randomUUID(), confirmationNumber, at: at.getTime() }];
  return expectOk(await device.call(syncScans, { eventId, scans })).results[0]?.result ?? '';
}

const resultOf = ({ status, body }: { status: number; body: { result?: string; code?: string } }) =>
  status === 200 ? (body.result ?? '') : (body.code ?? '');

const statesOf = async (eventId: string) =>
  (await app.db.selectFrom('tickets').where('eventId', '=', eventId).select('state').orderBy('id').execute()).map(
    ({ state }) => state,
  );

async function shown(event: Pick<Sold, 'visitor' | 'email' | 'eventId'>) {
  await logInAgain(event);
  const { events } = expectOk(await event.visitor.call(profile, {}));
  const found = events.find(({ eventId }) => eventId === event.eventId);
  return found && { opens: found.checkInOpensAt, closes: found.checkInClosesAt };
}

describe('a scan before check-in opens [WINDOW-1 WINDOW-3]', () => {
  it.each([
    ['twenty days', 20 * 24 * HOUR],
    ['12 hours and a millisecond', 12 * HOUR + 1],
  ])('changes no ticket %s before the start, whatever way it comes [WINDOW-3]', async (_when, msBefore) => {
    const event = await soldEvent(20 * 24 + 1, (startsAt) => ({ checkInOpens: local(after(startsAt, -12)) }));
    const moment = new Date(event.startsAt.getTime() - msBefore);
    await advanceTo(app, after(moment, -0.5));

    for (const [way, scan] of Object.entries(WAYS)) {
      const denied = way.startsWith('synced') ? 'outside-hours' : 'check-in.not-open';
      expect([way, await at(app, moment, () => scan(event, event.code))]).toEqual([way, denied]);
    }

    expect(new Set(await statesOf(event.eventId))).toEqual(new Set(['valid']));
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  it('admits from 12 hours before the start on, and no one is emailed', async () => {
    const event = await soldEvent(20, (startsAt) => ({ checkInOpens: local(after(startsAt, -12)) }));
    const opening = after(event.startsAt, -12);
    await advanceTo(app, after(opening, -0.5));

    const results = [];
    for (const [index, scan] of Object.values(WAYS).entries())
      results.push(await at(app, opening, () => scan(event, event.codes[index] ?? '')));

    expect(results).toEqual(['admitted', 'admitted', 'admitted', 'admitted', 'first']);
    const early = app.db.selectFrom('earlyCheckIns').where('eventId', '=', event.eventId).select('id');
    expect(await early.execute()).toEqual([]);
  });

  it('is answered with the opening time', async () => {
    const event = await soldEvent(30, (startsAt) => ({ checkInOpens: local(after(startsAt, -2)) }));
    const device = await attendantOf(app, event.eventId, event.attendantCode);

    const { status, body } = await device.call(checkGuest, { eventId: event.eventId, confirmationNumber: event.code });

    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'check-in.not-open' });
    const opens = new Intl.DateTimeFormat('en-US', { timeZone: ZONE, hour: 'numeric', minute: '2-digit' });
    expect(body.msg).toContain(opens.format(after(event.startsAt, -2)).replace(/\u202f/g, ' '));
  });

  it('is reported to the organizer when a device made it offline, and is evaluated once', async () => {
    const event = await soldEvent(20, (startsAt) => ({ checkInOpens: local(after(startsAt, -1)) }));
    const { eventId, code } = event;
    const device = await attendantOf(app, eventId, event.attendantCode);
    const scanId = randomUUID();
    const scans = [{ scanId, confirmationNumber: code, at: app.now().getTime() }];
    expect(expectOk(await device.call(syncScans, { eventId, scans })).results).toEqual([
      { scanId, result: 'outside-hours' },
    ]);

    const { conflicts } = expectOk(await event.visitor.call(checkInDashboard, { eventId }));
    expect(conflicts).toMatchObject([{ result: 'outside-hours', confirmationNumber: code, firstAt: null }]);

    // Later, in the hours: the earlier scan stays outside, and a new one admits.
    await advanceTo(app, after(event.startsAt, 0, 1000));
    const again = await attendantOf(app, eventId, event.attendantCode);
    expect(expectOk(await again.call(syncScans, { eventId, scans })).results).toEqual([
      { scanId, result: 'outside-hours' },
    ]);
    expect(await sync(again, eventId, code, app.now())).toBe('first');
  });
});

describe('a scan after check-in has closed [WINDOW-2 WINDOW-3]', () => {
  it.each([
    ['12 hours after the end by default', () => ({}), 12],
    ['when the organizer says', (_start: Date, endsAt: Date) => ({ checkInCloses: local(after(endsAt, -1)) }), -1],
  ])('changes no ticket: %s [WINDOW-2 WINDOW-3]', async (_when, closing, hours) => {
    const event = await soldEvent(20, (startsAt, endsAt) => ({
      checkInOpens: local(after(startsAt, -2)),
      ...closing(startsAt, endsAt),
    }));
    const { eventId, codes, endsAt } = event;
    const closesAt = after(endsAt, hours);
    await advanceTo(app, after(closesAt, -0.5));
    const device = await attendantOf(app, eventId, event.attendantCode);
    const scan = async (code = '') => resultOf(await device.call(checkGuest, { eventId, confirmationNumber: code }));

    expect(await at(app, after(closesAt, 0, -1), () => scan(codes[0]))).toBe('admitted');
    await at(app, closesAt, async () => {
      expect(await scan(codes[1])).toBe('check-in.closed');
      expect(await sync(device, eventId, codes[1] ?? '', closesAt)).toBe('outside-hours');
      // Made in time, and only synced now.
      expect(await sync(device, eventId, codes[1] ?? '', after(closesAt, 0, -1))).toBe('first');
    });
    expect((await statesOf(eventId)).filter((state) => state === 'scanned')).toHaveLength(2);
  });
});

describe('an event made by a call without hours [WINDOW-1]', () => {
  it('checks in tickets at any time [WINDOW-1]', async () => {
    const event = await soldEvent(20 * 24, () => ({}));

    expect(await shown(event)).toEqual({ opens: null, closes: null });
    expect(await WAYS['attendant']?.(event, event.code)).toBe('admitted');
  });
});

describe('an edit of the hours [WINDOW-1 WINDOW-2]', () => {
  const twoHoursBefore = (startsAt: Date, endsAt: Date) => ({
    checkInOpens: local(after(startsAt, -2)),
    checkInCloses: local(after(endsAt, 1)),
  });

  it('keeps those it omits, at their distance to start and end', async () => {
    const event = await soldEvent(40, twoHoursBefore);
    const { startsAt, endsAt } = event;
    await editEventOf(app, event, { title: 'Another title' });
    expect(await shown(event)).toEqual({
      opens: after(startsAt, -2).toISOString(),
      closes: after(endsAt, 1).toISOString(),
    });

    await editEventOf(app, event, {
      startDate_startTime: local(after(startsAt, 5)),
      endDate_endTime: local(after(endsAt, 7)),
    });
    expect(await shown(event)).toEqual({
      opens: after(startsAt, 3).toISOString(),
      closes: after(endsAt, 8).toISOString(),
    });
  });

  it('removes those it empties, and changes each on its own', async () => {
    const event = await soldEvent(40, twoHoursBefore);
    const { startsAt } = event;
    await editEventOf(app, event, { checkInCloses: '', checkInOpens: local(after(startsAt, -1)) });
    expect(await shown(event)).toEqual({ opens: after(startsAt, -1).toISOString(), closes: null });

    await editEventOf(app, event, { checkInOpens: '' });
    expect(await shown(event)).toEqual({ opens: null, closes: null });
  });

  it('reaches four devices with their next lists, also one that was offline', async () => {
    const event = await soldEvent(40, () => ({}));
    const { eventId, startsAt, endsAt } = event;
    const devices = [];
    for (let n = 0; n < 4; n++) devices.push(await attendantOf(app, eventId, event.attendantCode));
    const listOf = async (device: Visitor) => expectOk(await device.call(offlineTicketList, { eventId, pending: 0 }));
    const changed = { opensAt: after(startsAt, -2).getTime(), closesAt: after(endsAt, 12).getTime() };
    const [offline, ...online] = devices;
    if (!offline) throw new Error('no device');
    for (const device of devices) expect(await listOf(device)).toMatchObject({ opensAt: null, closesAt: null });

    await editEventOf(app, event, { checkInOpens: local(after(startsAt, -2)) });
    const reached = async (device: Visitor) => {
      await expect.poll(() => listOf(device)).toMatchObject(changed);
    };
    await Promise.all(online.map(reached));

    // Back online, with a scan from before the change.
    expect(await sync(offline, eventId, event.code, app.now())).toBe('outside-hours');
    expect(await listOf(offline)).toMatchObject(changed);
  });

  it.each([
    ['opening more than 12 hours before', 'checkInOpens', -12 - 1 / 60, 'check-in.opens-too-early'],
    ['closing before the start', 'checkInCloses', -1 / 60, 'check-in.closes-range'],
    ['closing more than 24 hours after the end', 'checkInCloses', 27 + 1 / 60, 'check-in.closes-range'],
    ['opening after the closing', 'checkInOpens', 16, 'check-in.opens-after-closing'],
  ] as const)('is denied with 400: %s', async (_case, field, hours, reason) => {
    const event = await soldEvent(40, () => ({}), 1);
    const { visitor } = await onboardedOrganizer(app);
    const change = { [field]: local(after(event.startsAt, hours)) };
    const form = eventForm(app, {
      startDate_startTime: local(event.startsAt),
      endDate_endTime: local(event.endsAt),
      ...change,
    });
    const denied = { status: 400, body: { code: 'form.invalid', msg: formText({ field, reason }) } };

    expect(await visitor.call(createEvent, form)).toMatchObject(denied);
    expect(await event.visitor.call(editEvent, { ...form, eventId: event.eventId })).toMatchObject(denied);
    expect(await shown(event)).toEqual({ opens: null, closes: null });
  });

  it.each(['tomorrow', '2027-03-14T02:30', '12'])('is denied for %s, which is no time', async (typed) => {
    const event = await soldEvent(40, () => ({}), 1);
    const form = eventForm(app, { checkInOpens: typed });

    expect((await event.visitor.call(editEvent, { ...form, eventId: event.eventId })).status).toBe(400);
  });
});

describe('changed hours [WINDOW-1]', () => {
  it('are emailed to the members who check this event in, and only if they changed', async () => {
    const event = await soldEvent(40, () => ({}), 1);
    const members = await Promise.all([
      newMember(app, event, 'check-in', [event.eventId]),
      newMember(app, event, 'check-in'),
      newMember(app, event, 'editor'),
    ]);
    const other = expectOk(await event.visitor.call(createEvent, eventForm(app)));
    members.push(await newMember(app, event, 'check-in', [other.eventId]));
    const subject = 'Basement Brass: new check-in hours';
    const told = async () => {
      const inboxes = await Promise.all(members.map(({ email }) => emailsTo(app, email)));
      return inboxes.map((emails) => emails.filter((email) => email.subject === subject).length);
    };

    await editEventOf(app, event, { title: 'Basement Brass', description: 'Louder.' });
    expect(await told()).toEqual([0, 0, 0, 0]);
    await editEventOf(app, event, { checkInOpens: local(after(event.startsAt, -2)) });
    expect(await told()).toEqual([1, 1, 0, 0]);
    await editEventOf(app, event, { checkInOpens: '' });
    expect(await told()).toEqual([2, 2, 0, 0]);

    const [newest] = await emailsTo(app, members[0]?.email ?? '');
    expect(newest?.text).toContain(`/scanner?event=${event.eventId}`);
  });
});

describe('hours that are set after early check-ins [WINDOW-0 WINDOW-1]', () => {
  it('hide none of them', async () => {
    const buyer = `hidden-${randomUUID()}@example.com`;
    const event = await soldEvent(20 * 24, () => ({}), 1);
    const [code = ''] = codesOf(await buyTickets(app, event.eventId, generalAdmission(1), buyer));
    expect(await WAYS['attendant']?.(event, code)).toBe('admitted');

    await editEventOf(app, event, { checkInOpens: local(after(event.startsAt, -12)) });

    expect((await emailsTo(app, buyer)).map(({ subject }) => subject)).toContain('Your ticket was checked in');
    expect(await brokenInvariants(app.db)).toEqual([]);
  });
});
