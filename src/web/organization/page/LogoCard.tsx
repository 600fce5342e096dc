import { type ChangeEvent, useRef, useState } from 'react';
import { editOrganizationPage, uploadLogo } from '#contract/app/sales/organizer-page.ts';
import { LOGO_BYTES_MAX } from '#domain/limits.ts';
import { logoTooLarge, pageSettings as text } from '#messages/sales/page-settings.ts';
import { call, messageFrom, upload } from '#web/api.ts';
import { photoSource } from '#web/photo-source.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import shared from '../security.module.css';
import styles from './page.module.css';

export function LogoCard({ logo, onChanged }: { logo: string | null; onChanged: () => Promise<void> }) {
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const file = useRef<HTMLInputElement>(null);

  async function run(change: () => Promise<{ msg: string }>) {
    setIsBusy(true);
    setProblem(null);
    try {
      toast.success((await change()).msg);
      await onChanged();
    } catch (error) {
      setProblem(messageFrom(error, text.failed));
    }
    setIsBusy(false);
  }

  async function choose({ target }: ChangeEvent<HTMLInputElement>) {
    const [chosen] = target.files ?? [];
    // So that the same file can be chosen again.
    target.value = '';
    if (!chosen) return;
    if (chosen.size > LOGO_BYTES_MAX) setProblem(logoTooLarge);
    else await run(() => upload(uploadLogo, {}, { logo: [chosen] }));
  }

  return (
    <section className={shared.card} aria-labelledby="logo-title">
      <h2 id="logo-title">{text.logo}</h2>
      <p className={shared.why}>{text.logoHint}</p>
      {logo ? (
        <img className={styles.logo} src={photoSource(logo)} alt={text.logo} width={96} height={96} />
      ) : (
        <p className={shared.why}>{text.noLogo}</p>
      )}
      <input
        ref={file}
        hidden
        type="file"
        accept="image/jpeg,image/png,image/webp"
        onChange={(change) => void choose(change)}
      />
      <div className={shared.choices}>
        <Button kind="ghost" busy={isBusy} onClick={() => file.current?.click()}>
          {logo ? text.replaceLogo : text.chooseLogo}
        </Button>
        {logo && (
          <Button kind="ghost" onClick={() => run(() => call(editOrganizationPage, { removesLogo: true }))}>
            {text.removeLogo}
          </Button>
        )}
      </div>
      {/* Rendered from the start, so the problem is announced. */}
      <div role="alert">{problem && <Banner kind="error" title={problem} />}</div>
    </section>
  );
}
