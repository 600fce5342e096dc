import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profile } from '#contract/app/accounts.ts';
import { suspendOrganization } from '#contract/app/brakes.ts';
import { publishEvent, takeDownEvent } from '#contract/app/sales/event-life.ts';
import { draftDue } from '#domain/retention.ts';
import { emailOwners } from '#server/accounts/organization.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import { newDraft } from '#tests/support/drafts.ts';
import { editEventOf } from '#tests/support/edited-event.ts';
import { newOperator } from '#tests/support/new-operator.ts';
import { emailsTo, eventForm, eventOnSale, expectOk, logInAgain } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { uploadPhotos } from '#tests/support/upload-photos.ts';
import { sweepDrafts } from './sweep-drafts.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const DAY = 24 * 60 * 60 * 1000;
const day = (days: number) => new Date(Date.UTC(2026, 0, 1) + days * DAY);

describe('what a draft is due for', () => {
  it.each([
    [699, null, null],
    [700, null, 'warning'],
    [2000, null, 'warning'],
    [729, 700, null],
    [730, 700, 'deletion'],
    [2000, 1990, null],
  ])('on day %i after the last change, warned on day %s: %s [LIFE-11]', (days, warnedOn, due) => {
    expect(draftDue({ changedAt: day(0), warnedAt: warnedOn === null ? null : day(warnedOn), now: day(days) })).toBe(
      due,
    );
  });

  it('is nothing after a change that follows the warning', () => {
    expect(draftDue({ changedAt: day(710), warnedAt: day(700), now: day(740) })).toBeNull();
    expect(draftDue({ changedAt: day(710), warnedAt: day(700), now: day(1410) })).toBe('warning');
  });
});

describe('old drafts', () => {
  it('are announced to their owners, then deleted with their photos, unless they were changed [LIFE-11]', async () => {
    const owner = await eventOnSale(app);
    const [forgotten, edited, published] = [
      await newDraft(app, owner, { title: 'Forgotten' }),
      await newDraft(app, owner, { title: 'Edited' }),
      await newDraft(app, owner, { title: 'Published' }),
    ];
    expectOk(await owner.visitor.call(takeDownEvent, { eventId: owner.eventId }));
    const photo = await sharp({ create: { width: 9, height: 6, channels: 3, background: '#ffc23c' } })
      .jpeg()
      .toBuffer();
    expectOk(await uploadPhotos(owner.visitor, forgotten.eventId, [['photo.jpg', photo]]));
    const { fileName } = await app.db
      .selectFrom('eventPhotos')
      .where('eventId', '=', forgotten.eventId)
      .select('fileName')
      .executeTakeFirstOrThrow();

    await app.advance({ days: 699 });
    await sweepDrafts(app.deps);
    expect(await warningsTo(owner.email)).toEqual([]);
    await app.advance({ days: 2 });
    await sweepDrafts(app.deps, { pageSize: 1 });
    await sweepDrafts(app.deps, { pageSize: 1 });

    const warnings = await warningsTo(owner.email);
    expect(warnings.map(({ link }) => link).sort()).toEqual(
      [forgotten, edited, published].map(({ eventId }) => `/events/${eventId}`).sort(),
    );
    const { deletedAt } = warnings[0] ?? {};
    expect(deletedAt).toBe(
      new Date(app.now().getTime() + 30 * DAY).toLocaleDateString('en-US', {
        timeZone: 'America/New_York',
        dateStyle: 'long',
      }),
    );

    await logInAgain(owner);
    const { startDate_startTime, endDate_endTime } = eventForm(app);
    const coming = { startDate_startTime, endDate_endTime };
    for (const { eventId } of [edited, published]) await editEventOf(app, { ...owner, eventId }, coming);
    expectOk(await owner.visitor.call(publishEvent, { eventId: published.eventId }));
    await app.advance({ days: 29 });
    await sweepDrafts(app.deps);
    expect(await app.deps.photos.has(fileName)).toBe(true);
    await app.advance({ days: 1 });
    await sweepDrafts(app.deps);

    await logInAgain(owner);
    const { events } = expectOk(await owner.visitor.call(profile, {}));
    expect(events.map(({ eventId }) => eventId).sort()).toEqual(
      [owner.eventId, edited.eventId, published.eventId].sort(),
    );
    expect(await app.deps.photos.has(fileName)).toBe(false);
    expect(await warningsTo(owner.email)).toHaveLength(3);
  });

  it('of a suspended organization stay [LIFE-11]', async () => {
    const seller = await eventOnSale(app);
    await newDraft(app, seller);
    const { organizationId } = await actorOf(app.db, seller.email);
    const operator = await newOperator(app);
    expectOk(await operator.call(suspendOrganization, { organizationId, note: 'Fake events' }));
    await app.advance({ days: 701 });

    await sweepDrafts(app.deps);

    expect(await warningsTo(seller.email)).toEqual([]);
  });

  it('are not announced any more once they are published', async () => {
    const seller = await eventOnSale(app);
    const { organizationId } = await actorOf(app.db, seller.email);

    await emailOwners(app.db, organizationId, {
      kind: 'draft-deletion-ahead',
      subjectId: seller.eventId,
      params: { eventId: seller.eventId, deletedAt: app.now().toISOString() },
      now: app.now(),
    });

    expect(await warningsTo(seller.email)).toEqual([]);
  });
});

async function warningsTo(address: string) {
  await app.settle();
  const emails = await emailsTo(app, address);
  return emails.flatMap(({ text }) => {
    const deletedAt = /publish it, before (\w+ \d+, \d+)/.exec(text)?.[1];
    return deletedAt === undefined ? [] : [{ deletedAt, link: /\/events\/[\w-]+/.exec(text)?.[0] }];
  });
}
