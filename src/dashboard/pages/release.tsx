// Which release the service is, and how far it is ahead of its clients; both change while clients run.
import { FORWARD_KINDS, type ForwardKind, forwardNamed } from '../../contract/forward.ts';
import { RELEASE_NAMES, RELEASES } from '../../contract/releases.ts';
import type { Context } from '../context.ts';
import { BarForm, type FieldRow } from '../fields.tsx';
import { textsIn } from '../form.ts';
import { calling } from '../page.ts';
import { Card } from '../parts.tsx';

const KINDS = Object.keys(FORWARD_KINDS) as ForwardKind[];
const RELEASE_OPTIONS = RELEASE_NAMES.map((name) => [name, `v${RELEASES[name].version}, ${RELEASES[name].date}`] as const);
const AHEAD_OPTIONS = [
  ['none', 'not at all'],
  ['all', 'by all kinds of change'],
  ...KINDS.map((kind) => [kind, `${kind}: ${FORWARD_KINDS[kind]}`] as const),
] as const;

const aheadBy = (kinds: readonly ForwardKind[]): string =>
  kinds.length === 0 ? 'none' : kinds.length === KINDS.length ? 'all' : kinds.join(',');

export const Release = ({ context }: { context: Context }) => {
  const { release, terms } = context.world;
  const ahead = aheadBy(terms.forward);
  const fields: readonly FieldRow[] = [
    { name: 'release', label: 'Release', value: release, options: RELEASE_OPTIONS },
    { name: 'forward_compat', label: 'Ahead of its clients', wider: true, value: ahead, options: AHEAD_OPTIONS },
  ];
  return (
    <Card
      title="Release"
      says="The service as it was at a release. Data stays: what the release does not know is kept and not shown."
      id="release"
    >
      <BarForm
        context={context}
        action="setRelease"
        label="Release"
        fields={fields}
        says="Change release"
        hint={`v${RELEASES[release].version} brought: ${RELEASES[release].says.join('; ')}.`}
      />
    </Card>
  );
};

const wanted = (form: URLSearchParams) => {
  const { release, forward_compat: ahead } = textsIn(form, 'release', 'forward_compat');
  return { release, forward_compat: ahead === 'none' || ahead === '' ? false : ahead === 'all' || ahead.split(',') };
};

export const setRelease = calling(
  'setRelease',
  ({ version, forward_compat }) => {
    const changes = forwardNamed(forward_compat);
    return `The service is v${version}${changes.length > 0 ? `, ahead by ${changes.join(', ')}` : ''}.`;
  },
  (form) => ({ body: wanted(form) }),
);
