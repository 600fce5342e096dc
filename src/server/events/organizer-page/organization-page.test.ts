/** The settings of an organization's page. */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { saveAccountInfo } from '#contract/app/accounts.ts';
import { deleteOrganization } from '#contract/app/privacy.ts';
import { editOrganizationPage, organizationPage } from '#contract/app/sales/organizer-page.ts';
import { CONTRAST_MIN, contrast, LIGHT_GROUNDS } from '#domain/accounts/accent.ts';
import { LOGO_BYTES_MAX, LOGO_EDGE_MAX } from '#domain/limits.ts';
import { sweepAccounts } from '#server/accounts/sweep-accounts.ts';
import { sweepPhotos } from '#server/events/photos/sweep-photos.ts';
import { lockNamespaces } from '#server/platform/locks.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { openPage, sendLogo } from '#tests/support/organizer-pages.ts';
import { accountInfo, expectOk, logInAgain, newOrganizer, verifiedOrganizer } from '#tests/support/people.ts';
import { raceForLock } from '#tests/support/race.ts';
import { newMember } from '#tests/support/team.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const settingsOf = async (visitor: Visitor) => expectOk(await visitor.call(organizationPage, {}));
const edit = (visitor: Visitor, change: unknown) => visitor.send(editOrganizationPage, change);
const denial = async (answer: Promise<{ status: number; body: { code?: string } }>) => {
  const { status, body } = await answer;
  return [status, body.code];
};
const calendar = (slug: string) => fetch(`${app.publicUrl}/o/${slug}/calendar.ics`, { redirect: 'manual' });

async function namedOrganizer(organizationName = 'Cooperage Nights') {
  const organizer = await verifiedOrganizer(app);
  expectOk(await organizer.visitor.call(saveAccountInfo, { ...accountInfo, organizationName }));
  return organizer;
}

describe('a new page', () => {
  it('is proposed from the name, and exists once it is saved [PAGE-1]', async () => {
    const { visitor } = await namedOrganizer('Cooperage Nights & Co.');
    expect(await settingsOf(visitor)).toMatchObject({
      organizationName: 'Cooperage Nights & Co.',
      slug: null,
      proposedSlug: 'cooperage-nights-co',
      addressStart: `${app.publicUrl}/o/`,
      isPublic: true,
      isShown: false,
    });
    expect((await calendar('cooperage-nights-co')).status).toBe(404);

    expectOk(await edit(visitor, { slug: 'cooperage-nights-co', website: 'https://cooperage.example/shows' }));

    expect(await settingsOf(visitor)).toMatchObject({
      slug: 'cooperage-nights-co',
      website: 'https://cooperage.example/shows',
      isShown: true,
    });
    expect((await calendar('cooperage-nights-co')).status).toBe(200);
  });

  it('needs a name and a verified address [PAGE-1]', async () => {
    const unnamed = await verifiedOrganizer(app);
    expect(await settingsOf(unnamed.visitor)).toMatchObject({ organizationName: null, proposedSlug: null });
    expect(await denial(edit(unnamed.visitor, { slug: 'unnamed' }))).toEqual([409, 'page.no-name']);
    const unverified = await newOrganizer(app);
    expect(await denial(edit(unverified.visitor, { slug: 'unverified' }))).toEqual([403, 'auth.email-unverified']);
  });

  it('is edited by owners and admins', async () => {
    const { slug, ...owner } = await openPage(app);
    const admin = await newMember(app, owner, 'admin');
    expectOk(await edit(admin.visitor, { website: 'https://admin.example' }));
    for (const role of ['editor', 'finance', 'check-in', 'viewer'] as const) {
      const { visitor } = await newMember(app, owner, role);
      expect(await denial(edit(visitor, { slug: 'not-theirs' }))).toEqual([403, 'auth.role-denied']);
      expect(await denial(sendLogo(visitor, [await logo()]))).toEqual([403, 'auth.role-denied']);
      expect(await denial(visitor.call(organizationPage, {}))).toEqual([403, 'auth.role-denied']);
    }
    expect(await settingsOf(owner.visitor)).toMatchObject({ slug, website: 'https://admin.example' });
  });
});

