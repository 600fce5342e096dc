/** The HAProxy configuration that we ship, before two servers of different releases. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { openHaproxy } from '#tests/ha/open-haproxy.ts';
import { freePort } from '#tests/support/free-port.ts';

/** None where HAProxy isn't installed. */
const installed = await promisify(execFile)('haproxy', ['-v']).then(
  () => ['haproxy'],
  () => [],
);

/** Has been built with these files. */
async function serverWith(port: number, files: readonly string[]): Promise<Server> {
  const server = createServer(({ url = '' }, reply) => {
    reply.statusCode = url === '/readyz' || files.includes(url) ? 200 : 404;
    reply.end(url);
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

describe('behind a load balancer', () => {
  it('both servers are asked for built files [UP-5]', async () => {
    const shipped = await readFile(new URL('../../deploy/haproxy.cfg', import.meta.url), 'utf8');
    const [, files = ''] = shipped.split(/^backend files$/m);

    expect(shipped).toContain('use_backend files if { path_beg /static/ }');
    for (const address of ['10.0.0.11:3000', '10.0.0.12:3000']) expect(files).toContain(address);
  });

  it.each(installed)('%s finds a built file on the server that has it [UP-5]', async () => {
    const [port, one, two] = [await freePort(), await freePort(), await freePort()];
    const servers = await Promise.all([serverWith(one, ['/static/js/old.js']), serverWith(two, ['/static/js/new.js'])]);
    const haproxy = await openHaproxy(port, [one, two]);
    const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;

    // More than one in a row, because HAProxy takes turns.
    const found = [];
    for (const path of ['old', 'old', 'old', 'new', 'new', 'new']) found.push(await statusOf(`/static/js/${path}.js`));
    const missing = await statusOf('/static/js/lost.js');
    await haproxy.close();
    for (const server of servers) server.close();

    expect(found).toEqual(found.map(() => 200));
    expect(missing).toBe(404);
  });
});
