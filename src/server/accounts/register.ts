import { registerRefusals } from '#contract/accounts.ts';
import { tooManyTries } from '#contract/sentences.ts';
import { inTransaction } from '#server/database.ts';
import type { Deps } from '#server/deps.ts';
import { newId } from '#server/new-id.ts';
import { conflict, Refusal } from '#server/refusal.ts';
import { addUser } from './accounts.sql.ts';
import { hashPassword } from './passwords.ts';
import { sendVerification } from './send-verification.ts';

interface Registration {
  email: string;
  password: string;
  honeypot?: string | undefined;
  ip: string;
}

/** The log-in page says that the address is to be verified. */
const nextPage = { url: '/login?registered' };

export async function register(
  { db, clock, tries }: Pick<Deps, 'db' | 'clock' | 'tries'>,
  { email, password, honeypot, ip }: Registration,
): Promise<{ url: string }> {
  // A program that filled the trap learns nothing from the answer.
  if (honeypot) return nextPage;

  const wait = await tries.spend('register', ip);
  if (wait !== null) throw new Refusal('too-many', tooManyTries, wait);

  // Outside the transaction: hashing waits its turn, and a connection should not wait with it.
  const passwordHash = await hashPassword(password);
  await inTransaction(db, async (tx) => {
    const user = { id: newId(), email, passwordHash, createdAt: clock.now() };
    if (!(await addUser(tx, user))) throw conflict(registerRefusals['email-taken']);
    await sendVerification(tx, { userId: user.id, email }, clock.now());
  });
  return nextPage;
}