it('refuses bad input [PAGE-1 PAGE-3]', async () => {
  const { visitor, slug } = await openPage(app);
  const { slug: taken } = await openPage(app);
  const refused: [change: unknown, status: number, code: string][] = [
    ...['ab', 'Cooperage', 'a'.repeat(41), '-abc', 'a--b', '', 'café', 'a b'].map((bad): [unknown, number, string] => [
      { slug: bad },
      400,
      'page.slug-invalid',
    ]),
    ...['login', 'api', 'o', taken].map((bad): [unknown, number, string] => [{ slug: bad }, 409, 'page.slug-taken']),
    ...['red', '#ffffff', '#ffc23c', 'b3261', '#b3261e;x'].map((bad): [unknown, number, string] => [
      { accent: bad },
      400,
      'page.accent-contrast',
    ]),
    ...[
      'http://a.example',
      'a.example',
      'javascript:alert(1)',
      'https://',
      'https://user:pw@a.example',
      'https://localhost',
    ].map((bad): [unknown, number, string] => [{ website: bad }, 400, 'form.invalid']),
    [{ website: `https://a.example/${'a'.repeat(200)}` }, 400, 'form.invalid'],
    [{ slug: 7 }, 400, 'form.invalid'],
    [{ slug: 'x'.repeat(201) }, 400, 'form.invalid'],
    [{ isPublic: 'yes' }, 400, 'form.invalid'],
    [{ accent: null }, 400, 'form.invalid'],
  ];
  for (const [change, ...expected] of refused)
    expect([change, ...(await denial(edit(visitor, change)))]).toEqual([change, ...expected]);
  expect(await settingsOf(visitor)).toMatchObject({ slug, website: null, accent: null });
});

it('proposes the closest readable accent, and takes it [PAGE-3]', async () => {
  const { visitor } = await openPage(app);
  const { body } = await edit(visitor, { accent: '#ffc23c' });
  const { suggestion } = (body as unknown as { params: { suggestion: string } }).params;
  for (const ground of LIGHT_GROUNDS) expect(contrast(suggestion, ground)).toBeGreaterThanOrEqual(CONTRAST_MIN);
  expectOk(await edit(visitor, { accent: suggestion.toUpperCase() }));
  expect(await settingsOf(visitor)).toMatchObject({ accent: suggestion });
  expectOk(await edit(visitor, { accent: '' }));
  expect(await settingsOf(visitor)).toMatchObject({ accent: null });
});

describe('an address that was left', () => {
  it('leads to the page for 90 days, and to no other for a year [PAGE-1]', async () => {
    const site = await startTestApp();
    const first = await openPage(site, { slug: 'old-name' });
    const other = await openPage(site, { slug: 'other-name' });
    expectOk(await edit(first.visitor, { slug: 'new-name' }));
    const taking = async () => {
      await logInAgain(other);
      return denial(edit(other.visitor, { slug: 'old-name' }));
    };
    const leadsTo = async () => {
      const reply = await fetch(`${site.publicUrl}/o/old-name/calendar.ics`, { redirect: 'manual' });
      return [reply.status, reply.headers.get('location')];
    };

    expect(await leadsTo()).toEqual([302, '/o/new-name/calendar.ics']);
    expect(await taking()).toEqual([409, 'page.slug-taken']);
    await site.advance({ days: 91 });
    await sweepAccounts(site.deps);
    expect(await leadsTo()).toEqual([404, null]);
    expect(await taking()).toEqual([409, 'page.slug-taken']);
    await site.advance({ days: 275 });
    expect(await taking()).toEqual([200, undefined]);
    await sweepAccounts(site.deps);
    expect(await site.db.selectFrom('formerSlugs').select('organizationId').execute()).toHaveLength(1);
    await site.close();
  });

  it('is open to the organization that had it', async () => {
    const { visitor, slug } = await openPage(app);
    expectOk(await edit(visitor, { slug: 'elsewhere' }));
    expectOk(await edit(visitor, { slug }));
    expect((await calendar(slug)).status).toBe(200);
    const reply = await calendar('elsewhere');
    expect([reply.status, reply.headers.get('location')]).toEqual([302, `/o/${slug}/calendar.ics`]);
  });

  it('does not lead to a page that is not public', async () => {
    const { visitor, slug } = await openPage(app);
    expectOk(await edit(visitor, { slug: 'hidden-now', isPublic: false }));
    for (const address of [slug, 'hidden-now']) expect((await calendar(address)).status).toBe(404);
  });
});

it('gives an address to one of two that want it at once', async () => {
  const [one, other] = [await openPage(app), await openPage(app)];
  const lock = sql`select pg_advisory_xact_lock(${sql.lit(lockNamespaces.slugs)}, hashtext('wanted'))`;
  const answers = await raceForLock(
    app,
    lock,
    [one, other].map(
      ({ visitor }) =>
        () =>
          denial(edit(visitor, { slug: 'wanted' })),
    ),
  );
  expect(answers).toEqual([
    [200, undefined],
    [409, 'page.slug-taken'],
  ]);
});

