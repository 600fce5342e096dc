/** The image of deploy/container, built with buildah from the last commit in a store of its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Running, run, start } from './commands.ts';
import { openFreshDebian } from './fresh-debian.ts';

const REPOSITORY = new URL('../..', import.meta.url).pathname;
/** Needs no namespaces, which a container that runs this may not have. */
const ISOLATION = { BUILDAH_ISOLATION: 'chroot' };

export interface Image {
  /** The files of the container. */
  root: string;
  /** As the image's own user, with these folders in it. */
  run(command: readonly string[], options: InContainer): Promise<string>;
  start(command: readonly string[], options: InContainer): Running;
  remove(): Promise<void>;
}

export interface InContainer {
  env: Readonly<Record<string, string>>;
  /** From a folder of this machine to one of the container. */
  folders: Readonly<Record<string, string>>;
}

export async function buildImage(): Promise<Image> {
  const folder = mkdtempSync(path.join(tmpdir(), 'handstamp-image-'));
  const store = ['--storage-driver=vfs', `--root=${folder}/store`, `--runroot=${folder}/run`];
  const buildah = (...args: string[]) => run('buildah', [...store, ...args], { env: ISOLATION });

  const debian = await openFreshDebian();
  const base = await buildah('from', 'scratch');
  await buildah('add', '-q', base, debian.root, '/');
  await buildah('commit', '-q', '--rm', base, 'docker.io/library/debian:trixie-slim');
  debian.remove();

  const context = path.join(folder, 'context');
  await run('sh', ['-c', 'mkdir "$1" && git archive HEAD | tar -x -C "$1"', 'sh', context], { cwd: REPOSITORY });
  const dockerfile = path.join(context, 'deploy/container/Dockerfile');
  await buildah(
    'bud',
    '--format=docker',
    '--pull-never',
    '--network=host',
    '-t',
    'handstamp',
    '-f',
    dockerfile,
    context,
  );
  const container = await buildah('from', 'handstamp');

  const inContainer = (command: readonly string[], { env, folders }: InContainer) => [
    ...store,
    'run',
    '--network=host',
    ...Object.entries(env).map(([name, value]) => `--env=${name}=${value}`),
    ...Object.entries(folders).map(([ours, theirs]) => `--volume=${ours}:${theirs}`),
    container,
    '--',
    ...command,
  ];
  return {
    root: await buildah('mount', container),
    run: (command, options) => run('buildah', inContainer(command, options), { env: ISOLATION }),
    start: (command, options) => start('buildah', inContainer(command, options), { env: ISOLATION }),
    async remove() {
      await buildah('rm', '--all');
      await buildah('rmi', '--all', '--force');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
