import { retentionDays } from '#domain/retention.ts';
import type { Deps } from '#server/platform/deps.ts';
import * as sql from './purge.sql.ts';
import * as guests from './purge-guests.sql.ts';
import * as rooms from './purge-waiting-rooms.sql.ts';
import { sweepWalletPasses } from './purge-wallets.sql.ts';
import * as webhooks from './purge-webhooks.sql.ts';

const PAGE = 500;
const DAY_MS = 24 * 60 * 60 * 1000;

/** The retention periods of the privacy page. */
const SWEEPS: readonly { kind: string; days: number; sweep: sql.Sweep }[] = [
  { kind: 'webhook events', days: retentionDays.webhookEvent, sweep: sql.sweepWebhookEvents },
  { kind: 'email copies', days: retentionDays.emailCopy, sweep: sql.sweepEmailCopies },
  { kind: 'email addresses', days: retentionDays.emailAddress, sweep: sql.sweepEmailAddresses },
  { kind: 'email recipients', days: retentionDays.emailRecipient, sweep: sql.sweepRecipientHashes },
  { kind: 'unpaid orders', days: retentionDays.unpaidOrder, sweep: sql.sweepUnpaidOrders },
  { kind: 'proofs of addresses', days: retentionDays.unpaidOrder, sweep: sql.sweepEmailProofs },
  { kind: 'answers of guests', days: 0, sweep: guests.sweepAnswers },
  { kind: 'door notes', days: retentionDays.doorNote, sweep: guests.sweepDoorNotes },
  { kind: 'names of guests', days: retentionDays.guestName, sweep: guests.sweepNames },
  { kind: 'details of unpaid orders', days: retentionDays.unpaidOrder, sweep: guests.sweepUnpaid },
  { kind: 'expired orders', days: retentionDays.expiredOrder, sweep: sql.deleteExpiredOrders },
  { kind: 'card hashes', days: retentionDays.cardHash, sweep: sql.sweepCardHashes },
  { kind: 'unverified accounts', days: retentionDays.unverifiedAccount, sweep: sql.sweepUnverifiedAccounts },
  { kind: 'failed requests', days: retentionDays.failedRequest, sweep: sql.sweepFailedRequests },
  { kind: 'offline scans', days: retentionDays.checkInDevice, sweep: sql.sweepOfflineScans },
  { kind: 'check-in devices', days: retentionDays.checkInDevice, sweep: sql.sweepCheckInDevices },
  { kind: 'wallet passes', days: retentionDays.walletPass, sweep: sweepWalletPasses },
  { kind: 'webhook deliveries', days: retentionDays.webhookDelivery, sweep: webhooks.sweepDeliveries },
  { kind: 'ended webhooks', days: retentionDays.webhookDelivery, sweep: webhooks.sweepEndpoints },
  { kind: 'undone check-ins', days: retentionDays.webhookDelivery, sweep: webhooks.sweepUndone },
  { kind: 'dispute statements', days: 0, sweep: sql.sweepStatements },
  { kind: 'abuse reports', days: retentionDays.abuseReport, sweep: sql.sweepAbuseReports },
  { kind: 'network keys', days: retentionDays.networkKey, sweep: sql.sweepNetworkKeys },
  { kind: 'networks of waiting rooms', days: 0, sweep: rooms.sweepWaitingRoomNetworks },
  { kind: 'presence in waiting rooms', days: 0, sweep: rooms.sweepWaitingRoomPresence },
  { kind: 'skipped waiting-room passes', days: 0, sweep: rooms.sweepWaitingRoomSkips },
  { kind: 'birth dates', days: 0, sweep: sql.sweepBirthDates },
  { kind: 'privacy links', days: 0, sweep: sql.sweepRecordsLinks },
];

/** Removes expired data. Safe to interrupt and to run concurrently: every page is independent. */
export async function purge(
  { db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>,
  { pageSize = PAGE }: { pageSize?: number } = {},
): Promise<void> {
  const now = clock.now().getTime();
  const failures: unknown[] = [];
  for (const { kind, days, sweep } of SWEEPS) {
    const before = new Date(now - days * DAY_MS);
    let removed = 0;
    try {
      for (let after: string | null = ''; after !== null; ) {
        const page: sql.SweptPage = await sweep(db, { before, after, limit: pageSize });
        removed += page.removed;
        after = page.last;
      }
    } catch (error) {
      // The others must not wait for it.
      failures.push(error);
      log.error({ err: error, kind }, 'could not purge');
    }
    if (removed > 0) log.info({ kind, removed }, 'purged');
  }
  if (failures.length > 0) throw failures[0];
}
