/**
 * What Apple's phones ask: to be notified of the changes of a pass, which of theirs have changed, and a pass as it is now. The token of a
 * pass authorizes everything about it; the phone's own id, which Apple keeps secret, the list of its passes.
 */
import { createHash } from 'node:crypto';
import { DEVICES_PER_PASS } from '#domain/sales/wallet-passes.ts';
import { AppError } from '#server/platform/app-error.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { AppleWallet } from '#server/platform/ports/wallets.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import * as devices from './devices.sql.ts';
import { findApplePass, type PassRef } from './passes.sql.ts';
import { isPassToken, readPass, signApplePass, walletTicket } from './wallet-pass.ts';

type ServiceDeps = Pick<Deps, 'db' | 'appSecret' | 'rateLimiter' | 'wallets'>;

interface PassCall {
  passType: string;
  passId: string;
  /** As the phone sent it. */
  authorization: string | undefined;
}

/** Changes recorded a moment ago may not have been visible to the list before. */
const OVERLAP_SECONDS = 60;
const AUTHORIZATION = /^ApplePass ([\w-]{43})$/;

function appleOf({ wallets: { apple } }: Pick<Deps, 'wallets'>, passType: string): AppleWallet {
  if (!apple || apple.passType !== passType) throw new AppError('page.not-found');
  return apple;
}

/** The token is judged first and without the database: a wrong one is answered alike, whether there is such a pass or not. */
async function authorize(deps: ServiceDeps, { passType, passId, authorization = '' }: PassCall): Promise<string> {
  appleOf(deps, passType);
  const [, token = ''] = AUTHORIZATION.exec(authorization) ?? [];
  if (!isPassToken(deps.appSecret, passId, token)) throw new AppError('wallet.wrong-token');
  await consumeLimit(deps.rateLimiter, 'wallet-service', passId);
  return token;
}

async function findOwn(deps: ServiceDeps, passId: string): Promise<PassRef> {
  const pass = await findApplePass(deps.db, passId);
  if (!pass) throw new AppError('page.not-found');
  return pass;
}

export async function registerDevice(
  deps: ServiceDeps,
  call: PassCall,
  { deviceId, pushToken }: { deviceId: string; pushToken: string },
): Promise<'registered' | 'known'> {
  await authorize(deps, call);
  const pass = await findOwn(deps, call.passId);
  return inTransaction(deps.db, async (tx) => {
    const locked = await devices.lockPass(tx, pass);
    if (!locked) throw new AppError('page.not-found');
    const others = await devices.devicesOf(tx, pass);
    const isKnown = others.some((other) => other.deviceId === deviceId);
    if (!isKnown && others.length >= DEVICES_PER_PASS) throw new AppError('wallet.too-many-devices');
    await devices.saveDevice(tx, pass, { deviceId, pushToken, notifiedAt: locked.handedOutAt });
    return isKnown ? 'known' : 'registered';
  });
}

/** Also of a pass that is no longer stored: its phone must not ask for ever. */
export async function unregisterDevice(deps: ServiceDeps, call: PassCall, deviceId: string): Promise<void> {
  await authorize(deps, call);
  const pass = await findApplePass(deps.db, call.passId);
  if (pass) await devices.removeDevice(deps.db, pass, deviceId);
}

interface ChangedPasses {
  lastUpdated: string;
  serialNumbers: string[];
}

/**
 * The phone's passes that have changed since it got this tag from us, or all of them; null if none has. The tag holds a time, and a
 * hash of the list by which the same list is recognized.
 */
export async function listChanged(
  deps: ServiceDeps,
  { passType, deviceId, tag, ip }: { passType: string; deviceId: string; tag: string; ip: string },
): Promise<ChangedPasses | null> {
  appleOf(deps, passType);
  await consumeLimit(deps.rateLimiter, 'wallet-list', ip);
  const passes = await devices.passesOn(deps.db, deviceId);
  const seconds = Math.floor(Math.max(0, ...passes.map(({ at }) => at.getTime())) / 1000);
  const lastUpdated = `${seconds}-${hashOf(passes)}`;
  const since = Number(/^(\d{1,12})-/.exec(tag)?.[1] ?? 0) - OVERLAP_SECONDS;
  const changed = tag === lastUpdated ? [] : passes.filter(({ at }) => at.getTime() / 1000 >= since);
  return changed.length === 0 ? null : { lastUpdated, serialNumbers: changed.map(({ passId }) => passId) };
}

const hashOf = (passes: readonly devices.PassOnDevice[]): string =>
  createHash('sha256')
    .update(passes.map(({ passId, at }) => `${passId} ${at.getTime()}`).join('\n'))
    .digest('hex')
    .slice(0, 16);

interface SentPass {
  updatedAt: Date;
  /** Null: it is as it was at `since`. */
  pass: Buffer | null;
}

/** @param since If-Modified-Since */
export async function sendPass(
  deps: ServiceDeps & Pick<Deps, 'photos' | 'publicUrl'>,
  call: PassCall,
  since: Date | null,
): Promise<SentPass> {
  const token = await authorize(deps, call);
  const found = await readPass(deps.db, await findOwn(deps, call.passId));
  const ticket = found && walletTicket(deps, found);
  if (!ticket) throw new AppError('page.not-found');
  const { updatedAt } = found;
  if (since && since >= updatedAt && found.shown === found.fingerprint) return { updatedAt, pass: null };
  return { updatedAt, pass: await signApplePass(deps, appleOf(deps, call.passType), ticket, token) };
}
