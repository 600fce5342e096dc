import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profile } from '#contract/app/accounts.ts';
import * as contract from '#contract/app/affiliates.ts';
import { cancelEvent, createEvent } from '#contract/app/events.ts';
import { requestPayout } from '#contract/app/payouts.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import { errorBody } from '#tests/support/error-body.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { advanceTo, settlementOf } from '#tests/support/money.ts';
import {
  buyTickets,
  eventForm,
  eventOnSale,
  expectOk,
  logInAgain,
  newOrganizer,
  onboardedOrganizer,
} from '#tests/support/people.ts';
import { weeklySeries } from '#tests/support/series.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

async function affiliationOf(visitor: Visitor) {
  const { body } = await visitor.call(profile, {});
  return { tokenCount: body.tokenCount, affiliateCode: body.affiliateCode };
}

/** An organizer with an unused code. */
async function referrer() {
  const organizer = await onboardedOrganizer(app);
  await organizer.visitor.call(contract.generateCode, {});
  const { affiliateCode } = await affiliationOf(organizer.visitor);
  return { ...organizer, code: affiliateCode ?? '' };
}

const create = (visitor: Visitor, affiliateCode?: string) =>
  visitor.call(createEvent, eventForm(app, affiliateCode === undefined ? {} : { affiliateCode }));

const unknownCode = { status: 409, body: errorBody('event.unknown-affiliate-code') };

describe('an affiliate code', () => {
  it('costs a token and shows on the profile [AFF-1]', async () => {
    const { visitor } = await onboardedOrganizer(app);
    expect(await affiliationOf(visitor)).toEqual({ tokenCount: 3, affiliateCode: null });

    expect(await visitor.call(contract.generateCode, {})).toMatchObject({
      status: 200,
      body: { msg: 'Code Generated' },
    });

    expect(await affiliationOf(visitor)).toEqual({
      tokenCount: 2,
      affiliateCode: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{12}$/),
    });
  });

  it('is created and charged once for concurrent requests [AFF-1]', async () => {
    const { visitor, email } = await onboardedOrganizer(app);

    const { waiting } = await app.db.transaction().execute(async (tx) => {
      const { organizationId } = await actorOf(tx, email);
      await tx.selectFrom('organizations').where('id', '=', organizationId).select('id').forUpdate().execute();
      const waiting = [1, 2].map(() => visitor.call(contract.generateCode, {}));
      await app.untilBlocked(2);
      return { waiting };
    });
    const replies = await Promise.all(waiting);

    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(replies.map(({ body }) => body.code)).toContain('affiliate-code.unused-code');
    expect((await affiliationOf(visitor)).tokenCount).toBe(2);
  });

  it('requires a token and a session', async () => {
    const { visitor, email } = await onboardedOrganizer(app);
    const { organizationId } = await actorOf(app.db, email);
    await app.db.updateTable('organizations').set({ tokenCount: 0 }).where('id', '=', organizationId).execute();

    expect(await visitor.call(contract.generateCode, {})).toMatchObject({
      status: 409,
      body: { code: 'affiliate-code.too-few-tokens' },
    });
    expect(await app.call(contract.generateCode, {})).toMatchObject({ status: 401, body: { code: 'session.missing' } });
  });

  it('requires complete onboarding, like creating an event', async () => {
    const { visitor } = await newOrganizer(app);

    expect(await visitor.call(contract.generateCode, {})).toMatchObject({
      status: 403,
      body: { code: 'onboarding.incomplete' },
    });
    expect(await affiliationOf(visitor)).toEqual({ tokenCount: 3, affiliateCode: null });
  });

  it('waives the processing fee of one event, and works once [AFF-2]', async () => {
    const { visitor: referring, code } = await referrer();
    const { visitor } = await onboardedOrganizer(app);

    const created = await create(visitor, ` ${code.toLowerCase()} `);
    expect(created).toMatchObject({ status: 200, body: { feeWaiveStatus: true } });
    const { body } = await visitor.call(profile, {});
    expect(body.events[0]).toMatchObject({ feeWaiveStatus: true, payout: { statement: { processingFee: 0 } } });
    expect((await affiliationOf(referring)).affiliateCode).toBeNull();
    expect((await referring.call(contract.generateCode, {})).status).toBe(200);

    expect(await create(visitor, code)).toMatchObject(unknownCode);
    expect((await visitor.call(profile, {})).body.events).toHaveLength(1);
  });

  it('is refused for its owner, and no event is created with an invalid code [AFF-2]', async () => {
    const { visitor, code } = await referrer();

    expect(await create(visitor, code)).toMatchObject(unknownCode);
    expect(await create(visitor, 'ABCDEFGHJKMN')).toMatchObject(unknownCode);
    expect((await visitor.call(profile, {})).body.events).toEqual([]);
    expect((await affiliationOf(visitor)).affiliateCode).toBe(code);
  });

  it('is redeemed by one of two concurrent requests [AFF-2]', async () => {
    const { code } = await referrer();
    const organizers = [await onboardedOrganizer(app), await onboardedOrganizer(app)];

    const { waiting } = await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('affiliateCodes').where('code', '=', code).select('code').forUpdate().execute();
      const waiting = organizers.map(({ visitor }) => create(visitor, code));
      await app.untilBlocked(2);
      return { waiting };
    });
    const replies = await Promise.all(waiting);

    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
    const events = await app.db
      .selectFrom('events as e')
      .innerJoin('memberships as m', 'm.organizationId', 'e.organizationId')
      .innerJoin('users as u', 'u.id', 'm.userId')
      .where(
        'u.email',
        'in',
        organizers.map(({ email }) => email),
      )
      .select('e.processingFeeWaived')
      .execute();
    expect(events).toEqual([{ processingFeeWaived: true }]);
  });
});

