/** Makes an account an admin's, or an ordinary one again. The product may be running or not: the database knows. */
import { appointAdmin } from '#server/accounts/appoint-admin.ts';
import { joinEmbeddedPostgres } from '#server/platform/adapters/embedded-postgres/join-postgres.ts';
import { readConfig } from '#server/platform/config.ts';
import { openDatabase, openPool } from '#server/platform/database.ts';
import { giveUp } from './run.mjs';

const [right, email] = process.argv.slice(2);
if ((right !== 'grant' && right !== 'revoke') || !email)
  giveUp('Say who: npm run admin -- grant EMAIL, or: npm run admin -- revoke EMAIL');

const isAdmin = right === 'grant';
const isKnown = await appoint().catch((error) => giveUp(error.message));
if (!isKnown) giveUp(`No account has the email ${email}. It is registered first, at /register.`);
console.log(
  isAdmin ? `${email} is an admin now. After the next log-in, /dashboard shows it.` : `${email} is no longer an admin.`,
);

async function appoint() {
  const { databaseUrl, dataDir } = readConfig(process.env);
  const embedded = databaseUrl === null ? await joinEmbeddedPostgres({ dataDir }) : null;
  const pool = openPool(databaseUrl ?? embedded.connectionString, () => {});
  try {
    return await appointAdmin({ db: openDatabase(pool) }, { email, isAdmin });
  } finally {
    await pool.end();
    await embedded?.stop();
  }
}
