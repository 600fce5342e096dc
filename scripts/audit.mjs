/** `npm run audit`: is a known hole in what we ship, or build and test with? 0: none, 1: some, 2: the registry could not be asked. */
import { spawnSync } from 'node:child_process';
import { npmCommand } from './install.mjs';
import { root } from './run.mjs';

const [program, args] = npmCommand('audit', '--json');
const { stdout } = spawnSync(program, args, { cwd: root, encoding: 'utf8' });
const answer = read(stdout);

if (answer?.metadata?.vulnerabilities === undefined) {
  console.error(`The registry could not be asked: ${answer?.message ?? 'it gave no answer'}. Nothing is known.`);
  process.exit(2);
}

const findings = Object.values(answer.vulnerabilities ?? {});
for (const { name, severity, range, via } of findings) {
  const titles = via.map((cause) => (typeof cause === 'string' ? `through ${cause}` : `${cause.title} ${cause.url}`));
  console.error(`${severity}: ${name} ${range}\n  ${titles.join('\n  ')}`);
}
console.log(`${findings.length} of ${answer.metadata.dependencies?.total ?? 'all'} packages have a known hole.`);
process.exit(findings.length > 0 ? 1 : 0);

function read(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
