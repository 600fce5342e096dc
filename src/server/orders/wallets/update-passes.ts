/**
 * Tells wallets what has changed. A job compares what each pass shows with what it showed, so that no writer of events and tickets
 * has to know of passes. Any number of processes may run it: each change is recorded and claimed once. No call is made in a transaction.
 */
import { type PassKind, retryMinutes, UPDATED_DAYS, UPDATES_PER_DAY } from '#domain/sales/wallet-passes.ts';
import { mapConcurrently } from '#server/platform/concurrency.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { AppleWallet, GoogleWallet, WalletAnswer } from '#server/platform/ports/wallets.ts';
import { lockPass } from './devices.sql.ts';
import { detectChanges, type PassRef } from './passes.sql.ts';
import * as sending from './sending.sql.ts';
import { readPass, walletEvent, walletTicket } from './wallet-pass.ts';

type UpdateDeps = Pick<Deps, 'db' | 'wallets' | 'publicUrl' | 'log'>;

const PAGE = 2000;
/** Paces the phones, too: each that is notified asks for a pass, which is signed for it. */
const SENT_MAX = 500;
const BATCH = 100;
/** The next run follows within a minute. */
const RUN_MS = 45_000;
/** About as many a second as Google allows an issuer. */
const GOOGLE_CALLS = 5;
/** A link to Google may be followed long after it was asked for. */
const UNSAVED_RETRY_MINUTES = 24 * 60;

export async function updatePasses(deps: UpdateDeps): Promise<void> {
  const { apple, google } = deps.wallets;
  const kinds: PassKind[] = [
    ...(apple ? ['apple' as const] : []),
    ...(google ? (['google', 'google-event'] as const) : []),
  ];
  if (kinds.length === 0) return;
  await detectAll(deps);

  const end = performance.now() + RUN_MS;
  for (let sent = 0; sent < SENT_MAX && performance.now() < end; sent += BATCH) {
    const claim = { kinds, limit: BATCH, perDay: UPDATES_PER_DAY, days: UPDATED_DAYS };
    const passes = await sending.claimPasses(deps.db, claim);
    const apples = passes.filter(({ kind }) => kind === 'apple');
    const googles = passes.filter(({ kind }) => kind !== 'apple');
    await Promise.all([apple && sendToApple(deps, apple, apples), google && sendToGoogle(deps, google, googles)]);
    if (passes.length < BATCH) return;
  }
}

async function detectAll({ db }: UpdateDeps): Promise<void> {
  let after: PassRef | null = null;
  do {
    const page: Awaited<ReturnType<typeof detectChanges>> = await detectChanges(db, {
      after,
      limit: PAGE,
      days: UPDATED_DAYS,
    });
    after = page.last;
  } while (after);
}

async function sendToApple(
  deps: UpdateDeps,
  apple: AppleWallet,
  passes: readonly sending.ClaimedPass[],
): Promise<void> {
  const devices = await sending.devicesToNotify(deps.db, passes);
  const answers = await apple
    .notify(devices.map(({ pushToken }) => pushToken))
    .catch((error: unknown): Map<string, WalletAnswer> => {
      deps.log.warn({ err: error }, 'could not reach the push service of Apple');
      return new Map();
    });
  for (const pass of passes) {
    const own = devices.filter(({ eventId, passId }) => eventId === pass.eventId && passId === pass.passId);
    for (const device of own) {
      const answer = answers.get(device.pushToken);
      if (answer === 'updated') await sending.markNotified(deps.db, pass, device);
      if (answer === 'gone') await sending.removeToken(deps.db, device.pushToken);
    }
    const isDone = own.every(({ pushToken }) => answers.has(pushToken));
    await (isDone ? endClaim(deps, pass) : retry(deps, pass));
  }
}

/** A phone that registers meanwhile waits for the lock, or is found under it. */
async function endClaim({ db }: UpdateDeps, pass: sending.ClaimedPass): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (pass.kind === 'apple') await lockPass(tx, pass);
    await sending.endClaim(tx, pass);
  });
}

async function sendToGoogle(
  deps: UpdateDeps,
  google: GoogleWallet,
  passes: readonly sending.ClaimedPass[],
): Promise<void> {
  const failures: unknown[] = [];
  await mapConcurrently(passes, GOOGLE_CALLS, async (pass) => {
    try {
      const answer = await sendOne(deps, google, pass);
      if (answer === 'updated') await endClaim(deps, pass);
      else await sending.retryClaim(deps.db, pass, { minutes: UNSAVED_RETRY_MINUTES, attempts: 0 });
    } catch (error) {
      failures.push(error);
      await retry(deps, pass).catch((later: unknown) => failures.push(later));
    }
  });
  if (failures.length > 0)
    deps.log.warn({ err: failures[0], subjects: failures.length }, 'could not update passes at Google');
}

/** As it is now, which is what was claimed or newer. */
async function sendOne(deps: UpdateDeps, google: GoogleWallet, ref: PassRef): Promise<WalletAnswer> {
  const pass = await readPass(deps.db, ref);
  if (!pass) return 'gone';
  const ticket = walletTicket(deps, pass);
  return ticket ? google.updateTicket(ticket) : google.updateEvent(walletEvent(deps, pass));
}

async function retry({ db }: UpdateDeps, pass: sending.ClaimedPass): Promise<void> {
  const attempts = pass.attempts + 1;
  await sending.retryClaim(db, pass, { minutes: retryMinutes(attempts), attempts });
}
