/** Repeats deletions that a restored backup undid, from the erasure log stored next to the photos. */

import { dissolveTeam } from '#server/accounts/team/change-members.ts';
import { removeFiles } from '#server/events/photos/unused-files.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { accountHash, addressHash, erasedAddress } from '#server/platform/erased-address.ts';
import { BEFORE_ALL_IDS } from '#server/platform/ids.ts';
import type { Erasure } from '#server/platform/ports/erasure-log.ts';
import { type AppSecret, eachSecret } from '#server/platform/secrets.ts';
import { eraseOrganizer } from './delete-account.ts';
import { eraseBuyer } from './delete-records.ts';
import {
  buyersAfter,
  eraseOrganization,
  erasuresInDatabase,
  insertErasure,
  organizationsAfter,
  organizersAfter,
} from './erase.sql.ts';

const PAGE = 500;

type ReplayDeps = Pick<Deps, 'db' | 'appSecret' | 'photos' | 'erasures' | 'log'>;

/** Syncs the log and the database, and repeats every erasure that only the log contains. */
export async function replayErasures({ db, appSecret, photos, erasures, log }: ReplayDeps): Promise<void> {
  const [written, known] = [await erasures.read(), await erasuresInDatabase(db)];
  const missing = missingFrom(known, written);
  await erasures.append(missingFrom(written, known));
  if (missing.length === 0) return;

  // Organizations first: their owners may have been erased since.
  await replayOrganizations({ db, appSecret, photos, log }, missing);
  await replayOrganizers({ db, appSecret, photos, log }, missing);
  await replayBuyers({ db, appSecret }, missing);
  for (const erasure of missing) await insertErasure(db, erasure);
  log.warn({ removed: missing.length }, 'repeated deletions after a restore');
}

function missingFrom(existing: readonly Erasure[], all: readonly Erasure[]): Erasure[] {
  const ids = new Set(existing.map(({ id }) => id));
  return all.filter(({ id }) => !ids.has(id));
}

/** The latest erasure per address hash. */
function latestOf(erasures: readonly Erasure[], kind: Erasure['kind']): Map<string, Date> {
  const latest = new Map<string, Date>();
  for (const { addressHash, erasedAt } of erasures.filter((erasure) => erasure.kind === kind)) {
    const before = addressHash && latest.get(addressHash);
    if (addressHash && (!before || before < erasedAt)) latest.set(addressHash, erasedAt);
  }
  return latest;
}

async function replayBuyers({ db, appSecret }: Pick<Deps, 'db' | 'appSecret'>, missing: readonly Erasure[]) {
  const erased = latestOf(missing, 'buyer');
  if (erased.size === 0) return;
  for await (const email of eachRow(
    (after) => buyersAfter(db, after, PAGE),
    (one) => one,
  )) {
    const at = firstOf(appSecret, (secret) => erased.get(addressHash(secret, email)));
    const hash = addressHash(appSecret, email);
    if (at) await inTransaction(db, (tx) => eraseBuyer(tx, { email, erased: erasedAddress(hash), at }));
  }
}

/**
 * Does not check the conditions of deletion again. Identifies the account by its hash, or by its address if the erasure
 * has none; an account created with the address after the erasure belongs to someone else.
 */
async function replayOrganizers(
  { db, appSecret, photos, log }: Pick<Deps, 'db' | 'appSecret' | 'photos' | 'log'>,
  missing: readonly Erasure[],
) {
  const erased = latestOf(missing, 'organizer');
  const accounts = new Map(missing.map((erasure) => [erasure.accountHash, erasure.erasedAt]));
  if (erased.size === 0) return;
  const readPage = (after: string) => organizersAfter(db, after || BEFORE_ALL_IDS, PAGE);
  for await (const { userId, email, createdAt } of eachRow(readPage, (organizer) => organizer.userId)) {
    const askedByAddress = firstOf(appSecret, (secret) => erased.get(addressHash(secret, email)));
    const isSame = askedByAddress && createdAt <= askedByAddress;
    const askedById = firstOf(appSecret, (secret) => accounts.get(accountHash(secret, userId)));
    const at = askedById ?? (isSame ? askedByAddress : null);
    if (!at) continue;
    const account = { userId, erased: erasedAddress(addressHash(appSecret, email)), at };
    const fileNames = await inTransaction(db, (tx) => eraseOrganizer(tx, account));
    await removeFiles({ photos, log }, fileNames);
  }
}

/** Their people stay. */
async function replayOrganizations(
  { db, appSecret, photos, log }: Pick<Deps, 'db' | 'appSecret' | 'photos' | 'log'>,
  missing: readonly Erasure[],
) {
  const ofOrganizations = missing.filter(({ kind }) => kind === 'organization');
  const erased = new Map(ofOrganizations.map((erasure) => [erasure.accountHash, erasure.erasedAt]));
  if (erased.size === 0) return;
  const readPage = (after: string) => organizationsAfter(db, after || BEFORE_ALL_IDS, PAGE);
  for await (const organizationId of eachRow(readPage, (one) => one)) {
    const hash = accountHash(appSecret, organizationId);
    const at = firstOf(appSecret, (secret) => erased.get(accountHash(secret, organizationId)));
    if (!at) continue;
    const fileNames = await inTransaction(db, async (tx) => {
      await dissolveTeam(tx, organizationId, { at });
      return eraseOrganization(tx, { organizationId, erased: erasedAddress(hash), at });
    });
    await removeFiles({ photos, log }, fileNames);
  }
}

/** The log may be older than the first secret. */
function firstOf(appSecret: AppSecret, find: (secret: AppSecret) => Date | undefined): Date | undefined {
  return eachSecret(appSecret)
    .map(find)
    .find((at) => at !== undefined);
}

async function* eachRow<T>(readPage: (after: string) => Promise<T[]>, keyOf: (row: T) => string): AsyncGenerator<T> {
  for (let after = ''; ; ) {
    const rows = await readPage(after);
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = keyOf(last);
  }
}
