/** Submits the sandbox's hosted pages like a person, so that the demo's sales take the normal path. */
/** Injects a request into the running application. */
export type OpenPage = (request: {
  method: 'GET' | 'POST';
  url: string;
  headers?: Record<string, string>;
  payload?: string;
}) => Promise<{ statusCode: number; body: string }>;

/** Opens a page and submits its form with `values` and the hidden fields. */
export async function submitForm(open: OpenPage, address: string, values: Record<string, string>): Promise<void> {
  const { pathname, search } = new URL(address);
  const page = await open({ method: 'GET', url: pathname + search });
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.body)?.[1];
  if (!csrf) throw new Error(`${pathname} answered ${page.statusCode} without a form`);

  const { statusCode } = await open({
    method: 'POST',
    url: pathname,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ csrf, ...values }).toString(),
  });
  if (statusCode !== 303) throw new Error(`${pathname} answered ${statusCode} to the form`);
}
