/** What an operator does during a history: stops and resumes its sale, holds its payouts and suspends its organization. */
import { holdPayout, releasePayout } from '#server/backoffice/brakes/hold-payout.ts';
import { resumeSales, stopSales } from '#server/backoffice/brakes/stop-sales.ts';
import { resumeOrganization, suspendOrganization } from '#server/backoffice/brakes/suspend.ts';
import { newId } from '#server/platform/ids.ts';
import { dispute, disputeProceeds } from './bank-moves.ts';
import type { AppAccess, BrakeKind, HistoryInApp } from './history.ts';
import type { Move } from './moves.ts';

const brakes: Record<BrakeKind, { put: Turn; lift: Turn }> = {
  'stopped sales': { put: stopSales, lift: resumeSales },
  'held payouts': { put: holdPayout, lift: releasePayout },
  suspension: { put: suspendOrganization, lift: resumeOrganization },
};

type Turn = (
  app: Pick<AppAccess, 'db'>,
  brake: { operatorId: string; sessionId: string; organizationId: string; eventId: string; note: string },
) => Promise<unknown>;

/** The banks are busy as well: disputes are opened and lost while a payout holds something back. */
export const operatorMoves: readonly Move[] = [
  { name: 'an operator brakes', weights: [14, 16], make: brake },
  { name: 'another dispute', weights: [0, 30], make: dispute },
  { name: 'another dispute proceeds', weights: [0, 40], make: disputeProceeds },
];

/** Puts one on, or lifts it. Events of one organizer would lift each other's suspension, so only one of them has it. */
async function brake(stage: HistoryInApp): Promise<void> {
  const { history } = stage;
  const kinds: BrakeKind[] = history.isFirstOfOrganizer
    ? ['stopped sales', 'held payouts', 'suspension']
    : ['stopped sales', 'held payouts'];
  const kind = history.random.pick(kinds);
  if (history.brakes.some((one) => one.kind === kind && !one.until)) return lift(stage, kind);
  await turn(stage, kind, 'put');
  history.brakes.push({ kind, since: stage.app.now(), until: null });
}

export async function liftAll(stage: HistoryInApp): Promise<void> {
  for (const { kind, until } of stage.history.brakes) if (!until) await lift(stage, kind);
}

async function lift(stage: HistoryInApp, kind: BrakeKind): Promise<void> {
  const { app, history } = stage;
  for (const one of history.brakes) if (one.kind === kind) one.until ??= app.now();
  await turn(stage, kind, 'lift');
}

async function turn({ app, history }: HistoryInApp, kind: BrakeKind, way: 'put' | 'lift'): Promise<void> {
  const { eventId, organizer } = history;
  const { organizationId, userId: operatorId } = organizer;
  await brakes[kind][way](app, { operatorId, sessionId: newId(), organizationId, eventId, note: 'A drill.' });
  history.log.push(`${app.now().toISOString()} ${way} ${kind}: done`);
}
