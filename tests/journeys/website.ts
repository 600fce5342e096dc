/** A website of an organizer, on another origin than the product. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Website {
  origin: string;
  /** The address of a page with this content. */
  show(body: string): string;
  close(): Promise<void>;
}

/** By its address, which browsers take for another site than `localhost`. */
export async function openWebsite(): Promise<Website> {
  const pages = new Map<string, string>();
  const server = createServer(({ url = '' }, response) => {
    const body = pages.get(url);
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(
      body && `<!doctype html><html lang="en"><title>The Basement</title><h1>The Basement</h1>${body}</html>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    show(body) {
      const path = `/${pages.size}`;
      pages.set(path, body);
      return origin + path;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
