/** Adding and removing factors. Each change ends the other sessions, and the owner learns of it by email. */
import type { factors, setUpApp, setUpPasskey } from '#contract/app/factors.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { CHALLENGE_MINUTES, denyRemoval, PASSKEYS_MAX } from '#domain/accounts/factors.ts';
import { isAllowed } from '#domain/accounts/roles.ts';
import { lockUser, removeFactorsOf } from '#server/accounts/accounts.sql.ts';
import { requireReauthentication } from '#server/accounts/policies.ts';
import { removeOtherSessions } from '#server/accounts/sessions.sql.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Organizer } from '#server/platform/http/callers.ts';
import { newId } from '#server/platform/ids.ts';
import { queueEmail } from '#server/platform/outbox/queue-email.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import {
  addChallenge,
  addFactor,
  confirmApp,
  countRecoveryCodes,
  endChallenge,
  factorsOf,
  findChallenge,
  findPasskey,
  findUnconfirmedApp,
  removeConfirmedApp,
  removeFactor,
  removeUnconfirmedApps,
} from './factors.sql.ts';
import { readRegistration, registrationOptions } from './passkeys.ts';
import { renewRecoveryCodes } from './recovery-codes.ts';
import { sealApp, unsealApp } from './seal-app.ts';
import { newApp, stepOf } from './totp.ts';

type FactorDeps = Pick<Deps, 'db' | 'clock'>;

/** By the organization, or of operators where money is real. */
const isFactorRequired = (
  { takesRealMoney }: Pick<Deps, 'takesRealMoney'>,
  { isAdmin, organizationRequiresFactor }: Organizer,
) => organizationRequiresFactor || (isAdmin && takesRealMoney);

export async function listFactors(
  deps: Pick<Deps, 'db' | 'takesRealMoney'>,
  organizer: Organizer,
): Promise<ReplyOf<typeof factors>> {
  const { userId, organizationRequiresFactor } = organizer;
  const found = await factorsOf(deps.db, userId);
  return {
    factors: found.map(({ id, kind, name, createdAt, lastUsedAt }) => ({
      id,
      kind,
      name,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
    })),
    recoveryCodesLeft: await countRecoveryCodes(deps.db, userId),
    isRequired: isFactorRequired(deps, organizer),
    ofOrganization: {
      isRequired: organizationRequiresFactor,
      mayChange: isAllowed(organizer, 'organization.require-factor'),
    },
  };
}

/** Replaces an app that was never confirmed. A confirmed one works until the new one is. */
export async function startApp(
  { db, clock, appSecret }: FactorDeps & Pick<Deps, 'appSecret'>,
  organizer: Organizer,
): Promise<ReplyOf<typeof setUpApp>> {
  requireReauthentication(organizer);
  const { userId, email } = organizer;
  const { secret, key, uri } = newApp(email);
  const id = newId();
  await inTransaction(db, async (tx) => {
    await lockUser(tx, userId);
    await removeUnconfirmedApps(tx, userId);
    const secretSealed = sealApp(appSecret, id, secret);
    await addFactor(tx, { id, userId, kind: 'totp', name: '', createdAt: clock.now(), secretSealed });
  });
  return { key, uri };
}

export async function finishApp(
  deps: FactorDeps & Pick<Deps, 'appSecret' | 'rateLimiter'>,
  organizer: Organizer,
  code: string,
): Promise<NewFactor> {
  requireReauthentication(organizer);
  const { userId } = organizer;
  await consumeLimit(deps.rateLimiter, 'factor-code', userId);
  return changeFactors(deps, organizer, async (tx, now) => {
    const app = await findUnconfirmedApp(tx, userId);
    const secret = app && unsealApp(deps.appSecret, app);
    const step = secret ? stepOf(secret, code, now) : null;
    if (!app || step === null) throw new AppError('auth.factor-refused');
    await removeConfirmedApp(tx, userId);
    await confirmApp(tx, app.id, { step, at: now });
  });
}

export async function startPasskey(
  deps: FactorDeps & Pick<Deps, 'publicUrl'>,
  organizer: Organizer,
): Promise<ReplyOf<typeof setUpPasskey>> {
  requireReauthentication(organizer);
  const { db, clock } = deps;
  const { userId, email } = organizer;
  const credentialIds = (await factorsOf(db, userId)).flatMap(({ credentialId }) => credentialId ?? []);
  if (credentialIds.length >= PASSKEYS_MAX) throw new AppError('auth.too-many-passkeys');
  const options = await registrationOptions(deps, { userId, email, credentialIds });
  const challengeId = newId();
  const expiresAt = new Date(clock.now().getTime() + CHALLENGE_MINUTES * 60_000);
  await addChallenge(db, { id: challengeId, purpose: 'add-passkey', userId, challenge: options.challenge, expiresAt });
  return { challengeId, options };
}

