/**
 * Which requests the worker answers. Everything else takes its ordinary way: above all calls, whose answers are never kept here.
 */
export type Way = 'page' | 'file' | null;

type Asked = Pick<Request, 'method' | 'mode' | 'url'>;

export function wayOf({ method, mode, url }: Asked, { origin, page }: { origin: string; page: string }): Way {
  const asked = new URL(url);
  if (method !== 'GET' || asked.origin !== origin) return null;
  if (mode === 'navigate') return asked.pathname.replace(/\/$/, '') === page ? 'page' : null;
  return asked.pathname.startsWith('/static/') ? 'file' : null;
}
