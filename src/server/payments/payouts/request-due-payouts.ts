import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import { ProcessorDenied, ProcessorUnreachable } from '#server/platform/ports/processor-error.ts';
import { duePayouts } from './payouts.sql.ts';
import { payOut } from './request-payout.ts';

type DueDeps = Parameters<typeof payOut>[0] & Pick<Deps, 'log'>;

const PAGE = 100;

/** Requests the payouts of organizations that chose automatic ones. What is denied is asked for again with the next run. */
export async function requestDuePayouts(deps: DueDeps, { pageSize = PAGE }: { pageSize?: number } = {}): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const due: Awaited<ReturnType<typeof duePayouts>> = await duePayouts(deps.db, { after, limit: pageSize });
    for (const event of due) await requestDue(deps, event);
    after = due.at(-1)?.eventId;
  }
}

/** One that fails doesn't keep the others waiting. */
async function requestDue(deps: DueDeps, event: { organizationId: string; eventId: string }): Promise<void> {
  try {
    await payOut(deps, event, { actorKind: 'job' });
  } catch (error) {
    if (error instanceof AppError) return;
    if (!(error instanceof ProcessorUnreachable || error instanceof ProcessorDenied)) throw error;
    deps.log.warn({ err: error, eventId: event.eventId }, 'could not request a payout yet');
  }
}
