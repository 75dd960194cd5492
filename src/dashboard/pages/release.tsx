// Which release the service is, and how far it is ahead of its clients; both change while clients run.
import { FORWARD_KINDS, type ForwardKind, forwardNamed } from '../../contract/forward.ts';
import { type Release as Name, RELEASE_NAMES, RELEASES } from '../../contract/releases.ts';
import type { Context } from '../context.ts';
import { Do, Field, Form } from '../fields.tsx';
import type { Page } from '../page.ts';
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
  const { release, forward } = context.world;
  const form = context.form('setRelease');
  const now = aheadBy(forward);
  const known = AHEAD_OPTIONS.some(([value]) => value === now);
  return (
    <Card
      title="Release"
      says="The service as it was at a release. Data stays: what the release does not know is kept and not shown."
      id="release"
    >
      <Form context={context} label="Release">
        <div class="stack">
          <div class="bar">
            <Field form={form} name="release" label="Release" value={release} options={RELEASE_OPTIONS} />
            <Field
              form={form}
              name="forward_compat"
              label="Ahead of its clients"
              wider
              value={now}
              options={known ? AHEAD_OPTIONS : [...AHEAD_OPTIONS, [now, now] as const]}
            />
            <Do action="setRelease">Change release</Do>
          </div>
          <p class="hint">
            v{RELEASES[release].version} brought: {RELEASES[release].says.join('; ')}.
          </p>
        </div>
      </Form>
    </Card>
  );
};

export const setRelease: NonNullable<Page['actions']>[string] = async (context, form) => {
  const ahead = form.get('forward_compat') ?? 'none';
  const kinds = ahead === 'none' ? false : ahead === 'all' ? true : ahead.split(',');
  const body = { release: (form.get('release') ?? '') as Name, forward_compat: kinds as boolean | readonly ForwardKind[] };
  const { version, forward_compat } = await context.call('setRelease', { body });
  const changes = forwardNamed(forward_compat);
  return { says: `The service is v${version}${changes.length > 0 ? `, ahead by ${changes.join(', ')}` : ''}.` };
};
