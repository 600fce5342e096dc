/** Affiliate codes, which waive a fee: attempts to get or use them unfairly. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profile, saveAccountInfo } from '#contract/app/accounts.ts';
import { generateCode } from '#contract/app/affiliates.ts';
import { cancelEvent, createEvent } from '#contract/app/events.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import { errorBody } from '#tests/support/error-body.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { accountInfo, eventForm, onboardedOrganizer } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const tokensOf = async (visitor: Visitor) => (await visitor.call(profile, {})).body.tokenCount;
const eventsOf = async (visitor: Visitor) => (await visitor.call(profile, {})).body.events.length;
const create = (visitor: Visitor, affiliateCode: string) =>
  visitor.call(createEvent, eventForm(app, { affiliateCode }));
const unknown = { status: 409, body: errorBody('event.unknown-affiliate-code') };

async function newCode(visitor: Visitor): Promise<string> {
  await visitor.call(generateCode, {});
  return (await visitor.call(profile, {})).body.affiliateCode ?? '';
}

describe('POST /api/protected/generate-code', () => {
  it('costs one token and makes one code, however many clicks arrive at once', async () => {
    const { visitor, email } = await onboardedOrganizer(app);

    const replies = await Promise.all(Array.from({ length: 5 }, () => visitor.call(generateCode, {})));

    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    expect(replies.filter(({ status }) => status === 409).map(({ body }) => body.code)).toEqual(
      Array(4).fill('affiliate-code.unused-code'),
    );
    expect(await tokensOf(visitor)).toBe(2);
    const { organizationId: id } = await actorOf(app.db, email);
    expect(await app.db.selectFrom('affiliateCodes').where('ownerId', '=', id).select('code').execute()).toHaveLength(
      1,
    );
  });

  it('takes neither price nor code from the body', async () => {
    const { visitor } = await onboardedOrganizer(app);

    await visitor.send(generateCode, { code: 'AAAAAAAAAAAA', price: 0, tokens: -5, tokenCount: 99 });

    const { body } = await visitor.call(profile, {});
    expect(body.tokenCount).toBe(2);
    expect(body.affiliateCode).toMatch(/^[0-9A-HJKMNP-TV-Z]{12}$/);
    expect(body.affiliateCode).not.toBe('AAAAAAAAAAAA');
  });
});

describe('POST /api/protected/event with an affiliate code', () => {
  it("waives no fee for the code's owner or a second account with the same tax id", async () => {
    const owner = await onboardedOrganizer(app);
    await owner.visitor.call(saveAccountInfo, { ...accountInfo, companyTIN: '77-1234567' });
    const code = await newCode(owner.visitor);
    const second = await onboardedOrganizer(app);
    await second.visitor.call(saveAccountInfo, { ...accountInfo, lastName: 'Other', companyTIN: '771234567' });

    for (const { visitor } of [owner, second]) {
      const { status, body } = await create(visitor, code);
      expect({ status, body }).toEqual(unknown);
      expect(await eventsOf(visitor)).toBe(0);
    }
    // Digits alone prove nothing: a person's and a company's may be equal.
    const person = { ...accountInfo, organizationType: 'individual' as const, individualTIN: '771-23-4567' };
    await second.visitor.call(saveAccountInfo, person);
    expect((await create(second.visitor, code)).body.feeWaiveStatus).toBe(true);
  });

  it('does not treat two accounts as one because both entered a well-known example number', async () => {
    const [owner, other] = [await onboardedOrganizer(app), await onboardedOrganizer(app)];
    for (const { visitor } of [owner, other])
      await visitor.call(saveAccountInfo, { ...accountInfo, companyTIN: '12-3456789' });

    expect((await create(other.visitor, await newCode(owner.visitor))).body.feeWaiveStatus).toBe(true);
  });

  it('waives one event per organizer, so that two cannot exchange codes forever', async () => {
    const [first, other] = [await onboardedOrganizer(app), await onboardedOrganizer(app)];
    const { visitor } = await onboardedOrganizer(app);
    const { eventId } = (await create(visitor, await newCode(first.visitor))).body;
    await visitor.call(cancelEvent, { eventId });
    const code = await newCode(other.visitor);

    expect(await create(visitor, code)).toMatchObject({
      status: 409,
      body: { code: 'event.referred-before' },
    });
    expect((await other.visitor.call(profile, {})).body.affiliateCode).toBe(code);
  });

  it('waives one event per code, even when two are created at once', async () => {
    const giver = await onboardedOrganizer(app);
    const { visitor } = await onboardedOrganizer(app);
    const code = await newCode(giver.visitor);

    const replies = await Promise.all([create(visitor, code), create(visitor, code)]);

    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await eventsOf(visitor)).toBe(1);
  });

  it('uses an earned waiver once, even when two events are created at once', async () => {
    const { visitor, email } = await onboardedOrganizer(app);
    const { organizationId } = await actorOf(app.db, email);
    await app.db.updateTable('organizations').set({ feeWaivers: 1 }).where('id', '=', organizationId).execute();

    const replies = await Promise.all([1, 2].map(() => visitor.call(createEvent, eventForm(app))));

    expect(replies.map(({ body }) => body.feeWaiveStatus).sort()).toEqual([false, true]);
  });
});
