/** Browsers that have logged in before. A guessed password helps least in a browser that never has. */

import { clientNetwork } from '#server/platform/client-network.ts';
import type { Db } from '#server/platform/database.ts';
import { addKnownBrowser, countKnownBrowsers, isKnownBrowser } from './accounts.sql.ts';
import { hashSecret, newSecret } from './passwords.ts';

export interface Browser {
  isFromBrowser: boolean;
  /** Of the browser's own cookie. */
  browserSecret: string | undefined;
  ip: string;
}

/** A client without cookies is known by its network. */
function hashOf(userId: string, { isFromBrowser, browserSecret, ip }: Browser): Buffer | null {
  if (isFromBrowser) return browserSecret === undefined ? null : hashSecret(`${userId} ${browserSecret}`);
  return hashSecret(`${userId} client ${clientNetwork(ip) ?? 'of this machine'}`);
}

export async function isKnown(db: Db, userId: string, browser: Browser): Promise<boolean> {
  const hash = hashOf(userId, browser);
  return hash !== null && isKnownBrowser(db, userId, hash);
}

/** Remembers the browser. Returns the value of its cookie, and whether the person has used others but never this one. */
export async function remember(
  tx: Db,
  userId: string,
  { at, ...browser }: Browser & { at: Date },
): Promise<{ browserSecret: string | null; isNew: boolean }> {
  const browserSecret = browser.isFromBrowser ? (browser.browserSecret ?? newSecret()) : null;
  const hash = hashOf(userId, { ...browser, browserSecret: browserSecret ?? undefined });
  if (hash === null) return { browserSecret, isNew: false };
  const others = await countKnownBrowsers(tx, userId);
  const isAdded = await addKnownBrowser(tx, { userId, browserHash: hash, lastSeenAt: at });
  return { browserSecret, isNew: isAdded && others > 0 };
}
