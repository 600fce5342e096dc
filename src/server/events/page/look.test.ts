import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { lookOf, readLook } from './look.ts';

let apps: TestApp[];
beforeAll(async () => {
  apps = await Promise.all([startTestApp(), startTestApp()]);
});
afterAll(() => Promise.all(apps.map((app) => app.close())));

it('stores the file of an accent in each database that shows it [PAGE-3]', async () => {
  for (const { db } of apps) {
    const hash = (await lookOf(db, '#b3261e')) ?? '';
    expect(await readLook(db, hash)).toContain('--blue:light-dark(#b3261e,');
  }
});
