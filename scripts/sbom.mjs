/**
 * `npm run sbom`: lists all packages with versions, licenses and hashes, in CycloneDX's format, for a release. Reads package-lock.json only,
 * and so needs neither network nor installed packages.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { npmCommand } from './install.mjs';
import { giveUp, root } from './run.mjs';

/** By their files: the manifests are of an older form, which the lock file omits. */
const LICENSES = {
  zipcodes: 'BSD-3-Clause',
  busboy: 'MIT',
  dicer: 'MIT',
  'humanize-number': 'MIT',
  only: 'MIT',
  streamsearch: 'MIT',
};

const [program, args] = npmCommand('sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only');
const { status, stdout, stderr } = spawnSync(program, args, {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
});
if (status !== 0) giveUp(`npm made no list:\n${stderr}`);

const bom = JSON.parse(stdout);
const { name, version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
// npm names the root after its folder.
bom.metadata.component.name = name;
for (const component of bom.components) {
  const id = LICENSES[component.name];
  if (id && !component.licenses) component.licenses = [{ license: { id } }];
}

const file = path.join('dist', `${name}-${version}.cdx.json`);
mkdirSync(path.join(root, 'dist'), { recursive: true });
writeFileSync(path.join(root, file), JSON.stringify(bom, null, 2));
console.log(`${bom.components.length} packages in ${file}`);
