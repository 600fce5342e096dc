/** What a form holds, as the contract's schemas expect it. */

export type FormValue = string | boolean | File | FormValue[] | { [name: string]: FormValue };
export type FormValues = { [name: string]: FormValue };

/**
 * Nests dotted names: `tickets.0.ticketName` is the name of the first of a list of tickets.
 * A checkbox is `true` or `false`: browsers leave out the unchecked ones, so their names are given beside the entries.
 */
export function nestedValues(
  entries: Iterable<[string, string | File]>,
  checkboxes: Iterable<string> = [],
): FormValues {
  const root: FormValues = {};
  const names = new Set(checkboxes);
  for (const name of names) place(root, name.split('.'), false);
  for (const [name, value] of entries) place(root, name.split('.'), names.has(name) ? true : value);
  return root;
}

export function valuesOf(form: HTMLFormElement): FormValues {
  const boxes = [...form.querySelectorAll<HTMLInputElement>('input[type=checkbox][name]')].filter(
    (box) => !box.disabled,
  );
  return nestedValues(
    new FormData(form),
    boxes.map((box) => box.name),
  );
}

/** The names of a form's fields, from top to bottom. */
export function fieldsOf(form: HTMLFormElement): string[] {
  return [...form.querySelectorAll('input[name], select[name], textarea[name]')].flatMap(
    (control) => control.getAttribute('name') ?? [],
  );
}

/** A rule about a group of fields, such as `tickets`, comes with the first of them; a rule about no field comes last. */
export function inFieldOrder<Rule extends { field: string }>(
  fields: readonly string[],
  rules: readonly Rule[],
): Rule[] {
  const positionOf = ({ field }: Rule) => {
    const position = fields.findIndex((name) => name === field || name.startsWith(`${field}.`));
    return position === -1 ? fields.length : position;
  };
  return rules.toSorted((one, other) => positionOf(one) - positionOf(other));
}

function place(root: FormValues, path: string[], value: FormValue): void {
  let holder: FormValue = root;
  path.forEach((step, index) => {
    const isLast = index === path.length - 1;
    const next = isLast ? value : (stepInto(holder, step) ?? emptyFor(path[index + 1]));
    if (Array.isArray(holder)) holder[Number(step)] = next;
    else if (isHolder(holder)) holder[step] = next;
    holder = next;
  });
}

const emptyFor = (nextStep: string | undefined): FormValue => (/^\d+$/.test(nextStep ?? '') ? [] : {});

function stepInto(holder: FormValue, step: string): FormValue | undefined {
  if (Array.isArray(holder)) return holder[Number(step)];
  return isHolder(holder) && Object.hasOwn(holder, step) ? holder[step] : undefined;
}

function isHolder(value: FormValue): value is { [name: string]: FormValue } {
  return typeof value === 'object' && !(value instanceof File) && !Array.isArray(value);
}
