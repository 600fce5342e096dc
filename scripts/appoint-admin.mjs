/** Grants or revokes admin rights. Works whether or not the server is running. */
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
if (!isKnown) giveUp(`No account has the email ${email}. Register it at /register first.`);
console.log(
  isAdmin
    ? `${email} is now an admin. After the next login, /dashboard is available.`
    : `${email} is no longer an admin.`,
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
