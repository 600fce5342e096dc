/** Runs the doctor's checks against the database that `npm start` would use, running or not. Read-only. */
import { joinEmbeddedPostgres } from '#server/adapters/embedded-postgres/join-postgres.ts';
import { readConfig } from '#server/config.ts';
import { openReadingPool } from '#server/database.ts';
import { examine } from '#server/doctor/examine.ts';
import { giveUp } from './run.mjs';

const examined = await look().catch((error) => giveUp(`The database cannot be examined: ${error.message}`));
for (const { isGood, words } of examined) console.log(`${isGood ? 'ok      ' : 'NOT WELL'}  ${words}`);
const wrong = examined.filter(({ isGood }) => !isGood).length;
console.log(wrong === 0 ? '\nAll is well.' : `\n${wrong} ${wrong === 1 ? 'thing is' : 'things are'} not well.`);
process.exitCode = wrong === 0 ? 0 : 1;

async function look() {
  const { databaseUrl, dataDir } = readConfig(process.env);
  const embedded = databaseUrl === null ? await joinEmbeddedPostgres({ dataDir }) : null;
  const pool = openReadingPool(databaseUrl ?? embedded.connectionString, () => {});
  try {
    return await examine({ pool, dataDir });
  } finally {
    await pool.end();
    await embedded?.stop();
  }
}
