/** Playwright's global setup: the pages under test are those of the sources, never of yesterday. */
interface WebBuild {
  buildWebIfChanged(): Promise<{ succeeded: boolean; said: string }>;
}

export default async function buildWeb(): Promise<void> {
  const script = new URL('../../scripts/web-build.mjs', import.meta.url);
  const { buildWebIfChanged } = (await import(script.href)) as WebBuild;
  const { succeeded, said } = await buildWebIfChanged();
  if (!succeeded) throw new Error(`the web could not be built:\n${said}`);
}
