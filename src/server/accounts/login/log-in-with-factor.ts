import { type LoginProof, recoveryCodeFrom } from '#domain/accounts/factors.ts';
import { lockUserToLogIn } from '#server/accounts/accounts.sql.ts';
import { acceptPasskey, checkFactor } from '#server/accounts/factors/check-factor.ts';
import { endChallenge, findChallenge, findPasskey } from '#server/accounts/factors/factors.sql.ts';
import { AppError } from '#server/platform/app-error.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { isEmailedCode } from '#server/platform/outbox/emailed-code.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { type Device, type NewSession, openSession } from './open-session.ts';

type LoginDeps = Pick<Deps, 'db' | 'clock' | 'rateLimiter' | 'appSecret' | 'publicUrl'>;

/** What a person shows: a code of the app, a recovery code, or a passkey's signature. */
export interface ShownFactor {
  code?: string | undefined;
  passkey?: { id: string } | undefined;
}

/** The second step, after the password. */
export async function logInWithFactor(
  deps: LoginDeps,
  { challengeId, code, passkey, ...device }: ShownFactor & Device & { challengeId: string },
): Promise<NewSession> {
  const { db, clock, rateLimiter } = deps;
  const now = clock.now();
  const challenge = await findChallenge(db, { id: challengeId, purpose: 'log-in', now });
  const userId = challenge?.userId;
  if (!userId) throw new AppError('auth.challenge-expired');
  // Counted before it is judged: a million codes are soon tried at once.
  if (code !== undefined) await consumeLimit(rateLimiter, 'factor-code', userId);

  const session = await inTransaction(db, async (tx) => {
    const user = await lockUserToLogIn(tx, userId);
    if (!user) return null;
    const isRight = challenge.takesEmailedCode
      ? isEmailedCode(deps.appSecret, challengeId, code ?? '')
      : await checkFactor(deps, tx, user, { code, passkey, challenge: challenge.challenge });
    if (!isRight) return null;
    // A new password has ended the challenge, and two answers at once open one session.
    if (!(await endChallenge(tx, challengeId))) throw new AppError('auth.challenge-expired');
    const proof = challenge.takesEmailedCode ? 'emailed-code' : proofOf({ code, passkey });
    return openSession(deps, tx, user, { ...device, proof });
  });
  if (!session) throw new AppError('auth.factor-invalid');
  return session;
}

export function proofOf({ code, passkey }: ShownFactor): LoginProof {
  if (passkey) return 'passkey';
  return recoveryCodeFrom(code ?? '') === null ? 'totp' : 'recovery-code';
}

/** A passkey that has verified its user, with a fingerprint or a PIN, is both factors. */
export async function logInWithPasskey(
  deps: LoginDeps,
  { challengeId, passkey, ...device }: Device & { challengeId: string; passkey: { id: string } },
): Promise<NewSession> {
  const { db, clock } = deps;
  const challenge = await findChallenge(db, { id: challengeId, purpose: 'log-in-with-passkey', now: clock.now() });
  if (!challenge?.challenge) throw new AppError('auth.challenge-expired');
  const found = await findPasskey(db, passkey.id);
  if (!found) throw new AppError('auth.factor-invalid');

  const signed = { challenge: challenge.challenge, response: passkey, isAlone: true };
  const session = await inTransaction(db, async (tx) => {
    const user = await lockUserToLogIn(tx, found.userId);
    if (!user || !(await acceptPasskey(deps, tx, user.id, signed))) return null;
    if (!(await endChallenge(tx, challengeId))) throw new AppError('auth.challenge-expired');
    return openSession(deps, tx, user, { ...device, proof: 'passkey-alone' });
  });
  if (!session) throw new AppError('auth.factor-invalid');
  return session;
}
