/**
 * `npm run programs`: programs that aren't ours use what Handstamp gives them. OpenAPI::Client makes a client in Perl of the API's description,
 * hledger and Beancount read the journal, Gnumeric the spreadsheets, and khal the calendar. Not part of `npm test`, because it needs packages of the
 * system.
 */
import { ensureInstalled } from './install.mjs';
import { giveUp, run, withPackages } from './run.mjs';

const needed = [
  { name: 'libopenapi-client-perl', program: 'perl', args: ['-MOpenAPI::Client', '-e', '1'] },
  { name: 'hledger', program: 'hledger', args: ['--version'] },
  { name: 'beancount', program: 'bean-extract', args: ['--help'] },
  { name: 'gnumeric', program: 'ssconvert', args: ['--version'] },
  { name: 'khal', program: 'khal', args: ['--version'] },
];
const answers = await Promise.all(needed.map(({ program, args }) => run(program, args)));
const missing = needed.filter((_, index) => !answers[index].succeeded).map(({ name }) => name);
if (missing.length > 0) giveUp(`Missing: ${missing.join(', ')}. On Debian: apt install ${missing.join(' ')}`);

await ensureInstalled();
const options = ['run', '--config=tests/clients/programs/vitest.programs.config.ts'];
const { succeeded } = await run('vitest', options, { show: true, env: withPackages() });
process.exit(succeeded ? 0 : 1);
