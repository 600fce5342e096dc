import { AppError } from '#server/platform/app-error.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { newId } from '#server/platform/ids.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { addUser, isEmailTaken, lockEmail } from './accounts.sql.ts';
import { requireUncommonPassword } from './deny-password.ts';
import { sendEmailLink } from './email-links.ts';
import { addOrganization } from './organizations.sql.ts';
import { hashPassword } from './passwords.ts';

interface Registration {
  email: string;
  password: string;
  honeypot?: string | undefined;
  ip: string;
}

/** The login page then asks to verify the email. */
const nextPage = { url: '/login?registered' };

export async function register(
  {
    db,
    clock,
    rateLimiter,
    takesRealMoney,
    ...limits
  }: Pick<Deps, 'db' | 'clock' | 'rateLimiter' | 'takesRealMoney' | 'appSecret' | 'rateLimitScale'>,
  { email, password, honeypot, ip }: Registration,
): Promise<{ url: string }> {
  // A bot that fills the honeypot gets the usual response.
  if (honeypot) return nextPage;

  await consumeLimit(rateLimiter, 'register', ip);
  requireUncommonPassword({ takesRealMoney }, password, [email]);

  // Outside the transaction: hashing may queue, and must not hold a connection meanwhile.
  const passwordHash = await hashPassword(password);
  await inTransaction(db, async (tx) => {
    await lockEmail(tx, email);
    const isTaken = await isEmailTaken(tx, email, { now: clock.now(), exceptBy: null });
    const user = { id: newId(), email, passwordHash, createdAt: clock.now() };
    if (isTaken || !(await addUser(tx, user))) throw new AppError('register.email-taken');
    await addOrganization(tx, { id: newId(), ownerId: user.id, at: user.createdAt });
    await sendEmailLink(tx, limits, { userId: user.id, email, purpose: 'verify-email', now: user.createdAt });
  });
  return nextPage;
}
