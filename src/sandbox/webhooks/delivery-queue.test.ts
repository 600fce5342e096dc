import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Faults } from '#sandbox/faults.ts';
import { Recorder } from '#sandbox/recorder.ts';
import { TestSandbox } from '#tests/support/test-sandbox.ts';
import { WebhookDispatcher } from './webhook-dispatcher.ts';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await TestSandbox.open();
});
afterAll(() => sandbox.close());

/** A dispatcher in another process on the same database. */
const otherDispatcher = () =>
  new WebhookDispatcher({
    pool: sandbox.pool,
    faults: new Faults(),
    recorder: new Recorder(null),
    now: () => Date.now() / 1000,
  });

/** A webhook endpoint that responds only when `answer` is called. */
async function slowReceiver() {
  const bodies: string[] = [];
  const signatures: string[] = [];
  const open: ServerResponse[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      bodies.push(body);
      signatures.push(String(request.headers['stripe-signature']));
      open.push(response);
      server.emit('received');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    bodies,
    signatures,
    async received(count: number) {
      while (bodies.length < count) await once(server, 'received');
    },
    answer(status = 200, headers: Record<string, string> = {}) {
      for (const response of open.splice(0)) response.writeHead(status, headers).end();
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const subscribe = async (url: string, enabled_events: string[] = ['checkout.session.expired']) =>
  await sandbox.stripe.webhookEndpoints.create({ url, enabled_events: enabled_events.map((type) => type as '*') });

const expire = async () => {
  const { id } = await sandbox.openSession();
  await sandbox.stripe.checkout.sessions.expire(id);
};

const attemptsOf = async (eventId: string) => await (await sandbox.api(`/_sandbox/events/${eventId}/attempts`)).json();
const idOf = (body: string | undefined) => String(/"id":"(evt_[^"]+)"/.exec(body ?? '')?.[1]);

describe('a delivery', () => {
  it('is claimed by one process at a time', async () => {
    const receiver = await slowReceiver();
    const endpoint = await subscribe(receiver.url);
    const second = otherDispatcher();
    await expire();
    await receiver.received(1);

    second.wake();
    await expire();
    second.wake();
    await receiver.received(2);
    await sandbox.pool.query('select pg_sleep(0.2)');
    expect(new Set(receiver.bodies.map(idOf)).size).toBe(receiver.bodies.length);

    receiver.answer();
    await Promise.all([second.idle(), sandbox.sandbox.idle()]);
    expect(receiver.bodies).toHaveLength(2);
    await second.close();
    await sandbox.stripe.webhookEndpoints.del(endpoint.id);
    receiver.close();
  });

  it('is claimed again after the lease of a killed process expires', async () => {
    const receiver = await slowReceiver();
    const endpoint = await subscribe(receiver.url);
    await sandbox.pool.query(
      `create function pg_temp_lease() returns trigger language plpgsql as
         $$ begin new.leased_until = clock_timestamp() + interval '700 ms'; new.leased_by = 'dead'; return new; end $$`,
    );
    await sandbox.pool.query(
      'create trigger lease before insert on sandbox.deliveries for each row execute function pg_temp_lease()',
    );
    await expire();
    await sandbox.pool.query('drop trigger lease on sandbox.deliveries');
    await sandbox.pool.query('drop function pg_temp_lease');
    expect(receiver.bodies).toHaveLength(0);

    const idle = sandbox.sandbox.idle();
    await receiver.received(1);
    receiver.answer();
    await idle;

    expect(receiver.bodies).toHaveLength(1);
    await sandbox.stripe.webhookEndpoints.del(endpoint.id);
    receiver.close();
  });

  it('fails on a redirect, records its attempts and can be resent', async () => {
    const receiver = await slowReceiver();
    const endpoint = await subscribe(receiver.url);
    await expire();
    await receiver.received(1);
    receiver.answer(302, { location: `${receiver.url}/elsewhere` });
    await sandbox.sandbox.idle();
    const event = idOf(receiver.bodies[0]);
    expect(await attemptsOf(event)).toMatchObject({
      data: expect.arrayContaining([
        expect.objectContaining({ endpoint: endpoint.id, answer: '302', accepted: false }),
      ]),
    });

    await sandbox.control(`events/${event}/resend`, {});
    await receiver.received(2);
    receiver.answer();
    await sandbox.sandbox.idle();

    const { data } = (await attemptsOf(event)) as { data: { endpoint: string; answer: string }[] };
    expect(data.filter((attempt) => attempt.endpoint === endpoint.id).map(({ answer }) => answer)).toEqual([
      '302',
      '200',
    ]);
    await sandbox.stripe.webhookEndpoints.del(endpoint.id);
    receiver.close();
  });
});

describe('an endpoint', () => {
  it('gets signatures from both secrets during a rotation', async () => {
    const receiver = await slowReceiver();
    const endpoint = await subscribe(receiver.url);
    const rolled = await sandbox.control(`webhook_endpoints/${endpoint.id}/roll_secret`, { expires_in_seconds: 60 });
    const newSecret = (rolled as { secret: string }).secret;
    const send = async (count: number) => {
      await expire();
      await receiver.received(count);
      receiver.answer();
      await sandbox.sandbox.idle();
    };
    const isSignedWith = (index: number, secret: string, later = 0) => {
      try {
        sandbox.stripe.webhooks.constructEvent(
          receiver.bodies[index] ?? '',
          receiver.signatures[index] ?? '',
          secret,
          300,
          undefined,
          Date.now() + later,
        );
        return true;
      } catch {
        return false;
      }
    };

    await send(1);
    expect([isSignedWith(0, newSecret), isSignedWith(0, endpoint.secret ?? '')]).toEqual([true, true]);
    await sandbox.control('clock', { advance_seconds: 61 });
    await send(2);
    expect([isSignedWith(1, newSecret, 61_000), isSignedWith(1, endpoint.secret ?? '', 61_000)]).toEqual([true, false]);
    await sandbox.stripe.webhookEndpoints.del(endpoint.id);
    receiver.close();
  });

  it('receives connected account events only if it subscribes, and nothing when disabled', async () => {
    const receiver = await slowReceiver();
    const url = receiver.url;
    const platform = await sandbox.stripe.webhookEndpoints.create({ url, enabled_events: ['*'] });
    const connect = await sandbox.stripe.webhookEndpoints.create({ url, enabled_events: ['*'], connect: true });
    const off = await sandbox.stripe.webhookEndpoints.create({ url, enabled_events: ['*'] });
    await sandbox.stripe.webhookEndpoints.update(off.id, { disabled: true });

    await expire();
    await sandbox.onboardedAccount();
    const { rows } = await sandbox.pool.query<{ endpoint: string; type: string }>(
      `select d.endpoint_id as endpoint, e.type from sandbox.deliveries d join sandbox.events e on e.id = d.event_id
        where d.endpoint_id = any($1) order by d.id`,
      [[platform.id, connect.id, off.id]],
    );

    expect(rows).toEqual([
      { endpoint: platform.id, type: 'checkout.session.expired' },
      { endpoint: connect.id, type: 'account.updated' },
    ]);
    for (const { id } of [platform, connect, off]) await sandbox.stripe.webhookEndpoints.del(id);
    receiver.answer();
    receiver.close();
  });
});

describe('a delivery to a deleted endpoint', () => {
  it('is abandoned without blocking the queue', async () => {
    const receiver = await slowReceiver();
    const endpoint = await subscribe(receiver.url);
    await expire();
    await receiver.received(1);
    await sandbox.stripe.webhookEndpoints.del(endpoint.id);
    receiver.answer(500);
    await sandbox.sandbox.idle();
    const event = idOf(receiver.bodies[0]);

    await sandbox.control(`events/${event}/resend`, {});
    await sandbox.sandbox.idle();

    expect(await attemptsOf(event)).toMatchObject({
      data: expect.arrayContaining([
        expect.objectContaining({ endpoint: endpoint.id, answer: 'the endpoint was deleted' }),
      ]),
    });
    expect(receiver.bodies).toHaveLength(1);
    receiver.close();
  });
});
