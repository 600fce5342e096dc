/** What the public and members see of a draft. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportEvent } from '#contract/app/abuse-reports.ts';
import { checkGuest, enterAttendantCode } from '#contract/app/check-in.ts';
import { checkInDashboard } from '#contract/app/check-in-devices.ts';
import { createCheckoutSession } from '#contract/app/checkout.ts';
import { publicEvent } from '#contract/app/events.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { contactOrganizer } from '#contract/app/sales/contact.ts';
import { duplicateEvent, publishEvent, takeDownEvent } from '#contract/app/sales/event-life.ts';
import { applyPromoCode } from '#contract/app/sales/promo-codes.ts';
import { joinWaitingRoom, waitingRoom } from '#contract/app/waiting-room.ts';
import { localTimeOf } from '#domain/local-time.ts';
import { posterPhoto } from '#server/events/photos/list-photos.ts';
import { newPublicId } from '#server/platform/ids.ts';
import { newDraft } from '#tests/support/drafts.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { attendantOf, eventOnSale, expectOk, generalAdmission, onboardedOrganizer } from '#tests/support/people.ts';
import { newPromoCode, promoForm } from '#tests/support/promo-codes.ts';
import { newMember } from '#tests/support/team.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { startTestAppWithPages } from '#tests/support/test-app-with-pages.ts';
import { uploadPhotos } from '#tests/support/upload-photos.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestAppWithPages();
});
afterAll(() => app?.close());

const ID = /[\w-]{16}/g;

async function get(path: string, by: Visitor = app.visitor()) {
  const reply = await by.fetch(path, { headers: { accept: 'text/html' } });
  return { status: reply.status, text: await reply.text(), headers: reply.headers };
}

/** Each way in which the public asks for an event, with what an event on sale answers to it. */
const waysTo: Record<
  string,
  (event: { eventId: string; attendantCode: string }, by: Visitor) => Promise<{ status: number }>
> = {
  page: ({ eventId }) => get(`/payment/${eventId}`),
  JSON: ({ eventId }) => app.call(publicEvent, { eventId }),
  'share card': ({ eventId }) => get(`/og/${eventId}.png`),
  'calendar file': ({ eventId }) => get(`/payment/${eventId}/event.ics`),
  'refund page': ({ eventId }) => get(`/refund/${eventId}`),
  'contact page': ({ eventId }) => get(`/contact/${eventId}`),
  checkout: ({ eventId }, by) => by.call(createCheckoutSession, { eventId, cartItems: generalAdmission(1) }),
  'promo code': ({ eventId }, by) => by.call(applyPromoCode, { eventId, code: 'SPRING' }),
  'waiting room': ({ eventId }) => app.call(waitingRoom, { eventId }),
  'waiting-room pass': ({ eventId }, by) => by.call(joinWaitingRoom, { eventId }),
  'attendant code': ({ eventId, attendantCode }, by) =>
    by.call(enterAttendantCode, { eventId, formData: { attendantCode } }),
  report: ({ eventId }) =>
    app.call(reportEvent, { eventId, reportId: crypto.randomUUID(), reason: 'other', text: 'x' }),
  refund: ({ eventId }) => app.call(requestRefund, { eventId, confirmationCode: '1234567890' }),
  contact: ({ eventId }) =>
    app.call(contactOrganizer, {
      about: eventId,
      messageId: crypto.randomUUID(),
      email: 'sam@example.com',
      message: 'Hello',
    }),
};

