/** The operator's endpoints, called by others. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profile } from '#contract/app/accounts.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { notFoundPage, signedOut } from '#contract/messages/requests.ts';
import { appointAdmin } from '#server/accounts/appoint-admin.ts';
import { endpointsOfContract } from '#tests/support/endpoints.ts';
import { newOrganizer } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

const calls = (await endpointsOfContract())
  .map(([, endpoint]) => endpoint)
  .filter((endpoint) => endpoint.path.startsWith('/api/protected/admin/'))
  .map((endpoint): [string, AnyEndpoint] => [`${endpoint.method} ${endpoint.path}`, endpoint]);
const [overview] = calls.map(([, endpoint]) => endpoint);

let app: TestApp;
let organizer: Awaited<ReturnType<typeof newOrganizer>>;
beforeAll(async () => {
  app = await startTestApp({ runsJobs: false });
  organizer = await newOrganizer(app);
});
afterAll(() => app.close());

/** The token with another claim, and without a valid signature. */
function claimingToBeAdmin(token: string): string {
  const [head = '', claims = '', signature = ''] = token.split('.');
  const changed = { ...JSON.parse(Buffer.from(claims, 'base64url').toString()), isAdmin: true };
  return [head, Buffer.from(JSON.stringify(changed)).toString('base64url'), signature].join('.');
}

describe.each(calls)('%s', (_name, endpoint) => {
  it('is for operators only, and looks like an unknown URL to others', async () => {
    const input = { isAdmin: true, eventId: 'x', id: 'x' };
    const reply = await organizer.visitor.send(endpoint, input);
    const none = await organizer.visitor.send({ ...endpoint, path: '/api/protected/admin/none' }, input);

    expect([reply.status, reply.body]).toEqual([404, { msg: notFoundPage }]);
    expect([none.status, none.body]).toEqual([reply.status, reply.body]);
    expect(await app.visitor().send(endpoint, {})).toMatchObject({ status: 401, body: { msg: signedOut } });
  });

  it("does not trust a token that claims to be an operator's", async () => {
    const forger = app.visitor();
    forger.cookies.set('token', claimingToBeAdmin(organizer.visitor.cookies.get('token') ?? ''));

    expect((await forger.send(endpoint, {})).status).toBe(401);
  });
});

describe('the admin role', () => {
  it('ends immediately, whatever the token still claims', async () => {
    const { visitor, email } = await newOrganizer(app);
    if (!overview) throw new Error('the contract has no operator endpoint');

    await appointAdmin(app.deps, { email, isAdmin: true });
    expect((await visitor.send(overview, {})).status).toBe(200);
    await appointAdmin(app.deps, { email, isAdmin: false });

    expect((await visitor.send(overview, {})).status).toBe(404);
    expect((await visitor.call(profile, {})).status).toBe(200);
  });
});
