/**
 * `npm run audit`: checks all packages for known vulnerabilities. Exit code 0: none, 1: some, 2: the registry didn't
 * answer.
 */
import { spawnSync } from 'node:child_process';
import { npmCommand } from './install.mjs';
import { root } from './run.mjs';

const [program, args] = npmCommand('audit', '--json');
const { stdout } = spawnSync(program, args, { cwd: root, encoding: 'utf8' });
const answer = read(stdout);

if (answer?.metadata?.vulnerabilities === undefined) {
  console.error(`The registry didn't answer${answer?.message ? `: ${answer.message}` : ''}. No result.`);
  process.exit(2);
}

const vulnerable = Object.values(answer.vulnerabilities ?? {});
for (const { name, severity, range, via } of vulnerable) {
  const titles = via.map((cause) => (typeof cause === 'string' ? `through ${cause}` : `${cause.title} ${cause.url}`));
  console.error(`${severity}: ${name} ${range}\n  ${titles.join('\n  ')}`);
}
console.log(
  `${vulnerable.length} of ${answer.metadata.dependencies?.total ?? 'all'} packages have a known vulnerability.`,
);
process.exit(vulnerable.length > 0 ? 1 : 0);

function read(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
