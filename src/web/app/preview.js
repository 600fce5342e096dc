// Publishes the draft that this page shows. Not part of the page's own code, which is that of the published page.
const banner = document.getElementById('draft-banner');
const button = banner?.querySelector('button');
const problem = banner?.querySelector('p[role]');

const { publish = '', failed = '' } = banner?.dataset ?? {};
const xsrf = /(?:^|; )XSRF-TOKEN=([^;]*)/.exec(document.cookie)?.[1];

async function send() {
  const reply = await fetch(publish, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(xsrf && { 'x-xsrf-token': decodeURIComponent(xsrf) }) },
    body: '{}',
  }).catch(() => null);
  if (reply?.ok) return null;
  const { msg = failed } = (await reply?.json().catch(() => null)) ?? {};
  return msg;
}

button?.addEventListener('click', async () => {
  if (button.ariaBusy === 'true') return;
  button.ariaBusy = 'true';
  if (problem) problem.textContent = '';
  const denial = await send();
  if (denial === null) return location.reload();
  button.ariaBusy = 'false';
  if (problem) problem.textContent = denial;
});
