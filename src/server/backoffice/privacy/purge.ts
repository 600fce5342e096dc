import { retentionDays } from '#contract/retention.ts';
import type { Deps } from '#server/platform/deps.ts';
import * as sql from './purge.sql.ts';

const PAGE = 500;
const DAY_MS = 24 * 60 * 60 * 1000;

/** What the page on privacy promises to remove, with the days it names there. */
const SWEEPS: readonly { kind: string; days: number; sweep: sql.Sweep }[] = [
  { kind: 'notices', days: retentionDays.notice, sweep: sql.sweepWebhookEvents },
  { kind: 'mail copies', days: retentionDays.mailCopy, sweep: sql.sweepEmailCopies },
  { kind: 'mail addresses', days: retentionDays.mailAddress, sweep: sql.sweepEmailAddresses },
  { kind: 'unpaid orders', days: retentionDays.unpaidOrder, sweep: sql.sweepUnpaidOrders },
  { kind: 'unverified accounts', days: retentionDays.unverifiedAccount, sweep: sql.sweepUnverifiedAccounts },
  { kind: 'failed requests', days: retentionDays.failedRequest, sweep: sql.sweepFailedRequests },
  { kind: 'offline scans', days: retentionDays.doorDevice, sweep: sql.sweepOfflineScans },
  { kind: 'door devices', days: retentionDays.doorDevice, sweep: sql.sweepCheckInDevices },
  { kind: 'birthdays', days: 0, sweep: sql.sweepBirthdays },
  { kind: 'links', days: 0, sweep: sql.sweepRecordsLinks },
];

/** Removes what has had its time. May be cut off anywhere, and run twice at once: each page stands for itself. */
export async function purge(
  { db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>,
  { pageSize = PAGE }: { pageSize?: number } = {},
): Promise<void> {
  const now = clock.now().getTime();
  for (const { kind, days, sweep } of SWEEPS) {
    const before = new Date(now - days * DAY_MS);
    let removed = 0;
    for (let after: string | null = ''; after !== null; ) {
      const page: sql.Swept = await sweep(db, { before, after, limit: pageSize });
      removed += page.removed;
      after = page.last;
    }
    if (removed > 0) log.info({ kind, removed }, 'purged');
  }
}
