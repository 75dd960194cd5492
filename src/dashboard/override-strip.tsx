// The strip on every page: faults, changed choices and another release of this world, each with a button that ends it.
import { clipText, describeEffect, describeMatch } from '../mock/control/fault-words.ts';
import type { Instance } from '../mock/control/instance.ts';
import { CHOICES, type ChoiceId } from '../service/contract/choices.ts';
import { LATEST, releaseRow } from '../service/contract/releases.ts';
import type { Fault } from '../service/world/faults.ts';
import type { World } from '../service/world/world.ts';
import type { Context } from './context.ts';
import { PageForm } from './fields.tsx';
import { countWords, Muted } from './parts.tsx';

export const isFaultSpent = ({ times, hits, effect, released }: Fault): boolean =>
  hits >= (times ?? Number.POSITIVE_INFINITY) || (effect.hold === true && released);

/** It still lets requests pass. */
export const isFaultWaiting = ({ after = 0, seen }: Fault): boolean => seen < after;

export const listActiveFaults = ({ faults }: Instance): readonly Fault[] => faults.list().filter((fault) => !isFaultSpent(fault));

export const listChangedChoices = ({ choices }: World): readonly ChoiceId[] =>
  (Object.keys(CHOICES) as ChoiceId[]).filter((id) => choices[id] !== CHOICES[id].ours);

/** Describes the requests of a fault, its key by name. */
export const describeMatchIn = ({ world }: Context, { match }: Pick<Fault, 'match'>): string =>
  describeMatch(match, (key) => world.store.keys.get(key)?.value.name ?? key);

export const summarizeFault = (context: Context, fault: Pick<Fault, 'match' | 'effect'>): string =>
  clipText(`${describeMatchIn(context, fault)}: ${describeEffect(fault.effect)}`, 90);

const RELEASE_RESET = { do: 'setRelease', release: LATEST, forward_compat: 'none' };

/** Each with the page whose action ends it. */
const listUnusual = (context: Context) => {
  const { release, terms } = context.world;
  const { version } = releaseRow(release);
  const faults = listActiveFaults(context.instance);
  const changed = listChangedChoices(context.world).length;
  const ahead = terms.forward.length > 0 ? ', ahead of its clients' : '';
  const faultsOn = [
    `${countWords(faults.length, 'fault')} ${faults.every(isFaultWaiting) ? 'waiting for' : 'on'} `,
    faults[0] && <Muted>{summarizeFault(context, faults[0])}</Muted>,
  ];
  return [
    faults[0] && { page: 'faults', hidden: { do: 'removeAll' }, button: 'Turn off', says: faultsOn },
    changed > 0 && {
      page: 'choices',
      query: { show: 'changed' },
      hidden: { do: 'defaults' },
      says: `${countWords(changed, 'open point')} changed`,
    },
    (release !== LATEST || ahead !== '') && { page: 'settings', hidden: RELEASE_RESET, says: `Release v${version}${ahead}` },
  ].filter((item) => item !== undefined && item !== false);
};

export const Strip = ({ context }: { context: Context }) => (
  <section class="strip" id="strip" data-live="" aria-label="Not as usual">
    {context.host.past.includes(context.instance) ? <p>This world is gone: it can be looked at, not changed.</p> : null}
    {listUnusual(context).map(({ page, query, hidden, button = 'Reset', says }) => (
      <PageForm context={context} to={`/dashboard/${page}`} kind="inline" quick hidden={hidden}>
        <a href={context.href(`/dashboard/${page}`, query)}>{says}</a>
        <button type="submit" class="button small">
          {button}
        </button>
      </PageForm>
    ))}
  </section>
);