describe('to the public, a draft', () => {
  it('is an unknown event in every form, and one that was taken down as well [LIFE-2]', async () => {
    const at = (hours: number) => localTimeOf(new Date(app.now().getTime() + hours * 3_600_000), 'America/New_York');
    const seller = await eventOnSale(app, { salesStart: at(-1), useWaitingRoom: true, buyersPerMinute: 60 });
    const { eventId, attendantCode, visitor } = seller;
    await newPromoCode(seller, promoForm('SPRING'));
    const { eventPhotos } = expectOk(await uploadPhotos(visitor, eventId, [['1.png', await posterPhoto('one')]]));
    const photo = new URL(eventPhotos[0] ?? '').pathname;
    const device = await attendantOf(app, eventId, attendantCode);
    for (const path of [photo, `${photo}?w=800`, `/payment/${eventId}`]) expect((await get(path)).status).toBe(200);

    expectOk(await visitor.call(takeDownEvent, { eventId }));

    const unknown = { eventId: newPublicId(), attendantCode };
    for (const [way, ask] of Object.entries(waysTo)) {
      const [ofDraft, ofUnknown] = [
        await ask({ eventId, attendantCode }, app.visitor()),
        await ask(unknown, app.visitor()),
      ];
      expect([way, ofDraft.status]).toEqual([way, way === 'attendant code' ? 401 : 404]);
      expect([way, plain(ofDraft)]).toEqual([way, plain(ofUnknown)]);
    }
    for (const path of [photo, `${photo}?w=800`]) expect((await get(path)).status).toBe(404);
    const scan = { eventId, confirmationNumber: '1234567890', scanId: crypto.randomUUID() };
    expect(await device.call(checkGuest, scan)).toMatchObject({
      status: 401,
      body: { code: 'attendant-code.missing' },
    });
    expect(await visitor.call(checkGuest, scan)).toMatchObject({
      status: 401,
      body: { code: 'attendant-code.missing' },
    });
    expect((await visitor.call(checkInDashboard, { eventId })).status).toBe(409);
  });

  it('keeps the code of a device from before it was taken down out, once it is back [LIFE-2]', async () => {
    const seller = await eventOnSale(app);
    const { eventId, attendantCode, visitor } = seller;
    const device = await attendantOf(app, eventId, attendantCode);
    const scan = { eventId, confirmationNumber: '1234567890', scanId: crypto.randomUUID() };
    expect((await device.call(checkGuest, scan)).status).toBe(404);

    expectOk(await visitor.call(takeDownEvent, { eventId }));
    expectOk(await visitor.call(publishEvent, { eventId }));

    expect((await device.call(checkGuest, scan)).status).toBe(401);
    const { devices } = expectOk(await visitor.call(checkInDashboard, { eventId }));
    expect(devices.map(({ state }) => state)).toEqual(['ended']);
  });

  it('shows a photo to everyone while a published copy has it [LIFE-2 LIFE-7]', async () => {
    const { eventId, visitor } = await eventOnSale(app);
    const { eventPhotos } = expectOk(await uploadPhotos(visitor, eventId, [['1.png', await posterPhoto('one')]]));
    const photo = new URL(eventPhotos[0] ?? '').pathname;
    const copy = expectOk(await visitor.call(duplicateEvent, { eventId, duplicateId: crypto.randomUUID() }));
    expectOk(await visitor.call(publishEvent, copy));

    expectOk(await visitor.call(takeDownEvent, { eventId }));
    expect((await get(photo)).status).toBe(200);
    expectOk(await visitor.call(takeDownEvent, copy));
    expect((await get(photo)).status).toBe(404);
    const own = await get(photo, visitor);
    expect([own.status, own.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
  });
});

/** The answer without the id that was asked for. */
function plain(answer: { status: number; text?: string; body?: unknown }) {
  return [answer.status, (answer.text ?? JSON.stringify(answer.body)).replace(ID, 'id')];
}

describe('the page of a draft', () => {
  const BANNER = /<aside id="draft-banner".*?<\/aside>/s;

  it('has the bytes of the published page, except for its banner [LIFE-3]', async () => {
    const seller = await onboardedOrganizer(app);
    const { eventId } = await newDraft(app, seller, { title: 'Fish & <b>chips</b>' });
    expectOk(await uploadPhotos(seller.visitor, eventId, [['1.png', await posterPhoto('one')]]));
    const path = `/payment/${eventId}`;
    const rows = () => app.db.selectFrom('events').where('id', '=', eventId).selectAll().executeTakeFirstOrThrow();
    const before = await rows();

    expect((await get(path)).status).toBe(404);
    const draft = await get(path, seller.visitor);
    expectOk(await seller.visitor.call(publishEvent, { eventId }));
    const published = await get(path);

    expect(draft.status).toBe(200);
    expect(draft.headers.get('cache-control')).toBe('private, no-store');
    expect(draft.headers.get('x-robots-tag')).toBe('noindex');
    expect(draft.text).toMatch(BANNER);
    expect(draft.text.replace(BANNER, '')).toBe(published.text);
    const { publishedAt: _at, isPublished: _is, pageVersion: _version, ...rest } = await rows();
    expect(before).toMatchObject(rest);
    expect((await get(path, seller.visitor)).text).toBe(published.text);
  });

  it('is of no use to members of another organization, or with other events [LIFE-3]', async () => {
    const seller = await onboardedOrganizer(app);
    const { eventId } = await newDraft(app, seller);
    const stranger = await onboardedOrganizer(app);

    const [ofDraft, ofUnknown] = [
      await get(`/payment/${eventId}`, stranger.visitor),
      await get(`/payment/${newPublicId()}`, stranger.visitor),
    ];

    expect(plain(ofDraft)).toEqual(plain(ofUnknown));
    expect(ofDraft.status).toBe(404);
  });

  it('sells nothing, also to its members [LIFE-2 LIFE-3]', async () => {
    const seller = await onboardedOrganizer(app);
    const { eventId } = await newDraft(app, seller);

    const answer = await seller.visitor.call(createCheckoutSession, { eventId, cartItems: generalAdmission(1) });

    expect(answer).toMatchObject({ status: 404, body: { code: 'event.not-found' } });
  });

  it('has *Publish* only for members who may publish [LIFE-3]', async () => {
    const seller = await onboardedOrganizer(app);
    const { eventId } = await newDraft(app, seller);
    const viewer = await newMember(app, seller, 'viewer');

    expect((await get(`/payment/${eventId}`, seller.visitor)).text).toContain('<button type="button">Publish</button>');
    const page = await get(`/payment/${eventId}`, viewer.visitor);
    expect([page.status, BANNER.test(page.text)]).toEqual([200, true]);
    expect(page.text).not.toContain('<button type="button">Publish</button>');
  });

  it('comes with the files of its banner', async () => {
    for (const [path, type] of [
      ['/preview.css', 'text/css; charset=utf-8'],
      ['/preview.js', 'text/javascript; charset=utf-8'],
    ] as const)
      expect([path, (await get(path)).headers.get('content-type')]).toEqual([path, type]);
  });
});
