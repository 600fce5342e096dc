import { addUser, isEmailTaken, lockEmail } from '#server/accounts/accounts.sql.ts';
import { requireUncommonPassword } from '#server/accounts/deny-password.ts';
import { sendEmailLink } from '#server/accounts/email-links.ts';
import { addOrganization } from '#server/accounts/organizations.sql.ts';
import { hashPassword } from '#server/accounts/passwords.ts';
import { AppError } from '#server/platform/app-error.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { newId } from '#server/platform/ids.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { type Device, type NewSession, openSession } from './open-session.ts';

interface Registration extends Device {
  email: string;
  password: string;
  honeypot?: string | undefined;
}

/** A browser is logged in right away. Other clients log in themselves, on a page that asks to verify the email. */
const urlFor = ({ isFromBrowser }: Device) => (isFromBrowser ? '/profile' : '/login?registered');

export async function register(
  {
    db,
    clock,
    rateLimiter,
    takesRealMoney,
    ...limits
  }: Pick<Deps, 'db' | 'clock' | 'rateLimiter' | 'takesRealMoney' | 'appSecret' | 'rateLimitScale'>,
  { email, password, honeypot, ...device }: Registration,
): Promise<{ url: string; session: NewSession | null }> {
  // A bot that fills the honeypot gets the usual response.
  if (honeypot) return { url: urlFor(device), session: null };

  await consumeLimit(rateLimiter, 'register', device.ip);
  requireUncommonPassword({ takesRealMoney }, password, [email]);

  // Outside the transaction: hashing may queue, and must not hold a connection meanwhile.
  const passwordHash = await hashPassword(password);
  const session = await inTransaction(db, async (tx) => {
    await lockEmail(tx, email);
    const isTaken = await isEmailTaken(tx, email, { now: clock.now(), exceptBy: null });
    const user = { id: newId(), email, passwordHash, createdAt: clock.now() };
    if (isTaken || !(await addUser(tx, user))) throw new AppError('register.email-taken');
    await addOrganization(tx, { id: newId(), ownerId: user.id, at: user.createdAt });
    await sendEmailLink(tx, limits, { userId: user.id, email, purpose: 'verify-email', now: user.createdAt });
    if (!device.isFromBrowser) return null;
    return openSession(
      { clock, appSecret: limits.appSecret },
      tx,
      { id: user.id, email, isAdmin: false },
      { ...device, proof: 'password' },
    );
  });
  return { url: urlFor(device), session };
}