export async function finishPasskey(
  deps: FactorDeps & Pick<Deps, 'publicUrl'>,
  organizer: Organizer,
  { challengeId, name, response }: { challengeId: string; name: string; response: { id: string } },
): Promise<NewFactor> {
  requireReauthentication(organizer);
  const { db, clock } = deps;
  const { userId } = organizer;
  const started = await findChallenge(db, { id: challengeId, purpose: 'add-passkey', now: clock.now() });
  if (!started?.challenge || started.userId !== userId) throw new AppError('auth.set-up-expired');
  const passkey = await readRegistration(deps, { challenge: started.challenge, response });
  if (!passkey) throw new AppError('auth.factor-refused');

  return changeFactors(deps, organizer, async (tx, now) => {
    if (!(await endChallenge(tx, challengeId))) throw new AppError('auth.set-up-expired');
    const passkeys = (await factorsOf(tx, userId)).filter(({ kind }) => kind === 'passkey');
    if (passkeys.length >= PASSKEYS_MAX) throw new AppError('auth.too-many-passkeys');
    if (await findPasskey(tx, passkey.credentialId)) throw new AppError('auth.factor-refused');
    await addFactor(tx, { id: newId(), userId, kind: 'passkey', name, createdAt: now, confirmedAt: now, ...passkey });
  });
}

/** Where a factor is required, the last one can be replaced but not removed. */
export async function takeFactorAway(
  deps: FactorDeps & Pick<Deps, 'takesRealMoney'>,
  organizer: Organizer,
  factorId: string,
): Promise<void> {
  requireReauthentication(organizer);
  const { userId } = organizer;
  await changeFactors(deps, organizer, async (tx) => {
    const all = await factorsOf(tx, userId);
    if (!all.some(({ id }) => id === factorId)) throw new AppError('auth.factor-unknown');
    const denial = denyRemoval({ isRequired: isFactorRequired(deps, organizer), count: all.length });
    if (denial) throw new AppError(`auth.${denial}`);
    // Without a factor there is nothing to recover.
    await (all.length === 1 ? removeFactorsOf(tx, userId) : removeFactor(tx, { userId, id: factorId }));
  });
}

export async function replaceCodes(deps: FactorDeps, organizer: Organizer): Promise<{ recoveryCodes: string[] }> {
  requireReauthentication(organizer);
  const { userId } = organizer;
  return inTransaction(deps.db, async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user || (await factorsOf(tx, userId)).length === 0) throw new AppError('auth.factor-unknown');
    const now = deps.clock.now();
    await recordAuditEvent(tx, { action: 'renew-recovery-codes', by: organizer, subject: userId, at: now });
    await tellOwner(tx, { userId, toAddress: user.email, now });
    return { recoveryCodes: await renewRecoveryCodes(tx, userId, now) };
  });
}

interface NewFactor {
  /** With the first factor; shown once. */
  recoveryCodes: string[] | null;
}

async function changeFactors(
  { db, clock }: FactorDeps,
  organizer: Organizer,
  change: (tx: Db, now: Date) => Promise<void>,
): Promise<NewFactor> {
  const { userId, sessionId } = organizer;
  return inTransaction(db, async (tx) => {
    const now = clock.now();
    const user = await lockUser(tx, userId);
    if (!user) throw new AppError('session.missing');
    const before = (await factorsOf(tx, userId)).length;
    await change(tx, now);
    await recordAuditEvent(tx, { action: 'change-factors', by: organizer, subject: userId, at: now });
    await removeOtherSessions(tx, { userId, sessionId });
    await tellOwner(tx, { userId, toAddress: user.email, now });
    return { recoveryCodes: before === 0 ? await renewRecoveryCodes(tx, userId, now) : null };
  });
}

function tellOwner(tx: Db, { userId, ...to }: { userId: string; toAddress: string; now: Date }): Promise<void> {
  return queueEmail(tx, { kind: 'factor-changed', subjectId: newId(), params: {}, accountId: userId, ...to });
}
