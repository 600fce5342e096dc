/**
 * For `npm run lighthouse`: serves an organizer of many events, one of them with many guests and the first of
 * a series, until it is stopped.
 * Prints as one line of JSON where that is, and the cookie of a session.
 */
import { newPublicId } from '#server/platform/ids.ts';
import { nameMany } from '#tests/support/many-guests.ts';
import { startPostgres, teardown } from '#tests/support/test-database.ts';
import { putOnSale } from './events-on-sale.ts';
import { openOrganizer } from './organizer.ts';
import { openShop } from './shop.ts';

const EVENTS = 1000;
const GUESTS = 50_000;
const DATES = 30;

await startPostgres({ durable: false });
const shop = await openShop({ processes: 1, settings: { RATE_LIMIT_SCALE: '0' } });
const { organizer, eventIds, cookie } = await openOrganizer(shop, { events: 1, guests: GUESTS, isBrowser: true });
const [eventId = ''] = eventIds;
await nameMany(shop.owner, eventId);
const more = await putOnSale(shop.ownerPool, { events: EVENTS - 1 });
await shop.ownerPool.query('update events set organization_id = $1 where id = any ($2)', [
  organizer.organizationId,
  more.map((event) => event.eventId),
]);
const seriesId = newPublicId();
await shop.ownerPool.query('insert into series (id, organization_id, created_at) values ($1, $2, now())', [
  seriesId,
  organizer.organizationId,
]);
await shop.ownerPool.query('update events set series_id = $1 where id = any ($2)', [
  seriesId,
  [eventId, ...more.slice(0, DATES - 1).map((event) => event.eventId)],
]);
await shop.ownerPool.query('vacuum analyze');

async function end(): Promise<void> {
  await shop.close();
  await teardown();
  process.exit();
}
process.on('SIGTERM', () => void end());
process.stdout.write(`${JSON.stringify({ site: shop.origins[0], eventId, cookie })}\n`);
