/** Emails operators about problems: once, then daily while they last. */
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { newId } from '#server/platform/ids.ts';
import { queueEmail } from '#server/platform/outbox/queue-email.ts';
import { type DueAlert, raiseAlerts, raiseCheckAlerts, takeDueAlerts } from './alerts.sql.ts';

type AlertDeps = Pick<Deps, 'db' | 'clock' | 'alertEmail' | 'log'>;

export async function sendAlerts(deps: AlertDeps): Promise<void> {
  await raiseAlerts(deps.db);
  await sendDue(deps);
}

/** Apart from the others, because the checks read the whole ledger. */
export async function sendCheckAlerts(deps: AlertDeps & Pick<Deps, 'findFailedChecks'>): Promise<void> {
  await raiseCheckAlerts(deps.db, await deps.findFailedChecks());
  await sendDue(deps);
}

/** One email for all, however many there are. Without an address, alerts are only listed. */
async function sendDue({ db, clock, alertEmail: toAddress, log }: AlertDeps): Promise<void> {
  if (toAddress === null) return;
  const due = await inTransaction(db, async (tx) => {
    const taken = await takeDueAlerts(tx);
    if (taken.length === 0) return taken;
    const params = { counts: countsOf(taken) };
    await queueEmail(tx, { kind: 'alert', subjectId: newId(), params, toAddress, now: clock.now() });
    return taken;
  });
  // Also logged, because the problem may be the mail server.
  if (due.length > 0) log.error({ alerts: countsOf(due) }, 'problems need an operator');
}

/** How many alerts of each kind; an action item and a check by their own kind and name. */
function countsOf(alerts: readonly DueAlert[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind, subject } of alerts) {
    const code =
      kind === 'action-item'
        ? `${kind} ${subject.split(' ')[0]}`
        : kind === 'check-failed'
          ? `${kind} ${subject}`
          : kind;
    counts[code] = (counts[code] ?? 0) + 1;
  }
  return counts;
}
