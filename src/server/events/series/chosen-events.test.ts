/** Who has the dates that are added to a series, of members with chosen events. See docs/decisions/0085. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profile } from '#contract/app/accounts.ts';
import { eventFrame } from '#contract/app/records/workspace.ts';
import { addDates } from '#contract/app/sales/event-dates.ts';
import { organizations, team } from '#contract/app/team.ts';
import { ONLY_EVENTS_MAX } from '#domain/accounts/team.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import { noonIn } from '#tests/support/local-days.ts';
import { eventOnSale, expectOk } from '#tests/support/people.ts';
import { newMember, sendInvitation } from '#tests/support/team.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

type Seller = Pick<Awaited<ReturnType<typeof eventOnSale>>, 'visitor' | 'eventId'>;

const add = ({ visitor, eventId }: Seller, days: readonly number[], requestId = randomUUID()) =>
  visitor.call(addDates, { eventId, dates: days.map((ahead) => noonIn(app.now(), ahead)), requestId });

describe('members with chosen events', () => {
  const given = async (member: { visitor: Seller['visitor'] }) =>
    expectOk(await member.visitor.call(profile, {})).access.onlyEventIds;

  it('get added dates if they have all coming ones, and so do invitations [SERIES-8]', async () => {
    const seller = await eventOnSale(app);
    const first = expectOk(await add(seller, [7])).eventIds;
    const whole = await newMember(app, seller, 'editor', [seller.eventId, ...first]);
    const part = await newMember(app, seller, 'editor', first);
    const door = await newMember(app, seller, 'check-in', [seller.eventId, ...first]);
    await sendInvitation(app, seller, {
      email: 'later@example.com',
      role: 'viewer',
      onlyEventIds: [seller.eventId, ...first],
    });

    const requestId = randomUUID();
    const added = expectOk(await add(seller, [14, 21], requestId)).eventIds;
    expectOk(await add(seller, [14, 21], requestId));

    for (const member of [whole, door]) expect(await given(member)).toEqual([seller.eventId, ...first, ...added]);
    expect(await given(part)).toEqual(first);
    const { invitations } = expectOk(await seller.visitor.call(team, {}));
    expect(invitations.map(({ onlyEventIds }) => onlyEventIds)).toEqual([[seller.eventId, ...first, ...added]]);
  });

  it('get the dates of an event that becomes a series, and not more than can be chosen [SERIES-8]', async () => {
    const seller = await eventOnSale(app);
    const member = await newMember(app, seller, 'editor', [seller.eventId]);
    const full = await newMember(app, seller, 'editor', [seller.eventId]);
    const { organizationId } = await actorOf(app.db, seller.email);
    const many = [seller.eventId, ...Array.from({ length: ONLY_EVENTS_MAX - 1 }, (_, index) => `gone${index}`)];
    const { id: userId } = await app.db
      .selectFrom('users')
      .where('email', '=', full.email)
      .select('id')
      .executeTakeFirstOrThrow();
    await app.db
      .updateTable('memberships')
      .set({ onlyEventIds: many })
      .where('organizationId', '=', organizationId)
      .where('userId', '=', userId)
      .execute();

    const added = expectOk(await add(seller, [7])).eventIds;

    expect(await given(member)).toEqual([seller.eventId, ...added]);
    expect(await given(full)).toEqual(many);
  });

  it('can neither add dates nor copy, and their screens know it [SERIES-8 ROLE-2]', async () => {
    const seller = await eventOnSale(app);
    const member = await newMember(app, seller, 'editor', [seller.eventId]);

    expect(await add({ ...member, eventId: seller.eventId }, [7])).toMatchObject({
      status: 403,
      body: { code: 'auth.role-denied' },
    });
    expect(expectOk(await member.visitor.call(eventFrame, seller)).isForAllEvents).toBe(false);
    expect(expectOk(await seller.visitor.call(eventFrame, seller)).isForAllEvents).toBe(true);
    const { organizations: own } = expectOk(await member.visitor.call(organizations, {}));
    expect(own.map(({ isThis, isForAllEvents }) => [isThis, isForAllEvents])).toContainEqual([true, false]);
  });
});
