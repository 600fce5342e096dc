/** Check-in views for a busy event and an empty one, as the server would return them. */
import type { Page } from '@playwright/test';
import { type CheckInDashboard, checkInDashboard } from '#contract/app/check-in-devices.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

export const VIEW_PATH = '**/api/protected/door-view/*';

/** Before the first guest. */
export function emptyView(now: Date, change: Partial<CheckInDashboard> = {}): CheckInDashboard {
  return {
    title: 'Basement Brass',
    timezone: 'America/New_York',
    attendantCode: '7Q4MK2XP9A',
    counts: [
      { ticketName: 'General admission', isAddOn: false, sold: 240, admitted: 0 },
      { ticketName: 'Balcony', isAddOn: false, sold: 58, admitted: 0 },
      { ticketName: 'Friends of the band', isAddOn: false, sold: 12, admitted: 0 },
    ],
    devices: [],
    arrivals: [],
    conflicts: [],
    now: now.getTime(),
    ...change,
  };
}

/** Guests per five minutes since the doors opened. */
const ARRIVALS = [2, 5, 9, 14, 22, 31, 38, 27, 19, 16, 9, 4];
export const ADMITTED = ARRIVALS.reduce((sum, guests) => sum + guests, 0);

export function busyView(now: Date, change: Partial<CheckInDashboard> = {}): CheckInDashboard {
  const at = now.getTime();
  const five = Math.floor(at / (5 * MINUTE)) * 5 * MINUTE;
  return emptyView(now, {
    counts: [
      { ticketName: 'General admission', isAddOn: false, sold: 240, admitted: 151 },
      { ticketName: 'Balcony', isAddOn: false, sold: 58, admitted: 40 },
      { ticketName: 'Friends of the band', isAddOn: false, sold: 12, admitted: 5 },
    ],
    arrivals: ARRIVALS.map((admitted, bar) => ({ from: five - (ARRIVALS.length - 1 - bar) * 5 * MINUTE, admitted })),
    devices: [
      device('Gate 1', at, { admitted: 81, lastScanAt: at - 14 * SECOND, seenAt: at - 2 * SECOND }),
      device('Gate 2', at, { admitted: 64, lastScanAt: at - 31 * SECOND, seenAt: at - 4 * SECOND }),
      device('Balcony stairs', at, { admitted: 38, lastScanAt: at - 4 * MINUTE, seenAt: at - 4 * MINUTE, pending: 7 }),
      device('Stage door', at, { admitted: 13, lastScanAt: at - 11 * MINUTE, seenAt: at - 3 * SECOND }),
      device('Ada Cooper', at, { seenAt: at - SECOND, isMember: true }),
      device('Old phone', at, { state: 'ended', admitted: 0, seenAt: at - 50 * MINUTE }),
      device('Borrowed tablet', at, { state: 'removed', lastScanAt: at - 40 * MINUTE, seenAt: at - 39 * MINUTE }),
    ],
    conflicts: [
      conflict('double', at - 3 * MINUTE, 'Gate 2', {
        confirmationNumber: '4829103756',
        firstAt: at - 21 * MINUTE,
        firstDevice: 'Gate 1',
      }),
      conflict('unknown', at - 6 * MINUTE, 'Balcony stairs', { ticketName: null, confirmationNumber: null }),
      conflict('double', at - 9 * MINUTE, 'Balcony stairs', {
        ticketName: 'Balcony',
        confirmationNumber: '1180427795',
        firstAt: at - 12 * MINUTE,
        firstDevice: 'Gate 2',
      }),
      conflict('refunded', at - 12 * MINUTE, 'Balcony stairs', { confirmationNumber: '7305518264' }),
      conflict('disputed', at - 13 * MINUTE, 'Gate 2', { confirmationNumber: '9925140038' }),
      conflict('cancelled', at - 14 * MINUTE, 'Gate 2', { confirmationNumber: '2048837716' }),
      conflict('outside-hours', at - 15 * MINUTE, 'Gate 2', { confirmationNumber: '3120045587' }),
      conflict('transferred', at - 16 * MINUTE, 'Gate 2', { confirmationNumber: '6640281953' }),
    ],
    ...change,
  });
}

/** In the order of the devices' entry, newest first. */
const NAMES = ['Gate 1', 'Gate 2', 'Balcony stairs', 'Stage door', 'Ada Cooper', 'Old phone', 'Borrowed tablet'];

function device(
  name: string,
  at: number,
  change: Partial<CheckInDashboard['devices'][number]>,
): CheckInDashboard['devices'][number] {
  const index = NAMES.indexOf(name) + 1;
  return {
    id: `0199aaaa-0000-7000-8000-${String(index).padStart(12, '0')}`,
    name,
    enteredAt: at - 60 * MINUTE - index * SECOND,
    seenAt: at,
    lastScanAt: null,
    admitted: 0,
    pending: 0,
    state: 'open',
    isMember: false,
    ...change,
  };
}

function conflict(
  result: CheckInDashboard['conflicts'][number]['result'],
  at: number,
  where: string,
  change: Partial<CheckInDashboard['conflicts'][number]>,
): CheckInDashboard['conflicts'][number] {
  return {
    result,
    ticketName: 'General admission',
    isAddOn: false,
    confirmationNumber: null,
    at,
    device: where,
    firstAt: null,
    firstDevice: null,
    ...change,
  };
}

/** Returns a fresh view for each request of the page, validated by the contract. */
export async function serveView(page: Page, view: () => CheckInDashboard): Promise<void> {
  await page.route(VIEW_PATH, (route) => route.fulfill({ json: checkInDashboard.reply.parse(view()) }));
}