it('gives no one an address that is left at the same instant', async () => {
  const [one, other] = [await openPage(app, { slug: 'leaving' }), await openPage(app)];
  const lock = sql`select pg_advisory_xact_lock(${sql.lit(lockNamespaces.slugs)}, hashtext('leaving'))`;
  const answers = await raceForLock(app, lock, [
    () => denial(edit(one.visitor, { slug: 'left' })),
    () => denial(edit(other.visitor, { slug: 'leaving' })),
  ]);
  expect(answers).toEqual([
    [200, undefined],
    [409, 'page.slug-taken'],
  ]);
});

it('moves five times a day at most', async () => {
  const limited = await startTestApp({ rateLimitScale: 1 });
  const { visitor } = await openPage(limited);
  for (let moves = 1; moves <= 5; moves++) expectOk(await edit(visitor, { slug: `moved-${moves}` }));
  expect(await denial(edit(visitor, { slug: 'moved-6' }))).toEqual([429, 'rate-limit.exceeded']);
  expectOk(await edit(visitor, { slug: 'moved-5', website: '' }));
  await limited.close();
});

async function logo(width = 1200, height = 800): Promise<Uint8Array> {
  return sharp({ create: { width, height, channels: 4, background: '#b3261e80' } })
    .png()
    .toBuffer();
}

describe('the logo', () => {
  it('is re-encoded, and replaced with its file [PAGE-3]', async () => {
    const { visitor } = await openPage(app);
    const { logo: first } = expectOk(await sendLogo(visitor, [await logo()]));
    const image = sharp(Buffer.from(await (await fetch(first)).arrayBuffer()));
    expect(await image.metadata()).toMatchObject({ format: 'webp', width: LOGO_EDGE_MAX, hasAlpha: true });
    expect(await settingsOf(visitor)).toMatchObject({ logo: first });

    const { logo: second } = expectOk(await sendLogo(visitor, [await logo(64, 64)]));
    expect((await fetch(first)).status).toBe(404);
    expect((await fetch(second)).status).toBe(200);
    expectOk(await edit(visitor, { removesLogo: true }));
    expect((await fetch(second)).status).toBe(404);
    expect(await settingsOf(visitor)).toMatchObject({ logo: null });
  });

  it('is not swept as a file without a row', async () => {
    const { visitor } = await openPage(app);
    const { logo: url } = expectOk(await sendLogo(visitor, [await logo()]));
    const old = { ...app.deps.photos, list: () => listedAsOld(url) };
    await sweepPhotos({ ...app.deps, photos: old });
    expect((await fetch(url)).status).toBe(200);
  });

  it('is an image of at most 1 MB', async () => {
    const { visitor } = await openPage(app);
    const large = await sharp(randomBytes(3 * 700 * 700), { raw: { width: 700, height: 700, channels: 3 } })
      .png()
      .toBuffer();
    expect(large.length).toBeGreaterThan(LOGO_BYTES_MAX);
    expect(await denial(sendLogo(visitor, [large]))).toEqual([413, 'page.logo-too-large']);
    expect(await denial(sendLogo(visitor, []))).toEqual([400, 'page.logo-missing']);
    expect(await denial(sendLogo(visitor, [new Uint8Array()]))).toEqual([400, 'page.logo-missing']);
    for (const fake of ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'GIF89a'])
      expect(await denial(sendLogo(visitor, [Buffer.from(fake)]))).toEqual([400, 'photo.not-a-photo']);
    expect(await settingsOf(visitor)).toMatchObject({ logo: null });
  });
});

async function* listedAsOld(url: string) {
  yield { fileName: url.split('/').at(-1) ?? '', writtenAt: new Date(0) };
}

it('is erased with its organization, and its address stays closed [PAGE-1]', async () => {
  const owner = await namedOrganizer();
  const { organizationId } = await actorOf(app.db, owner.email);
  expectOk(await edit(owner.visitor, { slug: 'to-erase', website: 'https://a.example', accent: '#b3261e' }));
  const { logo: url } = expectOk(await sendLogo(owner.visitor, [await logo()]));
  await logInAgain(owner);

  expectOk(await owner.visitor.call(deleteOrganization, {}));

  const rows = app.db.selectFrom('organizations').where('id', '=', organizationId);
  expect(await rows.select(['name', 'bio', 'slug', 'website', 'logoFile', 'accent']).executeTakeFirst()).toEqual({
    name: null,
    bio: null,
    slug: null,
    website: null,
    logoFile: null,
    accent: null,
  });
  expect((await fetch(url)).status).toBe(404);
  expect((await calendar('to-erase')).status).toBe(404);
  const other = await openPage(app);
  expect(await denial(edit(other.visitor, { slug: 'to-erase' }))).toEqual([409, 'page.slug-taken']);
});
