import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkGuest } from '#contract/app/check-in.ts';
import { publicEvent } from '#contract/app/events.ts';
import { guestPage } from '#contract/app/guests.ts';
import { changeRole, removeMember, team } from '#contract/app/team.ts';
import { openDatabase, openPool } from '#server/platform/database.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { until } from '#tests/support/metrics.ts';
import { moveClock } from '#tests/support/move-clock.ts';
import {
  buyTickets,
  codesOf,
  emailsTo,
  eventOnSale,
  expectOk,
  generalAdmission,
  type Site,
} from '#tests/support/people.ts';
import { type Product, startProduct } from '#tests/support/product.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { newMember } from '#tests/support/team.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

const MOVED_SECONDS = 3 * 24 * 60 * 60;
const APP_SECRET = 'a secret for both hosts of more than 32 characters';

let database: TestDatabase;
let address: string;
let hosts: [Product, Product];
beforeAll(async () => {
  database = await createTestDatabase();
  // An empty database, so both hosts find pending migrations.
  address = database.connectionString.replace('/test_', '/empty_');
  await onMaintenanceDatabase(`create database ${nameOf(address)}`);
  const start = () => startProduct({ DATABASE_URL: address, APP_SECRET, RATE_LIMIT_SCALE: '0' });
  hosts = await Promise.all([start(), start()]);
});
afterAll(async () => {
  await Promise.all(hosts?.map((host) => host.remove()) ?? []);
  await onMaintenanceDatabase(`drop database if exists ${nameOf(address)} with (force)`);
  await database?.drop();
});

const nameOf = (connectionString: string) => new URL(connectionString).pathname.slice(1);

async function onMaintenanceDatabase(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: database.connectionString });
  await client.connect();
  await client.query(statement);
  await client.end();
}

describe('two hosts on one empty database', () => {
  it('agree on who migrates, and sell the same event', async () => {
    const [one, other] = hosts.map(siteOf);
    if (!one || !other) throw new Error('two hosts are needed');
    const { eventId } = await eventOnSale(one);

    const codes = [];
    for (const site of [one, other, other, one])
      codes.push(...codesOf(await buyTickets(site, eventId, generalAdmission(1), 'both@example.com')));

    expect(new Set(codes).size).toBe(4);
    expect(await emailsTo(other, 'both@example.com')).toHaveLength(4);
    const pool = openPool(address, () => {});
    expect(await brokenInvariants(openDatabase(pool))).toEqual([]);
    await pool.end();
  });

  it('end the access of a removed member within a second, on the other host as well [ORG-4]', async () => {
    const [one, other] = hosts.map(siteOf);
    if (!one || !other) throw new Error('two hosts are needed');
    const owner = await eventOnSale(one);
    const [confirmationNumber = ''] = codesOf(await buyTickets(one, owner.eventId, generalAdmission(1)));
    const member = await newMember(one, owner, 'editor');
    const elsewhere = other.visitor();
    for (const [name, value] of member.visitor.cookies) elsewhere.cookies.set(name, value);
    const reads = async () => (await elsewhere.call(guestPage, { eventId: owner.eventId })).status;
    const scans = async () => (await elsewhere.call(checkGuest, { eventId: owner.eventId, confirmationNumber })).status;
    expect([await reads(), await scans()]).toEqual([200, 200]);
    const { members } = expectOk(await owner.visitor.call(team, {}));
    const userId = members.find(({ email }) => email === member.email)?.userId ?? '';

    expectOk(await owner.visitor.call(changeRole, { userId, role: 'check-in', onlyEventIds: null }));
    await until('the role counts on the other host', async () => (await reads()) === 403, 1);
    expect(await scans()).toBe(200);
    expectOk(await owner.visitor.call(removeMember, { userId }));

    const isOut = async () => (await reads()) === 401 && (await scans()) === 401;
    await until('the member is out on the other host', isOut, 1);
  });

  it('share one clock, whichever host moves it', async () => {
    const [one, other] = hosts.map(siteOf);
    if (!one || !other) throw new Error('two hosts are needed');
    const { eventId } = await eventOnSale(one);
    expect((await other.call(publicEvent, { eventId })).body).toHaveProperty('title');

    await moveClock(hosts[0].sandboxUrl, MOVED_SECONDS);

    const isOver = async () => 'msg' in (await other.call(publicEvent, { eventId })).body;
    await until('the other host shows the event as over', isOver, 1);
    const clock = await fetch(`${hosts[1].sandboxUrl}/_sandbox/clock`);
    expect(JSON.parse(await clock.text())).toHaveProperty('offset_seconds', MOVED_SECONDS);
  });

  it('continue when one is killed', async () => {
    await hosts[0].kill();
    const left: Site = { ...siteOf(hosts[1]), now: () => new Date(Date.now() + MOVED_SECONDS * 1000) };
    const { eventId } = await eventOnSale(left);

    const order = await buyTickets(left, eventId, generalAdmission(2), 'left@example.com');

    expect(codesOf(order)).toHaveLength(2);
    await until('the email arrives', async () => (await emailsTo(left, 'left@example.com')).length === 1, 40);
  });
});
