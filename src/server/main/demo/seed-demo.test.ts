import { afterEach, describe, expect, it } from 'vitest';
import { login, profile } from '#contract/app/accounts.ts';
import { enterAttendantCode } from '#contract/app/check-in.ts';
import { publicEvent } from '#contract/app/events.ts';
import { eventCancelled, eventEnded } from '#messages/sales/event-page.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { newOrganizer } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import type { OpenPage } from './demo-forms.ts';
import { seedDemo } from './seed-demo.ts';

let app: TestApp;
afterEach(() => app.close());

const pageOpener = (): OpenPage => (request) => app.server.inject(request);

async function demoOf(guide: Awaited<ReturnType<typeof seedDemo>>) {
  const visitor = app.visitor();
  await visitor.call(login, { email: guide?.email ?? '', password: guide?.password ?? '' });
  const { body } = await visitor.call(profile, {});
  return { profile: body, titled: (title: string) => body.events.find((event) => event.title === title) };
}

describe('demo of a first start', () => {
  it('has an event on sale, one that ended and one that was cancelled', async () => {
    app = await startTestApp({ hasOrganizers: false });
    const guide = await seedDemo(app.deps, pageOpener());
    const demo = await demoOf(guide);

    expect(demo.profile.openSteps).toEqual([]);
    const onSale = demo.titled('Basement Brass');
    expect(onSale).toMatchObject({
      eventUrl: guide?.eventUrl,
      attendantId: guide?.attendantCode,
      ticketsSold: 7,
      isCancelled: false,
    });
    expect(onSale?.tickets.map(({ available }) => available)).toEqual([expect.any(Number), 6]);
    for (const url of onSale?.eventPhotos ?? [])
      expect((await fetch(url)).headers.get('content-type')).toBe('image/webp');
    expect(onSale?.eventPhotos).toHaveLength(3);
    const ended = demo.titled('Tin Roof Swing');
    expect(ended).toMatchObject({ ticketsSold: 8, ticketsScanned: 7, gross: 6 * 18 + 2 * 45 });

    const shown = await Promise.all(demo.profile.events.map(({ eventId }) => app.call(publicEvent, { eventId })));
    const titles = shown.map(({ body }) => ('title' in body ? body.title : body.msg));
    expect(titles.sort()).toEqual(['Basement Brass', eventCancelled, eventEnded].sort());
    const eventId = onSale?.eventId ?? '';
    const code = await app.call(enterAttendantCode, {
      eventId,
      formData: { attendantCode: guide?.attendantCode ?? '' },
    });
    expect(code.status).toBe(200);
    await app.settle();
    expect(await app.db.selectFrom('emailOutbox').select('id').where('state', '=', 'queued').execute()).toEqual([]);
    expect(await app.db.selectFrom('earlyCheckIns').select('id').execute()).toEqual([]);
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  it('is created once, and its guide is returned at every start', async () => {
    app = await startTestApp({ hasOrganizers: false });
    const first = await seedDemo(app.deps, pageOpener());
    await app.db.updateTable('events').set({ title: 'Renamed' }).where('title', '=', 'Tin Roof Swing').execute();
    const second = await seedDemo(app.deps, pageOpener());

    expect(second).toEqual(first);
    expect((await demoOf(first)).profile.events).toHaveLength(3);
  });

  it.each([2, 7, 10, 15])('is completed by the next start after a crash at hosted page %i', async (crashAt) => {
    app = await startTestApp({ hasOrganizers: false });
    let opened = 0;
    const failing: OpenPage = async (request) => {
      if (++opened >= crashAt) throw new Error('killed');
      return app.server.inject(request);
    };
    await expect(seedDemo(app.deps, failing)).rejects.toThrow('killed');
    const demo = await demoOf(await seedDemo(app.deps, pageOpener()));

    expect(demo.profile.events).toHaveLength(3);
    expect(demo.titled('Basement Brass')).toMatchObject({ ticketsSold: 7 });
    expect(demo.titled('Tin Roof Swing')).toMatchObject({ ticketsSold: 8, ticketsScanned: 7 });
  });

  it('is not added to a database with other users', async () => {
    app = await startTestApp({ hasOrganizers: false });
    await newOrganizer(app);

    expect(await seedDemo(app.deps, pageOpener())).toBeNull();
    expect(await app.db.selectFrom('users').select('email').execute()).toHaveLength(1);
  });
});
