import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { login } from '#contract/app/accounts.ts';
import { createEvent, getCoords, publicEvent } from '#contract/app/events.ts';
import { Visitor } from '#tests/support/http-visitor.ts';
import { eventForm, expectOk, PASSWORD } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { openTwoServers, type TwoServers } from './two-servers/open-two-servers.ts';

/** Makes every DNS lookup of the geocoder fail. */
const CUT_OFF = {
  GEOCODER: 'census',
  NODE_OPTIONS: `--import=${fileURLToPath(new URL('../support/loopback-only.mjs', import.meta.url))}`,
};

let stage: TwoServers;
beforeAll(async () => {
  stage = await openTwoServers([CUT_OFF, CUT_OFF]);
});
afterAll(() => stage?.close());

const ADDRESS = { street: '38 Withers St', city: 'Brooklyn', state: 'NY', postalCode: '11211' } as const;

describe('a geocoder that cannot be reached', () => {
  it('falls back to the ZIP code, then to a pin that the organizer sets, and saves the event there', async () => {
    for (const server of stage.servers) {
      const visitor = new Visitor(server.url);
      expectOk(await visitor.call(login, { email: stage.organizer.email, password: PASSWORD }));
      expect((await visitor.call(getCoords, ADDRESS)).body).toEqual({
        lat: expect.closeTo(40.7, 0),
        lng: expect.closeTo(-74, 0),
      });
      const unknown = await visitor.call(getCoords, { ...ADDRESS, postalCode: '00000' });
      expect([unknown.status, unknown.body.code]).toEqual([404, 'address.not-found']);

      const dragged = { postalCode: '00000', latitude: 40.123, longitude: -73.456 };
      const { eventId } = expectOk(await visitor.call(createEvent, eventForm(siteOf(server), dragged)));
      expect((await visitor.call(publicEvent, { eventId })).body).toMatchObject({
        latitude: 40.123,
        longitude: -73.456,
      });
    }
  });
});