describe('a referral', () => {
  it('earns a token for the organizer and a waiver for the referrer once the referred event is paid out [AFF-3]', async () => {
    const referring = await referrer();
    const { visitor: referringVisitor, code } = referring;
    const referred = await eventOnSale(app, { affiliateCode: code });
    await buyTickets(app, referred.eventId, [{ ticketName: 'General admission', quantity: 2 }]);

    expect((await create(referringVisitor)).body.feeWaiveStatus).toBe(false);
    await advanceTo(app, new Date((await settlementOf(app, referred.eventId)).getTime() + 60_000));
    await logInAgain(referred);
    await logInAgain(referring);
    // $48.00 - 2 x $1.23, with no processing fee.
    const paid = await referred.visitor.call(requestPayout, { eventId: referred.eventId });
    expect(paid).toMatchObject({ status: 200, body: { totalPayout: 45.54 } });

    expect((await affiliationOf(referred.visitor)).tokenCount).toBe(4);
    expect((await affiliationOf(referringVisitor)).tokenCount).toBe(2);
    expect((await create(referringVisitor)).body.feeWaiveStatus).toBe(true);
    expect((await create(referringVisitor)).body.feeWaiveStatus).toBe(false);
  });
});

describe('a referral of a series', () => {
  it('is rewarded for the payout of the date that has its waiver [AFF-3] [SERIES-7]', async () => {
    const referring = await referrer();
    const referred = await eventOnSale(app, { affiliateCode: referring.code });
    const { dates } = await weeklySeries(referred, 1);
    const [first = '', second = ''] = dates;
    await buyTickets(app, second, [{ ticketName: 'General admission', quantity: 2 }]);

    expectOk(await referred.visitor.call(cancelEvent, { eventId: first }));
    await app.settle();
    await advanceTo(app, new Date((await settlementOf(app, second)).getTime() + 60_000));
    await logInAgain(referred);
    await logInAgain(referring);
    const paid = await referred.visitor.call(requestPayout, { eventId: second });

    expect(paid).toMatchObject({ status: 200, body: { totalPayout: 45.54 } });
    expect((await affiliationOf(referred.visitor)).tokenCount).toBe(4);
    expect((await create(referring.visitor)).body.feeWaiveStatus).toBe(true);
  });
});

describe('the list of codes', () => {
  const statesOf = async (visitor: Visitor) =>
    (await visitor.call(contract.affiliateCodes, {})).body.codes.map(({ state }) => state);

  it('says of each whether it is unused, waiting for a payout, or rewarded [TRUST-3]', async () => {
    const referring = await referrer();
    expect(await statesOf(referring.visitor)).toEqual(['unused']);
    const referred = await eventOnSale(app, { affiliateCode: referring.code });
    await buyTickets(app, referred.eventId, [{ ticketName: 'General admission', quantity: 2 }]);
    expect(await statesOf(referring.visitor)).toEqual(['waiting']);
    await referring.visitor.call(contract.generateCode, {});
    expect(await statesOf(referring.visitor)).toEqual(['unused', 'waiting']);

    await advanceTo(app, new Date((await settlementOf(app, referred.eventId)).getTime() + 60_000));
    await logInAgain(referred);
    await logInAgain(referring);
    await referred.visitor.call(requestPayout, { eventId: referred.eventId });

    expect(await statesOf(referring.visitor)).toEqual(['unused', 'rewarded']);
  });

  it('shows a code as expired after 12 months, which nobody can use and a new one can replace [TRUST-3]', async () => {
    const referring = await referrer();
    const made = await app.db
      .selectFrom('affiliateCodes')
      .where('code', '=', referring.code)
      .select('createdAt')
      .executeTakeFirstOrThrow();
    const expires = new Date(made.createdAt);
    expires.setUTCFullYear(expires.getUTCFullYear() + 1);
    await advanceTo(app, new Date(expires.getTime() - 60_000));
    await logInAgain(referring);
    expect(await statesOf(referring.visitor)).toEqual(['unused']);
    await app.advance({ minutes: 2 });
    const { visitor } = await onboardedOrganizer(app);

    expect(await statesOf(referring.visitor)).toEqual(['expired']);
    expect(await create(visitor, referring.code)).toMatchObject(unknownCode);
    expect((await affiliationOf(referring.visitor)).affiliateCode).toBeNull();
    expect((await referring.visitor.call(contract.generateCode, {})).status).toBe(200);
    expect(await statesOf(referring.visitor)).toEqual(['unused', 'expired']);
  });
});
