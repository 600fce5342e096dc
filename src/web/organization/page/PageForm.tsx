import { useState } from 'react';
import { editOrganizationPage, organizationPageForm, type PageSettings } from '#contract/app/sales/organizer-page.ts';
import { type Accent, DARK_GROUNDS, LIGHT_GROUNDS, readAccent, TEXT_ON_ACCENT } from '#domain/accounts/accent.ts';
import { SLUG_MAX } from '#domain/limits.ts';
import { pageSettings as text } from '#messages/sales/page-settings.ts';
import { call, codeFrom } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Form } from '#web/ui/form/Form.tsx';
import { CheckboxField, TextField } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import shared from '../security.module.css';
import styles from './page.module.css';

export function PageForm({ page, onSaved }: { page: PageSettings; onSaved: () => Promise<void> }) {
  const [slug, setSlug] = useState(page.slug ?? page.proposedSlug ?? '');
  const [website, setWebsite] = useState(page.website ?? '');
  const [accent, setAccent] = useState(page.accent ?? '');
  const [isPublic, setIsPublic] = useState(page.isPublic);
  const form = useForm(
    organizationPageForm,
    async (typed) => {
      toast.success((await call(editOrganizationPage, typed)).msg);
      await onSaved();
    },
    { fallback: text.failed, rejectedField },
  );
  const isMoving = page.slug !== null && slug !== page.slug;
  return (
    <Form form={form} className={shared.card}>
      <TextField
        label={text.address}
        name="slug"
        value={slug}
        onChange={({ target }) => setSlug(target.value)}
        hint={text.addressHint}
        counterMax={SLUG_MAX}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      <p className={styles.address}>
        {page.addressStart}
        <b>{slug}</b>
        {isMoving && <span> · {text.moving}</span>}
      </p>
      <TextField
        label={text.website}
        name="website"
        inputMode="url"
        value={website}
        onChange={({ target }) => setWebsite(target.value)}
        hint={text.websiteHint}
        autoComplete="url"
      />
      <TextField
        label={text.accent}
        name="accent"
        value={accent}
        onChange={({ target }) => setAccent(target.value)}
        hint={text.accentHint}
        autoComplete="off"
        spellCheck={false}
      />
      <label className={styles.picker}>
        <input
          type="color"
          value={/^#[0-9a-f]{6}$/i.test(accent) ? accent.toLowerCase() : '#2b3bd1'}
          onChange={({ target }) => setAccent(target.value)}
        />
        {text.picker}
      </label>
      <AccentPreview accent={accent} onUse={setAccent} />
      <CheckboxField
        label={text.isPublic}
        name="isPublic"
        hint={text.isPublicHint}
        checked={isPublic}
        onChange={({ target }) => setIsPublic(target.checked)}
      />
      <div>
        <Button type="submit" busy={form.submitting}>
          {form.submitting ? text.saving : text.save}
        </Button>
      </div>
    </Form>
  );
}

function rejectedField(error: unknown): string | undefined {
  const code = codeFrom(error) ?? '';
  if (code === 'page.accent-contrast') return 'accent';
  return code.startsWith('page.slug-') ? 'slug' : undefined;
}

function AccentPreview({ accent, onUse }: { accent: string; onUse: (color: string) => void }) {
  if (accent.trim() === '') return null;
  const read = readAccent(accent);
  return (
    <div role="status" className={styles.preview}>
      {'light' in read ? (
        <>
          <Sample label={text.light} {...lightOf(read)} />
          <Sample label={text.dark} {...darkOf(read)} />
        </>
      ) : (
        <>
          <p>{text.hardToRead(read)}</p>
          <Button kind="ghost" onClick={() => onUse(read.suggestion)}>
            {text.suggest(read.suggestion)}
          </Button>
        </>
      )}
    </div>
  );
}

const lightOf = ({ light }: Accent) => ({
  color: light,
  ground: LIGHT_GROUNDS[1],
  ink: '#15172b',
  onColor: TEXT_ON_ACCENT.light,
});
const darkOf = ({ dark }: Accent) => ({
  color: dark,
  ground: DARK_GROUNDS[1],
  ink: '#f4f1e8',
  onColor: TEXT_ON_ACCENT.dark,
});

interface SampleProps {
  label: string;
  color: string;
  ground: string;
  ink: string;
  onColor: string;
}

/** Drawn with attributes: the content security policy allows no inline style. */
function Sample({ label, color, ground, ink, onColor }: SampleProps) {
  return (
    <figure className={styles.sample}>
      <svg viewBox="0 0 240 120" role="img" aria-label={text.sampleLabel(label, color)}>
        <rect width="240" height="120" rx="12" fill={ground} />
        <rect width="240" height="6" fill={color} />
        <text x="16" y="38" fontSize="17" fontWeight="700" fill={ink}>
          {text.sampleTitle}
        </text>
        <text x="16" y="60" fontSize="13" textDecoration="underline" fill={color}>
          {text.sampleLink}
        </text>
        <rect x="16" y="74" width="112" height="32" rx="8" fill={color} />
        <text x="72" y="95" fontSize="13" fontWeight="600" textAnchor="middle" fill={onColor}>
          {text.sampleButton}
        </text>
      </svg>
      <figcaption>{label}</figcaption>
    </figure>
  );
}
